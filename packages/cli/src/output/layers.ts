import { describeGame, type Game, isExact } from "@gridlock/game";
import type { LayersStatus } from "@gridlock/layers";
import { formatRough, formatSeconds } from "@gridlock/report";
import { estimate, partOfSearch, type StartBound } from "@gridlock/solver";
import { type Display, showWork, tell } from "./display.js";

/** Nodes that a proof by layers expands for each node of a search: 0.2 (2×5) to 0.7 (2×6) were measured. */
const EXPANDED_PART = 0.65;

/** Tells what a proof by layers resumes from, if it was begun before. */
export function tellResumed(
  flags: { readonly quiet?: true },
  { round, expanded, seconds }: LayersStatus,
): void {
  if (round === 0) return;
  tell(
    flags,
    `resuming after ${formatRough(expanded)} nodes and ${formatSeconds(seconds)}, in round ${round}`,
  );
}

/** Returns a callback that reports a damaged file of a proof. */
export function damageTeller(flags: { readonly quiet?: true }): (file: string) => void {
  return (file) => tell(flags, `${file} is missing or damaged; proving its contents again`);
}

/** A proof by layers, and what is known of the starts. */
interface Proving {
  readonly game: Game;
  readonly proof: { readonly status: LayersStatus };
  starts(): readonly StartBound[];
}

/** Displays the progress of a proof by layers on standard error, with the time of all runs and an estimate of the rest. */
export function showLayers({ game, proof, starts }: Proving, signal: AbortSignal): Display {
  const before = proof.status.seconds;
  const look = () => {
    const { live, expanded, round } = proof.status;
    const nodes = expanded / EXPANDED_PART;
    const all = starts();
    return {
      done: all.filter(({ bound }) => isExact(bound)).length,
      total: all.length,
      text: [`${formatRough(expanded)} nodes in round ${round}`, `${formatRough(live)} open`],
      part: partOfSearch(game.shape, nodes),
      ...(nodes > estimate(game.shape).nodes && { left: null }),
    };
  };
  return showWork(describeGame(game), "starts", look, { signal, before });
}
