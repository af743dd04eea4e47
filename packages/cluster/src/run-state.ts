import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { formatBoard, type Game } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import type { StartBound } from "@gridlock/solver";
import type { Jobs } from "./jobs.js";
import {
  nameGame,
  PROTOCOL,
  type RunMessage,
  type Sharing,
  writeBound,
  writeQuestion,
} from "./messages.js";
import type { Referee } from "./referee.js";

interface RunStateOptions {
  readonly game: Game;
  readonly sharing: Sharing;
  readonly jobs: Jobs;
  readonly referee: Referee;
}

/** The state of a run, as its coordinator reports it to workers and status readers. */
export class RunState {
  readonly run = randomBytes(6).toString("hex");
  readonly #began = new Date().toISOString();
  readonly #options: RunStateOptions;
  /** The nodes that each worker has searched in this run, by its latest report. */
  readonly #counts = new Map<string, NodeCounts>();
  #starts: readonly StartBound[] = [];
  #questions = 0;

  constructor(options: RunStateOptions) {
    this.#options = options;
  }

  /** Records the solve's progress. */
  progress(starts: readonly StartBound[], questions: number): void {
    this.#starts = starts;
    this.#questions = questions;
  }

  /** Records the nodes that a worker has searched in this run. */
  count(worker: string, counts: NodeCounts): void {
    this.#counts.set(worker, counts);
  }

  /** Nodes that all workers together have searched in this run. */
  get counts(): NodeCounts {
    let positions = 0;
    let afterstates = 0;
    for (const counts of this.#counts.values()) {
      positions += counts.positions;
      afterstates += counts.afterstates;
    }
    return { positions, afterstates };
  }

  /** Returns the message that workers and status readers receive. */
  message(): RunMessage {
    const { game, sharing, jobs, referee } = this.#options;
    return {
      protocol: PROTOCOL,
      run: this.run,
      epoch: referee.epoch,
      host: hostname(),
      pid: process.pid,
      ...nameGame(game),
      began: this.#began,
      sharing,
      open: jobs.questions().map(({ id, question, parts }) => ({
        id,
        ...writeQuestion(game, question),
        parts: parts.map((part) => ({
          ...writeQuestion(game, part.question),
          bound: writeBound(part.bound),
        })),
      })),
      starts: this.#starts.map(({ board, bound }) => ({
        board: formatBoard(board),
        bound: writeBound(bound),
      })),
      questions: this.#questions,
      counts: this.counts,
      shutOut: [...referee.shutOut],
    };
  }
}
