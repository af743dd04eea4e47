import { largestTileOn } from "@gridlock/game";
import { useState } from "preact/hooks";
import { exploreAddress, readBoard, type Spot } from "../logic/address.js";
import { followLine, type Step } from "../logic/moves.js";
import { capital, formatNumber, moveWords } from "../logic/words.js";
import { BoardView } from "./board.js";
import { MoveLink } from "./move-link.js";
import { Stepper } from "./stepper.js";

/** A line of best play, board by board; without scripts, its moves and the board at its end. */
export function Line({
  spot,
  line,
  open = false,
  onGo,
}: {
  readonly spot: Spot;
  readonly line: readonly string[];
  /** True if the boards are shown from the beginning. */
  readonly open?: boolean;
  /** Goes to a board of the line, after some of its moves; absent where its link is followed. */
  readonly onGo?: (spot: Spot, made: readonly Step[]) => void;
}) {
  const steps = followLine(spot.node, line);
  const [cursor, setCursor] = useState(steps.length);
  const last = steps.at(-1);
  if (last === undefined) return null;
  const step = cursor === 0 ? undefined : steps[cursor - 1];
  const next = { ...spot, node: step?.after ?? spot.node };
  const made = steps.slice(0, cursor);
  const earned = made.reduce((sum, { score }) => sum + score, 0);
  const named = step === undefined ? "The start" : capital(moveWords(step));
  const said = `${named}, ${formatNumber(earned)} points so far`;
  return (
    <details class="line" open={open}>
      <summary>
        {steps.length} moves, to a {largestTileOn(last.after.board)}
      </summary>
      <BoardView board={next.node.board} />
      <Stepper last={steps.length} cursor={cursor} said={said} onGo={setCursor} />
      <p class="line-said">{said}.</p>
      <p class="ways row">
        <MoveLink href={exploreAddress(next)} {...(onGo && { onMove: () => onGo(next, made) })}>
          Explore this board
        </MoveLink>
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
