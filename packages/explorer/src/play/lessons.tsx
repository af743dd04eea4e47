import { formatGiven, moveWords } from "../logic/words.js";
import { ToolButton } from "../ui/tools.js";
import type { Ply } from "./game.js";
import type { Seats } from "./seats.js";
import type { TableControl } from "./use-table.js";

/** The task of a lesson below the board, the verdict on the last try, and the ways on. */
export function LessonPanel({
  table,
  mistake,
  seats,
}: {
  readonly table: TableControl;
  readonly mistake: Ply;
  readonly seats: Seats;
}) {
  const { mistakes, moves, state, actions } = table;
  const { mistake: at = 0, attempt } = state.lesson ?? {};
  const { turn } = mistake.before;
  const who = seats[turn] === "you" ? "You" : `The ${turn}`;
  const last = at === mistakes.length - 1;
  return (
    <section class="lesson" aria-labelledby="lesson-title">
      <h2 id="lesson-title">
        Mistake {at + 1} of {mistakes.length}
      </h2>
      <p>
        {`${who} chose: ${moveWords(mistake.step)}. It gave away ${formatGiven(mistake.cost)}. Find a better move.`}
      </p>
      <p class={`verdict ${attempt?.best ? "right" : ""}`} aria-live="polite">
        {attempt?.words ?? (moves.length === 0 ? "…" : "Your move.")}
      </p>
      <p class="ways row">
        {!attempt?.best && <ToolButton icon="hint" name="Best move" onClick={actions.reveal} />}
        {!last && <ToolButton icon="right" name="Next" onClick={() => actions.learn(at + 1)} />}
        <ToolButton
          icon="reset"
          name={last ? "Done" : "Leave"}
          onClick={() => actions.learn(undefined)}
        />
      </p>
    </section>
  );
}
