import { useState } from "preact/hooks";
import { useResource } from "../client/resource.js";
import type { Answer } from "../data.js";
import { answerAddress } from "../logic/address.js";
import { type GradedMove, gradeMoves } from "../logic/grade.js";
import { formatGiven, moveWords } from "../logic/words.js";
import { ToolButton } from "../ui/button.js";
import type { Game, Ply } from "./game.js";
import type { Seats } from "./seats.js";
import { type Attempt, judge, mistakesIn } from "./words.js";

/** The way through the mistakes of a game, one by one. */
export interface Lessons {
  /** The mistakes, as numbers of moves. */
  readonly mistakes: readonly number[];
  /** The mistake on the board, counted from 0; `undefined` outside the lessons. */
  readonly at: number | undefined;
  /** The move that was a mistake. */
  readonly ply: Ply | undefined;
  /** The moves to choose from; empty while their values are on their way. */
  readonly moves: readonly GradedMove[];
  readonly attempt: Attempt | undefined;
  readonly try: (move: GradedMove) => void;
  readonly reveal: () => void;
  /** Goes to a mistake, or out of the lessons. */
  readonly go: (at: number | undefined) => void;
}

/** Takes a reader through the mistakes of a game. */
export function useLessons(game: Game, seats: Seats): Lessons {
  const [at, setAt] = useState<number | undefined>();
  const [attempt, setAttempt] = useState<Attempt | undefined>();
  const mistakes = mistakesIn(game, seats);
  const ply = at === undefined ? undefined : game.plies[mistakes[at] ?? -1];
  const answer = useResource<Answer>(ply && answerAddress({ node: ply.before, tiles: game.tiles }));
  const moves = ply && answer.value ? gradeMoves(ply.before, answer.value) : [];
  return {
    ...{ mistakes, at: ply && at, ply, moves, attempt },
    try: (move) => ply && setAttempt(judge(move, ply)),
    reveal: () => {
      const best = moves.filter((move) => move.best).map(({ step }) => moveWords(step));
      const words =
        best.length > 0 ? `Best: ${best.join(", or ")}.` : "No move is proven best here.";
      setAttempt({ kind: "best", words });
    },
    go: (to) => {
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
  readonly lessons: Lessons;
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
          <ToolButton icon="hint" name="Show the best move" onClick={lessons.reveal} />
        )}
        {!last && <ToolButton icon="right" name="Next mistake" onClick={() => go(at + 1)} />}
        <ToolButton
          icon="reset"
          name={last ? "Done" : "Back to the game"}
          onClick={() => go(undefined)}
        />
      </p>
    </section>
  );
}
