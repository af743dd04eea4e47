import { readFileSync } from "node:fs";
import { type Game, packNode, starts } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import {
  LocalPool,
  type LowerBounds,
  type LowerPlan,
  poolThreads,
  type StartBound,
  solve,
} from "@gridlock/solver";
import { Database, MEMORY } from "@gridlock/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gameOf } from "./setup.js";

/** What a run is given: memory for the table, time, and nodes after which it is stopped. */
interface Means {
  readonly memory: number;
  readonly seconds: number | undefined;
  readonly nodes: number;
  readonly threshold?: number | undefined;
  readonly workers?: number;
  /** Entries for which the search believes the table to have room; default: those that it has. */
  readonly entries?: number;
}

/** A pool that stops once it has expanded some nodes. */
class LimitedPool extends LocalPool {
  readonly #timer: NodeJS.Timeout;

  constructor(game: Game, workers: number, memory: number, nodes: number) {
    super(game, { workers, memory });
    this.#timer = setInterval(() => {
      const { positions, afterstates } = this.counts();
      if (positions + afterstates >= nodes) this.stop();
    }, 1);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await super[Symbol.asyncDispose]();
  }
}

async function raise(
  game: Game,
  database: Database,
  { memory, seconds, nodes, threshold, workers = 1, entries: room }: Means,
  onPlan?: (plan: LowerPlan) => void,
): Promise<StartBound[]> {
  await using pool = new LimitedPool(game, workers, memory, nodes);
  // The time that threads take to start is none of the search.
  const [board] = starts(game.shape);
  if (board) await pool.ask({ ...packNode({ board, turn: "slider" }), threshold: 4 }, {});
  const until = seconds === undefined ? undefined : performance.now() + 1000 * seconds;
  const stop = seconds === undefined ? undefined : setTimeout(() => pool.stop(), 1000 * seconds);
  const entries = room ?? 4 * pool.table.buckets;
  const lowerBounds: LowerBounds = { threshold, until, entries, ...(onPlan && { onPlan }) };
  const raised = await solve(game, database, pool, { lowerBounds });
  clearTimeout(stop);
  return raised;
}

function leastMemory(game: Game, workers = 1): number {
  return tableLimits(game, poolThreads(workers)).least;
}

/** The published values of a shape's starts, confirmed by certificates and retrograde analysis. */
function publishedValues(shape: string): number[] {
  const file = new URL(`../../../results/${shape}.json`, import.meta.url);
  const { starts } = JSON.parse(readFileSync(file, "utf8")) as { starts: { value: number }[] };
  return starts.map(({ value }) => value);
}

/** Expects bounds of the values. */
function expectTrue(starts: readonly StartBound[], values: readonly number[]): void {
  expect(starts).toHaveLength(values.length);
  for (const [i, { bound }] of starts.entries()) {
    expect(bound.lo).toBeLessThanOrEqual(values[i] as number);
    expect(bound.hi).toBeGreaterThanOrEqual(values[i] as number);
  }
}

/** Random means, with tables and times that are far too small too. */
function anyMeans(game: Game, most: { readonly nodes: number; readonly seconds: number }) {
  return fc.record({
    memory: fc.integer({ min: 0, max: 2 ** 20 }).map((more) => leastMemory(game, 2) + more),
    seconds: fc.option(fc.double({ min: 0.01, max: most.seconds, noNaN: true }), {
      nil: undefined,
    }),
    nodes: fc.integer({ min: 100, max: most.nodes }),
    threshold: fc.option(
      fc.integer({ min: 1, max: 120 }).map((n) => 4 * n),
      { nil: undefined },
    ),
    workers: fc.constantFrom(1, 2),
  });
}

describe("a search for lower bounds", () => {
  it.each(["2x3", "2x4", "3x3"])(
    "never exceeds the values of %s, whatever it is given, and finds all of them in the end",
    async (shape) => {
      const game = gameOf(shape);
      const values = publishedValues(shape);
      const runs = fc.array(anyMeans(game, { nodes: 60_000, seconds: 0.3 }), {
        minLength: 1,
        maxLength: 4,
      });
      await fc.assert(
        fc.asyncProperty(runs, async (means) => {
          using database = Database.open(MEMORY);
          for (const one of means) expectTrue(await raise(game, database, one), values);
          const memory = 2 ** 24 + leastMemory(game);
          const last = { memory, seconds: undefined, nodes: Number.POSITIVE_INFINITY };
          const starts = await raise(game, database, last);
          expect(starts.map(({ bound }) => [bound.lo, bound.hi])).toEqual(
            values.map((h) => [h, h]),
          );
        }),
        { numRuns: 6 },
      );
    },
    60_000,
  );

  const long = { timeout: 900_000, tags: ["long"] };
  it.each(["2x6", "3x4", "2x7"])("never exceeds the values of %s", long, async (shape) => {
    const game = gameOf(shape);
    const values = publishedValues(shape);
    const runs = fc.array(anyMeans(game, { nodes: 30e6, seconds: 20 }), {
      minLength: 3,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(runs, async (means) => {
        using database = Database.open(MEMORY);
        for (const one of means) expectTrue(await raise(game, database, one), values);
      }),
      { numRuns: 6 },
    );
  });

  it("asks small thresholds of one start, then a high one, then the same of all others", async () => {
    using database = Database.open(MEMORY);
    const game = gameOf("2x6");
    const plans: LowerPlan[] = [];
    const means = { memory: 2 ** 28, seconds: 20, nodes: Number.POSITIVE_INFINITY };
    const starts = await raise(game, database, { ...means, nodes: 6e6 }, (plan) =>
      plans.push(plan),
    );
    const small = plans.filter(({ kind }) => kind === "small").map(({ threshold }) => threshold);
    expect(small.length).toBeGreaterThan(3);
    expect(small).toEqual(small.toSorted((a, b) => a - b));
    const [high] = plans.filter(({ kind }) => kind === "high");
    expect(high?.threshold).toBeGreaterThan(small.at(-1) as number);
    expect(high?.nodes).toBeGreaterThan(0);
    expect(high?.seconds).toBeLessThan(20);
    expect(starts.filter(({ bound }) => bound.lo >= (small.at(-1) as number))).not.toEqual([]);
  });

  it("asks a named threshold of all starts, and nothing else", async () => {
    using database = Database.open(MEMORY);
    const game = gameOf("3x3");
    const means = { memory: 2 ** 26, seconds: undefined, nodes: Number.POSITIVE_INFINITY };
    const plans: LowerPlan[] = [];
    const starts = await raise(game, database, { ...means, threshold: 100 }, (plan) =>
      plans.push(plan),
    );
    expect(starts.every(({ bound }) => bound.lo >= 100 && bound.lo < 164)).toBe(true);
    expect(new Set(plans.map(({ threshold }) => threshold))).toEqual(new Set([100]));
    expect(plans.map(({ kind }) => kind).indexOf("other")).toBe(1);
    expect(database.asked(game).all()).toMatchObject([{ threshold: 100, answered: true }]);
    await raise(game, database, { ...means, threshold: 100 }, () => {
      throw new Error("it was asked again");
    });
  });

  it("refutes a named threshold of the starts that are worth less", async () => {
    using database = Database.open(MEMORY);
    const game = gameOf("3x3");
    const means = { memory: 2 ** 26, seconds: undefined, nodes: Number.POSITIVE_INFINITY };
    const starts = await raise(game, database, { ...means, threshold: 184 });
    const values = publishedValues("3x3");
    for (const [i, { bound }] of starts.entries()) {
      const value = values[i] as number;
      expect(bound.lo).toBe(value);
      if (value < 184) expect(bound.hi).toBe(value);
    }
  });

  it("goes on with a question that was stopped, from what it has cost", async () => {
    using database = Database.open(MEMORY);
    const game = gameOf("2x5");
    const asked = database.asked(game);
    const means = { memory: 2 ** 26, seconds: undefined, nodes: Number.POSITIVE_INFINITY };
    for (const threshold of [60, 80, 100]) await raise(game, database, { ...means, threshold });
    await raise(game, database, { ...means, threshold: 180, nodes: 20_000 });
    const begun = asked.all().find((one) => !one.answered);
    expect(begun?.threshold).toBe(180);
    const plans: LowerPlan[] = [];
    await raise(game, database, { ...means, threshold: 180 }, (plan) => plans.push(plan));
    expect(plans[0]).toMatchObject({ threshold: 180, kind: "high", spent: begun?.nodes });
    const answered = asked.all().find(({ threshold }) => threshold === 180);
    expect(answered?.answered).toBe(true);
    expect(answered?.nodes).toBeGreaterThan(begun?.nodes as number);
  });

  it("says what a larger table would reach in the same time", async () => {
    const game = gameOf("3x4");
    const means = { memory: 2 ** 28, seconds: 45, nodes: 1 };
    for (const [entries, isFurther] of [
      [1e4, true],
      [1e9, false],
    ] as const) {
      using database = Database.open(MEMORY);
      for (const threshold of [100, 124, 156, 192]) {
        const nodes = 100 * threshold ** 2;
        database.asked(game).put({ threshold, nodes, seconds: 1, answered: true });
      }
      const plans: LowerPlan[] = [];
      await raise(game, database, { ...means, entries }, (plan) => plans.push(plan));
      const [{ threshold, further } = { threshold: 0, further: undefined }] = plans;
      expect(plans[0]?.kind).toBe("high");
      expect((further?.threshold ?? 0) > threshold).toBe(isFurther);
      if (isFurther) expect(further?.entries).toBeGreaterThan(entries);
    }
  });

  it("puts off a question that takes much longer than expected, for a lower one", async () => {
    using database = Database.open(MEMORY);
    const game = gameOf("3x4");
    const asked = database.asked(game);
    // As if 380 points could be proven with a million nodes; it takes more than twenty.
    for (const threshold of [100, 124, 156, 192]) {
      asked.put({ threshold, nodes: 5 * threshold ** 2, seconds: 0.25, answered: true });
    }
    const plans: LowerPlan[] = [];
    const means = { memory: 2 ** 28, seconds: 6, nodes: Number.POSITIVE_INFINITY };
    const starts = await raise(game, database, means, (plan) => plans.push(plan));
    const [first, second] = plans.filter(({ kind }) => kind === "high");
    expect(first?.threshold).toBeGreaterThan(360);
    expect(second?.threshold).toBeLessThan(first?.threshold as number);
    const putOff = asked.all().find(({ threshold }) => threshold === first?.threshold);
    expect(putOff).toMatchObject({ answered: false });
    expectTrue(starts, publishedValues("3x4"));
  });
});
