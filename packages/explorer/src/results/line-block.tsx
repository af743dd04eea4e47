import { readBoard } from "../logic/address.js";
import { Line } from "./line.js";

/**
 * A line of play in a document, in the game with 2s and 4s. In Markdown it is a block of code in the
 * language `line`: a board, then its moves. The pages show boards to step through.
 */
export function LineBlock({ text }: { readonly text: string }) {
  const [board = "", ...moves] = text.trim().split("\n");
  const spot = { node: readBoard(board), tiles: [2, 4] } as const;
  return <Line spot={spot} line={moves.join(" ").split(" ")} open />;
}
