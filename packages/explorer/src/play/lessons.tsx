import { useState } from "preact/hooks";
import { useSeconds } from "../client/host.js";
import { useResource } from "../client/resource.js";
import type { Answer } from "../data.js";
import { answerAddress } from "../logic/address.js";
import { type GradedMove, gradeMoves } from "../logic/grade.js";
import { formatGiven, moveWords } from "../logic/words.js";
import { ToolButton } from "../ui/button.js";
import type { Game } from "./game.js";
import type { Seats } from "./seats.js";
import { type Attempt, judge, mistakesIn } from "./words.js";

/** Takes a reader through the mistakes of a game, one by one. */
export function useLessons(game: Game, seats: Seats) {
  const [at, setAt] = useState<number | undefined>();
  const [attempt, setAttempt] = useState<Attempt | undefined>();
  const mistakes = mistakesIn(game, seats);
  const ply = at === undefined ? undefined : game.plies[mistakes[at] ?? -1];
  const spot = ply && { node: ply.before, tiles: game.tiles };
  const answer = useResource<Answer>(spot && answerAddress(spot), useSeconds());
  const moves = ply && answer.value ? gradeMoves(ply.before, answer.value) : [];
  return {
    // The mistakes are numbers of moves, and `at` counts them from 0; it and `ply`, the move that was a mistake, are
    // undefined outside the lessons. `moves` are those to choose from, none while their values are on their way.
    mistakes,
    at: ply && at,
    ply,
    moves,
    attempt,
    try: (move: GradedMove) => ply && setAttempt(judge(move, ply)),
    reveal: () => {
      const best = moves.filter((move) => move.best).map(({ step }) => moveWords(step));
      const words =
        best.length > 0 ? `Best: ${best.join(", or ")}.` : "No move is proven best here.";
      setAttempt({ kind: "best", words });
    },
    /** Goes to a mistake, or out of the lessons. */
    go: (to: number | undefined) => {
      setAttempt(undefined);
      setAt(to);
    },
  };
}

/** The task below the board, the verdict on the last try, and the ways on. */
export function LessonPanel({
  lessons,
  seats,
}: {
  readonly lessons: ReturnType<typeof useLessons>;
  readonly seats: Seats;
}) {
  const { mistakes, at, ply, moves, attempt, go } = lessons;
  if (at === undefined || ply === undefined) return null;
  const { turn } = ply.before;
  const who = seats[turn] === "you" ? "You" : `The ${turn}`;
  const last = at === mistakes.length - 1;
  return (
    <section class="lesson" aria-labelledby="lesson-title">
      <h2 id="lesson-title">
        Mistake {at + 1} of {mistakes.length}
      </h2>
      <p>
        {`${who} chose: ${moveWords(ply.step)}. It gave away ${formatGiven(ply.cost)}. Find a better move.`}
      </p>
      <p class={`verdict ${attempt?.kind === "best" ? "right" : ""}`} aria-live="polite">
        {attempt?.words ?? (moves.length === 0 ? "…" : "Your move.")}
      </p>
      <p class="ways row">
        {attempt?.kind !== "best" && (
          <ToolButton icon="hint" name="Best move" onClick={lessons.reveal} />
        )}
        {!last && <ToolButton icon="right" name="Next" onClick={() => go(at + 1)} />}
        <ToolButton icon="reset" name={last ? "Done" : "Leave"} onClick={() => go(undefined)} />
      </p>
    </section>
  );
}
