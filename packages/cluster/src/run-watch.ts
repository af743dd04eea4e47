import { hasKernel, kernelVersion } from "@gridlock/kernel";
import type { RunMessage } from "@gridlock/schemas/cluster";
import type { Logger } from "pino";
import { ClusterError } from "./errors.js";
import { gameNamed, read } from "./messages.js";
import { FOREIGN_MS, GONE_MS } from "./timing.js";

/** A worker's run, as its coordinator describes it. */
export class RunWatch {
  readonly #log: Logger;
  /** Null before the first look. */
  #run: RunMessage | undefined | null = null;
  #unreadableSince: number | undefined;
  /** The time since when there has been no run any more. */
  #goneSince: number | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The run as last read; `undefined` if there is no coordinator. */
  get run(): RunMessage | undefined {
    return this.#run ?? undefined;
  }

  /**
   * Returns whether there was a run, and there has been none for so long that its coordinator
   * counts as gone. One that resumes, or a server that has lost its keys, needs less.
   *
   * @param now milliseconds of `performance.now`
   */
  isOver(now: number): boolean {
    return this.#goneSince !== undefined && now - this.#goneSince >= GONE_MS;
  }

  /**
   * Reads the latest description of the run, or null if Redis has none; returns whether it
   * describes another run than before.
   *
   * @param now milliseconds of `performance.now`
   * @throws {ClusterError} `protocol` if the coordinator is of another version or has another
   *   kernel
   */
  read(text: string | null, now: number): boolean {
    const before = this.#run;
    try {
      this.#run = text === null ? undefined : read("run", text);
    } catch (error) {
      this.#ignore(error, now);
      return false;
    }
    this.#unreadableSince = undefined;
    if (this.#run) this.#goneSince = undefined;
    else if (before) this.#goneSince = now;
    if (before !== null && before?.run === this.#run?.run) return false;
    if (this.#run) expectSameKernel(this.#run);
    if (this.#run) this.#log.info({ run: this.#run.run, shape: this.#run.shape }, "run");
    else this.#log.info("waiting for a coordinator");
    return true;
  }

  /** Keeps the last readable description, unless messages of another protocol keep coming. */
  #ignore(error: unknown, now: number): void {
    if (!(error instanceof ClusterError)) throw error;
    if (this.#unreadableSince === undefined) {
      this.#log.warn({ error: error.message }, "ignored the description of the run");
    }
    this.#unreadableSince ??= now;
    if (error.code === "protocol" && now - this.#unreadableSince >= FOREIGN_MS) throw error;
  }
}

/** Checks that the bounds of this worker's kernel are of use to the other workers of a run. */
function expectSameKernel(run: RunMessage): void {
  const { shape } = gameNamed(run);
  if (run.kernel === undefined || !hasKernel(shape)) return;
  const own = kernelVersion(shape);
  if (run.kernel === own) return;
  throw new ClusterError(
    "protocol",
    `the coordinator's kernel for ${run.shape} is ${run.kernel}, but this worker's is ${own}; use the same version of gridlock for the coordinator and all workers`,
  );
}
