/*
 * The rest of a round in which few nodes are open. Its steps are many and short, so that to share
 * their visits would take longer than to make them: one machine makes all of them, in memory.
 */
import type { Shape } from "@gridlock/game";
import { type BlockNumber, blockLayersOf, STARTS } from "./blocks.js";
import type { VisitCrew } from "./crew.js";
import { estimateOf } from "./dispatch.js";
import { ProofState } from "./proof-state.js";
import type { Remainder, StepOutcome, Visit, VisitLoad, VisitOutcome } from "./visits.js";

/**
 * Expected seconds after which a machine returns what it has done: this much is lost with the
 * machine. Coordinators and workers must agree on it, as on all that determines the next steps: they
 * do if their protocol (`PROTOCOL` in `cluster`) is the same.
 */
const ENOUGH_S = 1;

/**
 * Makes the visits of the next steps with this machine's threads, and then writes the files of their
 * blocks and letters. The work ends after a step if a letter to the starts is unread, if many nodes
 * are open, or if a file was damaged. Whoever does it stops after the same step, and leaves the same
 * blocks and letters.
 *
 * @throws {StoreError} if a file cannot be written
 */
export async function workOff(
  shape: Shape,
  remainder: Remainder,
  crew: VisitCrew,
): Promise<StepOutcome[]> {
  const steps: StepOutcome[] = [];
  const state = await follow(shape, remainder, async (visits) => {
    const outcomes = await crew.visit(visits, false);
    steps.push(
      visits.map(({ block }, i) => ({ block, outcome: sent(outcomes[i] as VisitOutcome) })),
    );
    return outcomes;
  });
  await crew.writeLetters(state.mail.kept);
  await crew.save(state.changed);
  return steps;
}

/** Returns an outcome without the letters, which are in files or read. */
function sent(outcome: VisitOutcome): VisitOutcome {
  if ("damaged" in outcome) return outcome;
  const { kept: _, ...result } = outcome;
  return result;
}

/** Returns the outcomes of a step's visits. */
export function outcomesOf(step: StepOutcome = []): VisitOutcome[] {
  return step.map(({ outcome }) => outcome);
}

/** Returns whether steps consist of the visits that {@link workOff} makes. */
export async function areStepsOf(
  shape: Shape,
  remainder: Remainder,
  steps: readonly StepOutcome[],
): Promise<boolean> {
  const left = [...steps];
  let isRight = true;
  await follow(shape, remainder, async (visits) => {
    const step = left.shift();
    const isThis =
      step?.length === visits.length && step.every(({ block }, i) => block === visits[i]?.block);
    if (isThis) return outcomesOf(step);
    isRight = false;
    return [];
  });
  return isRight && left.length === 0;
}

/**
 * Follows the steps of a remainder up to where {@link workOff} ends; returns the state after them.
 *
 * @param visit returns the outcomes of a step's visits; none to end after the step before
 */
export async function follow(
  shape: Shape,
  { split, round, step: first, blocks, letters }: Remainder,
  visit: (visits: readonly Visit[]) => Promise<readonly VisitOutcome[]>,
): Promise<ProofState> {
  const state = new ProofState(() => undefined, blockLayersOf(shape), split);
  state.round = round;
  state.restore(blocks, letters, first);
  let seconds = 0;
  const visited = new Set<BlockNumber>();
  for (let step = first; ; step++) {
    const visits = state.nextVisits(step);
    if (visits.length === 0) return state;
    const outcomes = await visit(visits);
    const made = visits.flatMap((visit, i) => {
      const result = outcomes[i];
      return result === undefined || "damaged" in result ? [] : [{ visit, result }];
    });
    state.apply(made);
    for (const { block, load } of visits) {
      const { work, reading } = estimateOf(load as VisitLoad);
      seconds += work + (visited.has(block) ? 0 : reading); // it then stays in memory
      visited.add(block);
    }
    const isOver = made.length < visits.length || state.pendingIn(STARTS) > 0;
    if (isOver || !state.hasFewNodes || seconds >= ENOUGH_S) return state;
  }
}
