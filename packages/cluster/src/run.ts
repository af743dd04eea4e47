import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { formatBoard, type Game } from "@gridlock/game";
import { hasKernel, kernelVersion, type NodeCounts } from "@gridlock/kernel";
import type { RunMessage } from "@gridlock/schemas/cluster";
import type { StartBound } from "@gridlock/solver";
import type { Logger } from "pino";
import { connect, disconnect } from "./connection.js";
import { ClusterError } from "./errors.js";
import type { Redis } from "./ioredis.js";
import { type Keys, keysOf } from "./keys.js";
import { Lead } from "./lead.js";
import { nameGame, PROTOCOL, writeBound } from "./messages.js";
import type { Observed } from "./metrics.js";
import { isRefusal, Reach } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import { Roster } from "./roster.js";
import { BEAT_MS, GONE_MS } from "./timing.js";

/** Options of a run. */
export interface RunOptions {
  readonly redis: RedisOptions;
  readonly game: Game;
  readonly log: Logger;
}

/** A run's lead, its description for workers and status readers, and its workers. */
export abstract class Run implements AsyncDisposable {
  readonly id = randomBytes(6).toString("hex");
  protected readonly keys: Keys;
  protected readonly log: Logger;
  /** The client for commands, which fail while the server is away. */
  protected readonly client: Redis;
  protected readonly roster: Roster;
  readonly #game: Game;
  readonly #kernel: string | undefined;
  readonly #began = new Date().toISOString();
  readonly #lead: Lead;
  readonly #reach: Reach;
  readonly #closing = new AbortController();
  /** The nodes that each worker has searched in this run, by its latest report. */
  readonly #counts = new Map<string, NodeCounts>();
  #starts: readonly StartBound[] = [];
  #questions = 0;
  #beating: Promise<void> = Promise.resolve();

  constructor({ redis, game, log }: RunOptions) {
    this.#game = game;
    this.#kernel = hasKernel(game.shape) ? kernelVersion(game.shape) : undefined;
    this.keys = keysOf(redis);
    this.log = log.child({ run: this.id });
    this.client = connect(redis, "commands", (error) => this.trouble(error));
    this.#reach = new Reach(this.log, redis);
    this.roster = new Roster(this.log);
    this.#lead = new Lead(this.client, this.keys, this.id);
  }

  /** Returns the fields of the run's description that concern its work. */
  protected abstract describe(): Pick<RunMessage, "check" | "question" | "groups" | "shutOut">;
  /** True while there is something for workers to do. */
  protected abstract isBusy(): boolean;
  /** Prepares the queue, before any worker learns of the run. */
  protected abstract prepare(): Promise<void>;
  /** Called once a second, before anything is read: removes keys of the wrong type. */
  protected abstract mend(): Promise<void>;
  /** Called once a second, when the workers are known. */
  protected abstract beat(): void;
  /** Called when the run cannot continue. */
  protected abstract fail(error: Error): void;

  /**
   * Takes the lead of the runs under a prefix. Waits while the server is away.
   *
   * @throws {ClusterError} `busy` if another coordinator has the lead
   */
  protected async begin(): Promise<void> {
    await this.#lead.take(this.#reach, () =>
      this.log.warn("another coordinator has the lead; waiting to see whether it is still there"),
    );
    await this.#reach.persist(() => this.prepare());
    this.#beating = this.#beatOn();
  }

  /** Records the solve's progress, for status readers. */
  progress(starts: readonly StartBound[], questions: number): void {
    this.#starts = starts;
    this.#questions = questions;
  }

  /** Records the nodes that a worker, or all workers together, have searched in this run. */
  protected count(worker: string, counts: NodeCounts): void {
    this.#counts.set(worker, counts);
  }

  /** Nodes that all workers together have searched in this run. */
  counts(): NodeCounts {
    let positions = 0;
    let afterstates = 0;
    for (const counts of this.#counts.values()) {
      positions += counts.positions;
      afterstates += counts.afterstates;
    }
    return { positions, afterstates };
  }

  async #beatOn(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#beat();
        this.#reach.succeeded();
      } catch (error) {
        this.#failed(error);
      }
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Once a second, renews the lead, describes the run and looks for workers. */
  async #beat(): Promise<void> {
    if (!(await this.#lead.keep())) {
      throw new ClusterError(
        "busy",
        "another coordinator has taken over; all proven values are saved",
      );
    }
    await this.mend();
    const { shutOut } = this.describe();
    const workers = await this.roster.read(this.client, this.keys, shutOut);
    this.beat();
    await this.#announce();
    for (const { worker, run, counts } of workers) if (run === this.id) this.count(worker, counts);
    this.roster.watch(this.isBusy());
  }

  /**
   * Records an error of a connection. The server may refuse a login, or commands of a queue, while the beats
   * know nothing of it; of outages they know by themselves.
   */
  protected trouble(error: Error): void {
    this.log.debug({ error: error.message }, "connection");
    if (!this.#closing.signal.aborted && isRefusal(error)) this.#failed(error);
  }

  /** Continues after a failure that may be temporary; ends the run after any other. */
  #failed(error: unknown): void {
    try {
      this.#reach.failed(error);
    } catch (reason) {
      this.fail(reason as Error);
    }
  }

  #message(): RunMessage {
    return {
      protocol: PROTOCOL,
      run: this.id,
      host: hostname(),
      pid: process.pid,
      ...nameGame(this.#game),
      kernel: this.#kernel,
      began: this.#began,
      starts: this.#starts.map(({ board, bound }) => ({
        board: formatBoard(board),
        bound: writeBound(bound),
      })),
      questions: this.#questions,
      counts: this.counts(),
      ...this.describe(),
    };
  }

  async #announce(): Promise<void> {
    const message = JSON.stringify(this.#message());
    const { run, news } = this.keys;
    await Promise.all([
      this.client.set(run, message, "PX", GONE_MS),
      this.client.xadd(news, "MAXLEN", 1, "*", "run", this.id),
      this.client.pexpire(news, GONE_MS),
    ]);
  }

  /** Updates the run's description now, or at the next beat if the server is away. */
  protected async announceSoon(): Promise<void> {
    await this.#announce().catch(() => {});
  }

  /** Returns the state from which metrics are made. */
  observe(): Observed {
    return {
      run: this.#message(),
      workers: this.roster.names.length,
      heard: this.#reach.heard,
    };
  }

  /**
   * Stops describing the run.
   *
   * @returns whether the server is reachable and this run still leads, so that its queue may be
   *   emptied
   */
  protected async rest(): Promise<boolean> {
    this.#closing.abort();
    await this.#beating;
    return await this.#lead.keep().catch(() => false);
  }

  /** Gives up the lead and disconnects. If the server is away, the keys expire. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.rest();
    await this.#lead[Symbol.asyncDispose]();
    disconnect(this.client);
  }
}
