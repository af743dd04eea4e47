import { largestTileOn } from "@gridlock/game";
import { useState } from "preact/hooks";
import { exploreAddress, readBoard, type Spot } from "../logic/address.js";
import { followLine } from "../logic/moves.js";
import { capital, formatNumber, moveWords } from "../logic/words.js";
import { BoardView } from "../ui/board.js";
import { Stepper } from "../ui/stepper.js";

/** A line of best play, board by board; without scripts, its moves and the board at its end. */
export function Line({
  spot,
  line,
  open = false,
}: {
  readonly spot: Spot;
  readonly line: readonly string[];
  /** True if the boards are shown from the beginning. */
  readonly open?: boolean;
}) {
  const steps = followLine(spot.node, line);
  const [cursor, setCursor] = useState(steps.length);
  const last = steps.at(-1);
  if (last === undefined) return null;
  const step = cursor === 0 ? undefined : steps[cursor - 1];
  const node = step?.after ?? spot.node;
  const earned = steps.slice(0, cursor).reduce((sum, { score }) => sum + score, 0);
  const made = step === undefined ? "The start" : capital(moveWords(step));
  const said = `${made}, ${formatNumber(earned)} points so far`;
  return (
    <details open={open}>
      <summary>
        {steps.length} moves, to a {largestTileOn(last.after.board)}
      </summary>
      <BoardView board={node.board} />
      <Stepper last={steps.length} cursor={cursor} said={said} onGo={setCursor} />
      <p class="line-said">{said}.</p>
      <p class="ways row">
        <a href={exploreAddress({ ...spot, node })}>Explore this board</a>
      </p>
      <p class="moves-text">{line.join(" ")}</p>
    </details>
  );
}

/**
 * A line of play in a document, in the game with 2s and 4s. In Markdown it is a block of code in
 * the language `line`: a board, then its moves. The pages show boards to step through.
 */
export function LineBlock({ text }: { readonly text: string }) {
  const [board = "", ...moves] = text.trim().split("\n");
  const spot = { node: readBoard(board), tiles: [2, 4] } as const;
  return <Line spot={spot} line={moves.join(" ").split(" ")} open />;
}
