import type { Answer } from "../data.js";
import { exploreAddress, type Spot } from "../logic/address.js";
import { type Ahead, alongLine } from "../logic/ahead.js";
import { followLine } from "../logic/moves.js";
import { moveWords } from "../logic/words.js";
import { Thumbnail } from "../ui/board.js";
import { MoveLink } from "../ui/move-link.js";

/** A line of best play for both sides, each move a link to the board after it. */
export function BestLine({
  spot,
  answer,
  onGo,
}: {
  readonly spot: Spot;
  readonly answer: Answer;
  /** Goes to a board of the line, with what the line says of it. */
  readonly onGo: (spot: Spot, ahead: Ahead | undefined) => void;
}) {
  const steps = followLine(spot.node, answer.line);
  const last = steps.at(-1);
  if (last === undefined) return null;
  return (
    <section class="line" aria-labelledby="line-title">
      <h2 id="line-title">A line of best play</h2>
      <ol class="list row">
        {steps.map((step, i) => {
          const next = { ...spot, node: step.after };
          return (
            <li key={`${i} ${step.name}`} class={step.tile === undefined ? "slid" : "placed"}>
              <MoveLink
                href={exploreAddress(next)}
                title={moveWords(step)}
                onMove={() => onGo(next, alongLine(answer, steps.slice(0, i + 1)))}
              >
                {step.name}
              </MoveLink>
            </li>
          );
        })}
      </ol>
      <figure>
        <Thumbnail board={last.after.board} />
        <figcaption>The end, after {steps.length} moves</figcaption>
      </figure>
    </section>
  );
}
