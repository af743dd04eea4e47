import type { Game } from "@gridlock/game";
import {
  CheckCrew,
  type CheckVerdict,
  type CrewOptions,
  VisitCrew,
  type VisitOutcome,
  verdictOf,
} from "@gridlock/layers";
import type { TaskOutcome, TaskWork } from "./task-messages.js";

/**
 * A thread that does tasks of a proof by layers, one at a time. It has memory for visits or checks,
 * never for both.
 */
export class TaskHand implements AsyncDisposable {
  readonly #game: Game;
  readonly #folder: string;
  readonly #options: Omit<CrewOptions, "threads">;
  #visits: VisitCrew | undefined;
  #checks: CheckCrew | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(game: Game, folder: string, options: Omit<CrewOptions, "threads">) {
    this.#game = game;
    this.#folder = folder;
    this.#options = options;
  }

  /**
   * Does a task after all earlier ones.
   *
   * @throws the error that ended the thread, which is then unusable
   */
  async do(work: TaskWork): Promise<TaskOutcome> {
    const done = this.#last.then(async () =>
      "visit" in work
        ? { visit: await this.#visit(work.visit) }
        : { check: await this.#check(work.check) },
    );
    this.#last = done.catch(() => {}); // reported to the caller
    return await done;
  }

  async #visit(visit: Extract<TaskWork, { visit: unknown }>["visit"]): Promise<VisitOutcome> {
    await this.#checks?.[Symbol.asyncDispose]();
    this.#checks = undefined;
    this.#visits ??= new VisitCrew(this.#game, this.#folder, { ...this.#options, threads: 1 });
    const [outcome] = await this.#visits.visit([visit]);
    return outcome as VisitOutcome;
  }

  async #check(request: Extract<TaskWork, { check: unknown }>["check"]): Promise<CheckVerdict> {
    await this.#visits?.[Symbol.asyncDispose]();
    this.#visits = undefined;
    this.#checks ??= new CheckCrew({
      ...{ game: this.#game, folder: this.#folder, asked: [], threads: 1 },
      ...{ signal: undefined, onChecked: () => undefined },
    });
    const [reply] = await this.#checks.check([request]);
    return verdictOf(reply as NonNullable<typeof reply>);
  }

  /** Stops the thread, whatever it is doing. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#visits?.[Symbol.asyncDispose]();
    await this.#checks?.[Symbol.asyncDispose]();
  }
}
