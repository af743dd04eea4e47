import {
  type Board,
  type Bound,
  isExact,
  mergeBounds,
  mostPointsToCome,
  packNode,
} from "@gridlock/game";
import { answers, type Question } from "./port.js";
import { type Guess, guessBeside, nextThreshold } from "./window.js";

/** A start and the proven bound of its value. */
export interface StartBound {
  readonly board: Board;
  readonly bound: Bound;
}

/**
 * All that the next question of a solve depends on, so that whoever has an answer also knows the
 * question that follows.
 */
export interface Agenda {
  /** The starts, in the order in which they are solved. */
  readonly starts: readonly StartBound[];
  /** The guess of the value of the next one. */
  readonly guess: Guess;
}

/** Returns the first unsolved start and the threshold to ask; `undefined` if all are solved. */
export function nextQuestion({
  starts,
  guess,
}: Agenda): { readonly index: number; readonly threshold: number } | undefined {
  for (const [index, { board, bound }] of starts.entries()) {
    if (isExact(bound)) continue;
    const threshold = nextThreshold(bound, mostPointsToCome(board), guess);
    if (threshold !== undefined) return { index, threshold };
  }
  return undefined;
}

/** Returns the agenda with a start's new bound: a value, once known, is the guess for the next. */
export function withBound(agenda: Agenda, index: number, bound: Bound): Agenda {
  const { board, bound: before } = agenda.starts[index] as StartBound;
  const isFound = isExact(bound) && !isExact(before);
  return {
    starts: agenda.starts.with(index, { board, bound }),
    guess: isFound ? guessBeside(bound.lo) : agenda.guess,
  };
}

/** A run's answers: workers and coordinators know the next question by them before being told. */
export class Answers {
  readonly #bounds = new Map<string, Bound>();

  /** Takes a bound, unless it does not answer the question. */
  add(question: Question, bound: Bound): void {
    if (!answers(bound, question.threshold)) return;
    const key = keyOf(question);
    this.#bounds.set(key, mergeBounds(bound, this.#bounds.get(key) ?? bound));
  }

  get(question: Question): Bound | undefined {
    return this.#bounds.get(keyOf(question));
  }

  /** Returns the first question of an agenda that is not answered, if there is one. */
  next(agenda: Agenda): Question | undefined {
    for (let now = agenda; ; ) {
      const next = nextQuestion(now);
      if (next === undefined) return undefined;
      const { board, bound } = now.starts[next.index] as StartBound;
      const question = { ...packNode({ turn: "slider", board }), threshold: next.threshold };
      const answer = this.get(question);
      if (answer === undefined) return question;
      now = withBound(now, next.index, mergeBounds(bound, answer));
    }
  }
}

/** Returns whether two questions are the same one. */
export function isSameQuestion(one: Question, other: Question): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ board, turn, threshold }: Question): string {
  return `${turn} ${board} ${threshold}`;
}
