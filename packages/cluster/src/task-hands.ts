import type { Game } from "@gridlock/game";
import {
  CheckCrew,
  type CheckRequest,
  type CheckVerdict,
  type CrewOptions,
  VisitCrew,
  type VisitOutcome,
  verdictOf,
  workOff,
} from "@gridlock/layers";
import type { TaskOutcome, TaskWork } from "./task-messages.js";

type Kind = "visits" | "checks";

/**
 * The threads of a machine that do tasks of a proof by layers: a visit or a check takes one of them, a
 * remainder all. They have memory for visits or checks, never for both.
 */
export class TaskHands implements AsyncDisposable {
  readonly #game: Game;
  readonly #folder: string;
  readonly #options: Omit<CrewOptions, "savesAll">;
  #visits: VisitCrew | undefined;
  #checks: CheckCrew | undefined;
  /** The kind of the tasks under way. */
  #kind: Kind | undefined;
  /** Settles when the threads that were needed before are stopped. */
  #stopped: Promise<void> = Promise.resolve();
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(game: Game, folder: string, options: Omit<CrewOptions, "savesAll">) {
    this.#game = game;
    this.#folder = folder;
    this.#options = options;
  }

  /**
   * Does a task as soon as a thread is idle, and those of the other kind are done.
   *
   * @throws the error that ended a thread; the threads are then unusable
   */
  async do(work: TaskWork): Promise<TaskOutcome> {
    const kind = "check" in work ? "checks" : "visits";
    while (this.#kind !== kind && this.#underWay.size > 0) {
      await Promise.allSettled(this.#underWay);
    }
    if (this.#kind !== kind) this.#stop();
    this.#kind = kind;
    const doing = this.#stopped.then(() => this.#attempt(work));
    this.#underWay.add(doing);
    try {
      return await doing;
    } finally {
      this.#underWay.delete(doing);
    }
  }

  async #attempt(work: TaskWork): Promise<TaskOutcome> {
    if (this.#isClosed) throw new Error("the threads are stopped");
    if ("check" in work) return { check: await this.#check(work.check) };
    this.#visits ??= new VisitCrew(this.#game, this.#folder, { ...this.#options, savesAll: true });
    const crew = this.#visits;
    if ("visit" in work) {
      const [outcome] = await crew.visit([work.visit]);
      return { visit: outcome as VisitOutcome };
    }
    return { remainder: await workOff(this.#game.shape, work.remainder, crew) };
  }

  async #check(request: CheckRequest): Promise<CheckVerdict> {
    this.#checks ??= new CheckCrew({
      ...{ game: this.#game, folder: this.#folder, asked: [], threads: this.#options.threads },
      ...{ signal: undefined, onChecked: () => undefined },
    });
    const [reply] = await this.#checks.check([request]);
    return verdictOf(reply as NonNullable<typeof reply>);
  }

  #stop(): void {
    const before = this.#stopped;
    const crews = [this.#visits, this.#checks].map((crew) => crew?.[Symbol.asyncDispose]());
    this.#visits = undefined;
    this.#checks = undefined;
    this.#stopped = Promise.all([before, ...crews]).then(() => undefined);
  }

  /** Stops the threads, whatever they are doing. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#stopped;
  }
}
