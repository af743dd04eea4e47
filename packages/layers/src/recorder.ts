import { closeSync, openSync, writeSync } from "node:fs";
import { formatShape, type Game, normalShape, type Shape } from "@gridlock/game";
import { STARTS } from "./blocks.js";
import type { BlockVersion, VisitPort } from "./crew.js";
import { layersBuild } from "./module.js";
import { headOf, type RecordedVisit, visitName } from "./record.js";
import { follow, outcomesOf } from "./remainder.js";
import { threadSeconds } from "./thread-clock.js";
import type { Remainder, StepOutcome, Visit, VisitOutcome, VisitResult } from "./visits.js";

/** Decimals of seconds in a record. */
const DECIMALS = 6;

/** Passes visits on to another port, and writes a record of them to a file. */
export class VisitRecorder implements VisitPort, Disposable {
  readonly #port: VisitPort;
  readonly #fd: number;
  /** The coordinator's processor seconds since the last step, without those since `#since`. */
  #coordinator = 0;
  #since = threadSeconds();
  readonly #shape: Shape;
  /** True if the next step belongs to a remainder. */
  #isRemainder = false;

  /**
   * Begins a record; a file of this name is replaced.
   *
   * @throws the system's error if the file cannot be written
   */
  constructor(port: VisitPort, file: string, game: Game, guess: number | undefined) {
    this.#port = port;
    this.#fd = openSync(file, "w");
    this.#shape = normalShape(game.shape);
    const named = { shape: formatShape(this.#shape), tiles: game.tiles.join(",") };
    this.#write([headOf(named, guess, layersBuild(game.shape))]);
  }

  async visit(visits: readonly Visit[]): Promise<readonly VisitOutcome[]> {
    const coordinator = this.#stop();
    const outcomes = await this.#port.visit(visits);
    this.#writeStep(coordinator, visits, outcomes);
    this.#isRemainder = false;
    this.#since = threadSeconds();
    return outcomes;
  }

  async workOff(remainder: Remainder): Promise<readonly StepOutcome[] | undefined> {
    const coordinator = this.#stop();
    const steps = await this.#port.workOff(remainder);
    this.#isRemainder = true;
    if (steps !== undefined) {
      const left = steps.values();
      let before = coordinator;
      await follow(this.#shape, remainder, async (visits) => {
        const outcomes = outcomesOf(left.next().value);
        this.#writeStep(before, visits, outcomes);
        before = 0;
        return outcomes;
      });
      this.#isRemainder = false;
    }
    this.#since = threadSeconds();
    return steps;
  }

  #writeStep(
    coordinator: number,
    visits: readonly Visit[],
    outcomes: readonly VisitOutcome[],
  ): void {
    const lines = visits.flatMap((visit, i) => {
      const result = outcomes[i] as VisitOutcome;
      return "damaged" in result ? [] : [lineOf(visit, result)];
    });
    const isRemainder = this.#isRemainder;
    this.#write([{ coordinator, ...(isRemainder && { isRemainder }) }, ...lines]);
    this.#coordinator = 0;
  }

  async save(blocks: readonly BlockVersion[]): Promise<void> {
    this.#stop();
    await this.#port.save(blocks);
    this.#since = threadSeconds();
  }

  awaitFolder(): Promise<boolean> {
    return this.#port.awaitFolder();
  }

  /** Returns the coordinator's seconds since the last step. */
  #stop(): number {
    this.#coordinator += threadSeconds() - this.#since;
    return rounded(this.#coordinator);
  }

  #write(lines: readonly object[]): void {
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
  }

  /** Ends the record. */
  [Symbol.dispose](): void {
    try {
      this.#write([{ end: this.#stop() }]);
    } finally {
      closeSync(this.#fd);
    }
  }
}

function lineOf(visit: Visit, { cost, letters }: VisitResult): RecordedVisit {
  const { block, step, last = null } = visit;
  const { loading, working, saving } = cost;
  return {
    ...{ block, step, last },
    from: visit.letters.map((file) => visitName(senderOf(file))),
    answers: letters.some(({ to }) => to === STARTS),
    ...cost,
    ...{ loading: rounded(loading), working: rounded(working), saving: rounded(saving) },
  };
}

/** Returns the visit that wrote a file of letters. */
function senderOf(file: string): Pick<Visit, "block" | "step"> {
  const [block, step] = file.split(".") as [string, string];
  return { block, step: Number(step) };
}

function rounded(seconds: number): number {
  return Number(seconds.toFixed(DECIMALS));
}
