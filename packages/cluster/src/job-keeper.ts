import type { Bound, Game } from "@gridlock/game";
import type { Logger } from "pino";
import type { ControlChannel } from "./control.js";
import { ClusterError } from "./errors.js";
import { isIntact, type JobQueue, type QueuedJob } from "./job-queue.js";
import type { Job, Jobs } from "./jobs.js";
import {
  type AnswerMessage,
  nameGame,
  PROTOCOL,
  type QuestionMessage,
  read,
  readBound,
  writeQuestion,
} from "./messages.js";
import type { Referee } from "./referee.js";
import type { RunState } from "./run-state.js";

export interface JobKeeperOptions {
  readonly game: Game;
  /** Nodes after which a question is requeued. */
  readonly budget?: number | undefined;
  readonly jobs: Jobs;
  readonly queue: JobQueue;
  readonly referee: Referee;
  readonly control: ControlChannel;
  readonly state: RunState;
  readonly log: Logger;
  /** Takes an answer of this epoch. */
  readonly onAnswer: (id: string, worker: string, bound: Bound) => void;
}

/**
 * Keeps the queue in agreement with the jobs that somebody waits for: queues them, again if they got lost, collects
 * their answers, and removes or cancels those that nobody waits for any more.
 */
export class JobKeeper {
  readonly #options: JobKeeperOptions;
  #isTidy = false;
  #tidying: Promise<void> | undefined;

  constructor(options: JobKeeperOptions) {
    this.#options = options;
  }

  /** Removes what earlier runs or epochs have left, before anything else is queued. */
  async tidy(): Promise<void> {
    if (this.#isTidy) return;
    this.#tidying ??= this.#tidyUp().finally(() => {
      this.#tidying = undefined;
    });
    await this.#tidying;
  }

  async #tidyUp(): Promise<void> {
    const { queue, jobs } = this.#options;
    const wanted = jobs.all().map(({ id }) => id);
    await queue.mend(wanted, []);
    await queue.clear();
    for (const id of await queue.active()) await this.#cancel(id);
    this.#isTidy = true;
  }

  /** Has all that is on the queue removed. */
  startOver(): void {
    this.#isTidy = false;
  }

  /**
   * Brings the queue into agreement with the jobs.
   *
   * @param workers the names of the workers that may be there
   */
  async reconcileAll(workers: readonly string[]): Promise<void> {
    const { jobs, queue, log } = this.#options;
    const wanted = jobs.all().map(({ id }) => id);
    const removed = await queue.mend(wanted, workers);
    if (removed.length > 0) {
      log.warn({ keys: removed }, "removed keys of a wrong type; what was in them is queued again");
    }
    await this.tidy();
    for (const id of wanted) await this.#reconcile(id);
    for (const id of await queue.active()) if (!jobs.get(id)) await this.#cancel(id);
  }

  /** Brings a job and the queue into agreement now, if the server is there; the next beat does it otherwise. */
  async reconcileSoon(id: string): Promise<void> {
    try {
      await this.tidy();
      await this.#reconcile(id);
    } catch (error) {
      this.#options.log.debug({ job: id, error: (error as Error).message }, "not reconciled");
    }
  }

  async #reconcile(id: string): Promise<void> {
    const queued = await this.#options.queue.find(id);
    const job = this.#options.jobs.get(id);
    if (job === undefined) return;
    switch (queued?.state) {
      case undefined:
        return await this.#add(job);
      case "completed":
        return await this.completed(id, queued.returned);
      case "failed":
        return await this.#failed(job, queued);
      case "damaged":
        return await this.#again(id);
      case "waiting":
        return await this.#makeRoom(job);
    }
  }

  async #add(job: Job): Promise<void> {
    const { queue, referee } = this.#options;
    if (!referee.isJudging && this.#isTidy) await queue.add(job, this.#dataOf(job));
  }

  #dataOf(job: Job): QuestionMessage {
    const { game, budget } = this.#options;
    const asked = { protocol: PROTOCOL, ...nameGame(game), ...writeQuestion(game, job.question) };
    if (job.kind === "audit") return { ...asked, audited: job.audited.worker };
    return budget === undefined ? asked : { ...asked, budget };
  }

  /** Takes a question that waits to a worker that has a part of it. */
  async #makeRoom(job: Job): Promise<void> {
    if (job.kind !== "question") return;
    for (const { id } of job.parts) {
      const part = await this.#options.queue.find(id);
      if (part?.state === "active") return await this.#cancel(id);
    }
  }

  /** Takes what a job has returned: an answer, or nothing yet, in which case it is queued again while it is wanted. */
  async completed(id: string, returned: unknown): Promise<void> {
    const { referee, state, onAnswer, log } = this.#options;
    let message: AnswerMessage;
    try {
      message = read("answer", returned);
    } catch (error) {
      log.warn({ job: id, error: (error as Error).message }, "ignored an answer");
      return await this.#again(id);
    }
    if (message.run === state.run) state.count(message.worker, message.counts);
    if (message.outcome === "answered" && message.epoch === referee.epoch) {
      onAnswer(id, message.worker, readBound(message.bound));
    }
    await this.#again(id);
  }

  /** Removes a job that has ended or is damaged, and queues it again if it is still wanted. */
  async #again(id: string): Promise<void> {
    const { jobs, queue, log } = this.#options;
    try {
      await queue.remove(id);
      const job = jobs.get(id);
      if (job) await this.#add(job);
    } catch (error) {
      log.debug({ job: id, error: (error as Error).message }, "not removed"); // the next beat does it
    }
  }

  /** Sets a job aside that has failed for good; queues it again if it failed because its data were damaged. */
  async #failed(job: Job, failed: Extract<QueuedJob, { state: "failed" }>): Promise<void> {
    const { jobs, referee, game, log } = this.#options;
    const { id } = job;
    const { reason, tries, data } = failed;
    if (!isIntact(data, this.#dataOf(job))) {
      log.warn({ job: id, reason }, "queued a damaged job again");
      return await this.#again(id);
    }
    log.error({ job: id, reason, tries }, "set aside");
    this.withdraw(jobs.drop(id));
    referee.look();
    if (job.kind !== "question") return;
    const { board, threshold } = writeQuestion(game, job.question);
    job.reject(
      new ClusterError(
        "job",
        `the question whether ${board} is worth ${threshold} was set aside after ${tries} ${tries === 1 ? "try" : "tries"}: ${reason}`,
      ),
    );
  }

  /** Takes jobs off the queue, or has their workers stop. */
  withdraw(ids: readonly string[]): void {
    for (const id of ids) void this.#withdraw(id);
  }

  async #withdraw(id: string): Promise<void> {
    try {
      if (!(await this.#options.queue.remove(id))) await this.#cancel(id);
    } catch {
      // The next beat cancels it if a worker has it. On the queue it stays until the end of the run.
    }
  }

  async #cancel(id: string): Promise<void> {
    await this.#options.control.call({ type: "cancel", id });
  }
}
