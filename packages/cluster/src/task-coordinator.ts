import { basename, dirname } from "node:path";
import { type Game, normalShape, type Shape } from "@gridlock/game";
import type { NodeCounts } from "@gridlock/kernel";
import {
  areStepsOf,
  type BlockNumber,
  type BlockToCheck,
  type CheckRequest,
  type CheckVerdict,
  type LayersStatus,
  layersBuild,
  type Remainder,
  RoundChecker,
  type StepOutcome,
  type Visit,
  type VisitOutcome,
  type VisitPort,
} from "@gridlock/layers";
import type { StartBound } from "@gridlock/solver";
import type { Logger } from "pino";
import { agreed } from "./agreement.js";
import type { RunMessage } from "./messages.js";
import type { Observed } from "./metrics.js";
import type { RedisOptions } from "./redis-options.js";
import { Run, type RunWork } from "./run.js";
import { awaitFolder, claimFolder } from "./shared-folder.js";
import { TaskHands } from "./task-hands.js";
import { TaskKeeper } from "./task-keeper.js";
import type { ComparedOutcome, ComparedWork, TaskOutcome } from "./task-messages.js";

export interface TaskCoordinatorOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  /** The folder of the proof, in a folder that all machines reach. */
  readonly folder: string;
  /** Bytes for the tables of the tasks that this machine does itself, to decide between workers. */
  readonly bytes: number;
  readonly log: Logger;
}

/**
 * Has the tasks of a proof by layers done by many machines. A task may be done twice, or late: it
 * writes the same block under the same name.
 *
 * Open it with `await using`, so that the lead is given up on every path.
 */
export class TaskCoordinator implements VisitPort, RunWork, AsyncDisposable {
  readonly #shape: Shape;
  readonly #folder: string;
  readonly #build: string;
  readonly #run: Run;
  /** The thread for tasks that this machine does itself. */
  readonly #hands: TaskHands;
  readonly #tasks: TaskKeeper;
  readonly #checker = new RoundChecker({ check: (requests) => this.#checkTwice(requests) });
  readonly #shutOut: string[] = [];
  /** True in a round after one whose files failed the check: each visit is made twice. */
  #isSuspicious = false;
  #progress = { round: 0, expanded: 0, seconds: 0 };

  private constructor(options: TaskCoordinatorOptions) {
    const { redis, folder, bytes } = options;
    const game = { ...options.game, shape: normalShape(options.game.shape) };
    this.#shape = game.shape;
    this.#folder = folder;
    this.#build = layersBuild(game.shape);
    this.#hands = new TaskHands(game, folder, { threads: 1, bytes, forgetsAll: true });
    this.#run = new Run(options, this);
    this.#tasks = new TaskKeeper({
      ...{ redis, run: this.#run },
      doHere: (work) => this.#hands.do(work),
      isShutOut: (worker) => this.#shutOut.includes(worker),
    });
  }

  /**
   * Takes the lead of the runs under a prefix. Waits while the server is away.
   *
   * @throws {ClusterError} `busy` if another coordinator has the lead, `folder` if the folder
   *   cannot be written
   */
  static async open(options: TaskCoordinatorOptions): Promise<TaskCoordinator> {
    const coordinator = new TaskCoordinator(options);
    try {
      await coordinator.#run.begin();
      return coordinator;
    } catch (error) {
      await coordinator[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Records the solve's progress, for status readers.
   *
   * @param before nodes that earlier runs of the proof have expanded
   */
  progress(
    starts: readonly StartBound[],
    { round, expanded, seconds }: LayersStatus,
    before: number,
  ): void {
    this.#run.progress(starts, 0);
    this.#run.count("", { positions: 0, afterstates: expanded - before });
    this.#progress = { round, expanded, seconds };
  }

  /**
   * Has workers visit blocks; returns the results in the same order.
   *
   * @throws {ClusterError} `job` with the reason if a task fails
   * @throws the reason of {@link stop}
   */
  async visit(visits: readonly Visit[]): Promise<readonly VisitOutcome[]> {
    if (this.#isSuspicious) {
      const works = visits.map(({ load: _, ...visit }) => ({ visit }));
      return (await this.#doTwice(works)).map(visitIn);
    }
    return (await this.#tasks.share(visits)).map(({ outcome }) => visitIn(outcome));
  }

  /**
   * Has a worker work off a round; returns undefined if no worker has enough memory. Throws as
   * {@link visit} does.
   */
  async workOff(remainder: Remainder): Promise<readonly StepOutcome[] | undefined> {
    if (this.#isSuspicious) return undefined;
    const answer = await this.#tasks.workOff(remainder);
    if (answer === undefined) return undefined;
    const { worker, steps } = answer;
    if (await areStepsOf(this.#shape, remainder, steps)) {
      const { step } = remainder;
      this.#run.log.debug({ worker, step, steps: steps.length }, "a worker has worked off steps");
      return steps;
    }
    this.#shutOutWorker(worker);
    return undefined;
  }

  /**
   * Has all blocks of a proof checked, each by two workers; returns those whose bounds do not
   * follow. If there are any, two workers also make each visit of the next round, which shows the
   * worker that is wrong.
   *
   * @throws as {@link visit} does
   */
  async check(blocks: readonly BlockToCheck[]): Promise<readonly BlockNumber[]> {
    const { log } = this.#run;
    log.info({ blocks: blocks.length }, "checking");
    const failing = await this.#checker.failing(blocks);
    this.#isSuspicious = failing.length > 0;
    if (failing.length === 0) log.info({ blocks: blocks.length }, "all bounds follow");
    else log.error({ blocks: failing }, "bounds do not follow by the rules; proving them again");
    return failing;
  }

  async #checkTwice(requests: readonly CheckRequest[]): Promise<readonly CheckVerdict[]> {
    const outcomes = await this.#doTwice(requests.map((check) => ({ check })));
    return outcomes.map((outcome) => (outcome as { check: CheckVerdict }).check);
  }

  /** Has each task done by two workers, and decides between them. */
  async #doTwice(works: readonly ComparedWork[]): Promise<readonly ComparedOutcome[]> {
    const tasks = this.#tasks;
    const options = {
      ...{ folder: this.#folder, log: this.#run.log },
      ask: (work: ComparedWork, not?: string) => tasks.ask(work, not),
      judge: (work: ComparedWork) => tasks.askHere(work),
      shutOut: (worker: string) => this.#shutOutWorker(worker),
    };
    return await Promise.all(works.map((work) => agreed(work, options)));
  }

  #shutOutWorker(worker: string): void {
    if (this.#shutOut.includes(worker)) return;
    this.#run.log.error(`${worker} gave a false answer and is shut out`);
    this.#shutOut.push(worker);
    void this.#run.announceSoon();
  }

  /** Does nothing: workers write the files of blocks before a task is done. */
  async save(): Promise<void> {}

  async awaitFolder(): Promise<boolean> {
    const { id, log } = this.#run;
    return await awaitFolder(this.#folder, id, log, this.#tasks.failing);
  }

  describe(): Pick<RunMessage, "open" | "shutOut" | "layers"> {
    const layers = {
      data: dirname(this.#folder),
      folder: basename(this.#folder),
      build: this.#build,
      ...this.#progress,
      tasks: this.#tasks.size,
    };
    return { open: [], shutOut: [...this.#shutOut], layers };
  }

  isBusy(): boolean {
    return this.#tasks.size > 0;
  }

  async begin(): Promise<void> {
    claimFolder(this.#folder, this.#run.id);
    await this.#tasks.begin();
  }

  async beat(): Promise<void> {
    await this.#tasks.beat();
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return this.#run.observe();
  }

  fail(error: Error): void {
    this.#tasks.fail(error);
  }

  /** Fails the tasks under way, and all later ones, with a reason. */
  stop(reason: Error): void {
    this.fail(reason);
  }

  counts(): NodeCounts {
    return this.#run.counts;
  }

  /**
   * Removes the queues, gives up the lead and disconnects. If the server is away, the lead expires,
   * and the next run empties the queues.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (await this.#run.rest()) {
      await this.#tasks
        .end()
        .catch((error: Error) => this.#run.log.debug({ error: error.message }, "not tidied"));
    }
    await this.#run[Symbol.asyncDispose]();
    await this.#hands[Symbol.asyncDispose]();
    await this.#tasks[Symbol.asyncDispose]();
  }
}

function visitIn(outcome: TaskOutcome): VisitOutcome {
  return (outcome as { visit: VisitOutcome }).visit;
}
