import { type Bound, canonical, type Game, packNode, parseBoard, parseShape } from "@gridlock/game";
import { tableLimits } from "@gridlock/kernel";
import { SIMULATION_DEFAULTS, type SimulationOptions, simulate } from "@gridlock/lab";
import { describe, expect, it } from "vitest";

const GAME: Game = { shape: parseShape("3x3"), tiles: [2, 4] };
const START = canonical(parseBoard("2 2 0/0 0 0/0 0 0").board);
const NODE = packNode({ turn: "slider", board: START });
/** Is the start, whose value is 184, worth 188? */
const BASE: SimulationOptions = {
  ...SIMULATION_DEFAULTS,
  game: GAME,
  question: { ...NODE, threshold: 188 },
  machines: 2,
  memory: tableLimits(GAME, 3).least + (8 << 20),
  every: 512,
  delay: 256,
};

/** Runs a simulation, and checks its answer, which is that of one thread. */
async function run(changes: Partial<SimulationOptions> = {}): ReturnType<typeof simulate> {
  const result = await simulate({ ...BASE, ...changes });
  expect(result.bounds[0]?.hi).toBeLessThan(188);
  return result;
}

const known = new Map<string, ReturnType<typeof simulate>>();
/** Returns the result of a run, which is the same each time. */
function resultOf(changes: Partial<SimulationOptions> = {}): ReturnType<typeof simulate> {
  const key = JSON.stringify(changes);
  const result = known.get(key) ?? run(changes);
  known.set(key, result);
  return result;
}

/** A start of 2×3, worth 44, and options with which machines share during so short a search. */
const SMALL_GAME: Game = { shape: parseShape("2x3"), tiles: [2, 4] };
const SMALL_NODE = packNode({
  turn: "slider",
  board: canonical(parseBoard("2 2 0/0 0 0").board),
});
const SMALL: SimulationOptions = {
  ...BASE,
  game: SMALL_GAME,
  question: { ...SMALL_NODE, threshold: 48 },
  memory: tableLimits(SMALL_GAME, 3).least + (8 << 20),
  every: 32,
  delay: 16,
};

/** Checks the answers on whether a start is worth its value, and worth the next score. */
async function expectAnswers(base: SimulationOptions, value: number): Promise<void> {
  for (const threshold of [value, value + 4]) {
    const { bounds, traffic } = await simulate({
      ...base,
      question: { ...(base.question ?? NODE), threshold },
    });
    expect((bounds[0] as Bound).lo >= threshold).toBe(threshold === value);
    if (base.machines > 1 && threshold > value) expect(traffic.bounds).toBeGreaterThan(0);
  }
}
/** Machines that may not send all bounds. */
const LIMITED = { machines: 3, delay: 0, rate: 2 };
const none = { bounds: 0, bytesOut: 0, bytesIn: 0, held: 0 };

const WAYS: Partial<SimulationOptions>[] = [
  {},
  { machines: 1, threads: 2 },
  { threads: 2 },
  { machines: 4, delay: 0 },
  { rate: 1 },
  { effort: 8 },
];

describe("a simulation", () => {
  it.each([{}, { threads: 2 }, LIMITED])("repeats to the digit: %o", async (changes) => {
    expect(await run(changes)).toEqual(await resultOf(changes));
  });

  it("depends on the seed", async () => {
    expect((await run({ seed: 2 })).time).not.toBe((await resultOf()).time);
  });

  const answers = "has the answers of one thread: %o";
  it.each(WAYS)(answers, (changes) => expectAnswers({ ...SMALL, ...changes }, 44));
  it.each(WAYS)(`${answers}, on 3×3`, { tags: ["long"] }, (changes) =>
    expectAnswers({ ...BASE, ...changes }, 184),
  );

  it("of one thread counts its nodes, and sends nothing", async () => {
    const { time, nodes, traffic } = await resultOf({ machines: 1 });
    expect(time).toBe(nodes);
    expect(traffic).toEqual(none);
  });

  it("is faster with more machines, and with a shorter delay", async () => {
    const alone = await resultOf({ machines: 1 });
    const two = await resultOf();
    const four = await run({ machines: 4 });
    expect(two.time).toBeLessThan(0.75 * alone.time);
    expect(four.time).toBeLessThan(0.75 * two.time);
    expect(two.missed).toBe(0);
    expect((await run({ delay: 8192 })).time).toBeGreaterThan(1.1 * two.time);
  });

  it("with more threads is faster, without a network", async () => {
    const alone = await resultOf({ machines: 1 });
    const two = await run({ machines: 1, threads: 2 });
    expect(two.time).toBeLessThan(0.6 * alone.time);
    expect(two.traffic).toEqual(none);
  });

  it("counts what reaches each machine", async () => {
    const { traffic } = await run({ machines: 3, delay: 0 });
    expect(traffic.bytesIn).toBe(2 * traffic.bytesOut);
  });

  it("keeps to a rate, and passes on the dearest bounds", async () => {
    const free = await resultOf();
    const limited = await run({ rate: 2 });
    expect(free.traffic.held).toBe(0);
    expect(limited.traffic.held).toBeGreaterThan(0);
    // Packed records are smaller than the allowance takes them to be.
    expect(limited.traffic.bytesOut).toBeLessThan(2 * 2 * limited.time);
    expect(limited.traffic.bytesOut).toBeGreaterThan(0.5 * 2 * 2 * limited.time);
    expect(limited.time).toBeGreaterThan(free.time);
  });

  it("takes time for each bound that is sent or taken in", async () => {
    const costs = { intake: 0, pack: 0 };
    const free = await run(costs);
    expect(free.nodes / free.time).toBeGreaterThan(1.95);
    for (const cost of ["intake", "pack"] as const) {
      const { time, nodes, traffic } = await run({ ...costs, [cost]: 0.5 });
      // Both machines lose half a node for each bound that they take in, or send.
      expect((nodes + 0.5 * traffic.bounds) / time).toBeGreaterThan(1.9);
      expect((nodes + 0.5 * traffic.bounds) / time).toBeLessThan(2.1);
    }
  });

  it("solves all starts, in subtrees, with the values of one thread", async () => {
    const all = { ...SMALL, question: undefined };
    const alone = await simulate({ ...all, machines: 1 });
    expect(alone.bounds).toHaveLength(20);
    expect(alone.bounds.every(({ lo, hi }) => lo === hi)).toBe(true);
    expect(alone).toMatchObject({ subtrees: 0, time: alone.nodes });
    for (const machines of [2, 4]) {
      const together = await simulate({ ...all, machines });
      expect(together.bounds).toEqual(alone.bounds);
      expect(together.subtrees).toBeGreaterThan(0);
      expect(await simulate({ ...all, machines })).toEqual(together);
    }
  });

  it("can be stopped before and while it runs", async () => {
    const reason = new Error("enough");
    await expect(simulate(BASE, AbortSignal.abort(reason))).rejects.toBe(reason);
    const stop = new AbortController();
    const running = simulate({ ...BASE, every: 1, delay: 0 }, stop.signal, () =>
      stop.abort(reason),
    );
    await expect(running).rejects.toBe(reason);
  });

  it.each([
    [{ memory: 1000 }, "a table of 1000 bytes is too small"],
    [{ game: { ...GAME, shape: parseShape("1x13") } }, "there is no kernel for 1x13"],
  ] as const)("rejects tables that cannot be created: %o", async (changes, message) => {
    await expect(run(changes)).rejects.toThrow(message);
  });
});
