import type { Bound } from "@gridlock/game";
import type { Engine } from "./engine.js";
import type { EngineKeeper } from "./engine-keeper.js";
import type { RunMessage, WorkerMessage } from "./messages.js";

/** A running search. */
export interface Task {
  readonly id: string;
  readonly state: Exclude<WorkerMessage["state"], "idle">;
  readonly abort: AbortController;
  /** Settles when the search has stopped. */
  readonly done: Promise<unknown>;
}

/** A search to start. */
export interface Search {
  readonly id: string;
  readonly state: Task["state"];
  readonly run: RunMessage;
  /** Cancels the search. */
  readonly signal?: AbortSignal;
  readonly ask: (engine: Engine, signal: AbortSignal) => Promise<Bound | undefined>;
}

/** An answer, or the reason why there is no answer; neither if the budget was spent. */
export interface Found {
  readonly bound: Bound | undefined;
  readonly reason: string | undefined;
}

/** The searches of a worker, one at a time. */
export class Searcher {
  readonly #engines: EngineKeeper;
  readonly #onFailure: (error: Error) => void;
  #task: Task | undefined;

  /** @param onFailure called when an engine cannot be made, so that no search is possible any more */
  constructor(engines: EngineKeeper, onFailure: (error: Error) => void) {
    this.#engines = engines;
    this.#onFailure = onFailure;
  }

  /** The running search. */
  get task(): Task | undefined {
    return this.#task;
  }

  /** Searches until there is an answer or a reason to stop. */
  async search({ id, state, run, signal, ask }: Search): Promise<Found> {
    const abort = new AbortController();
    const cancel = () => abort.abort("cancelled");
    signal?.addEventListener("abort", cancel, { once: true });
    const done = this.#askEngine(run, (engine) => ask(engine, abort.signal));
    this.#task = { id, state, abort, done };
    try {
      const bound = await done;
      return { bound, reason: abort.signal.aborted ? String(abort.signal.reason) : undefined };
    } catch (error) {
      // A pool with a failed thread is no longer usable.
      await this.#engines.drop(true).catch(() => {});
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (this.#task?.done === done) this.#task = undefined;
    }
  }

  async #askEngine(
    run: RunMessage,
    ask: (engine: Engine) => Promise<Bound | undefined>,
  ): Promise<Bound | undefined> {
    let engine: Engine;
    try {
      engine = await this.#engines.engineFor(run);
    } catch (error) {
      this.#onFailure(error as Error);
      return undefined;
    }
    return await ask(engine);
  }

  /** Stops the running search; its signal is aborted with the reason. */
  end(reason: string): void {
    this.#task?.abort.abort(reason);
  }

  /** Stops the running search, and waits until it has stopped. */
  async rest(reason: string): Promise<void> {
    this.end(reason);
    await this.#task?.done.catch(() => {});
  }
}
