import type { Game } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import type { JobPort } from "@gridlock/solver";
import type { Database, RunOutcome } from "@gridlock/store";
import { describeMachine } from "./machine.js";
import { VERSION } from "./version.js";

/** What a run has done, besides the values. */
export interface Effort {
  readonly nodes: NodeCounts;
  readonly seconds: number;
}

/** A run in a database's log of runs. */
export interface LoggedRun {
  /** The search has ended: what it has cost will not change. */
  stop(): void;
  /** Notes how the run has ended; returns what it has cost. */
  end(outcome: RunOutcome): Effort;
  /** Notes that the run has failed, if that can still be noted. */
  fail(): void;
}

/** Milliseconds between two notes of what a run has cost so far. */
const NOTE_MS = 1000;

/** Begins a run in the log of runs, and notes there every second what it has cost so far. */
export function beginRun(
  game: Game,
  database: Database,
  port: Pick<JobPort, "counts">,
  options: Readonly<Record<string, unknown>>,
): LoggedRun {
  const began = performance.now();
  const id = database.runs.begin({ game, version: VERSION, machine: describeMachine(), options });
  let spent: Effort | undefined;
  const effort = () =>
    spent ?? { nodes: port.counts(), seconds: (performance.now() - began) / 1000 };
  const note = (outcome: RunOutcome) => {
    const { nodes, seconds } = effort();
    database.runs.update(id, outcome, { ...nodes, seconds });
  };
  /** For notes that may be missing: when the database fails, whatever needs it next says so better. */
  const tryToNote = (outcome: RunOutcome) => {
    try {
      note(outcome);
    } catch {}
  };
  const timer = setInterval(() => tryToNote("unfinished"), NOTE_MS);
  const stop = () => {
    clearInterval(timer);
    spent ??= effort();
  };
  return {
    stop,
    end(outcome) {
      stop();
      note(outcome);
      return effort();
    },
    fail() {
      stop();
      tryToNote("failed");
    },
  };
}
