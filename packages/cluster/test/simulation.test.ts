import {
  alone,
  DEFAULTS,
  efficiency,
  hardestQuestion,
  type SimulationOptions,
  saysYes,
  simulate,
  simulationMemory,
} from "@gridlock/cluster";
import { canonical, type Game, packBoard, parseBoard, parseShape } from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { describe, expect, it } from "vitest";

function gameOf(shape: string): Game {
  return { shape: parseShape(shape), tiles: [2, 4] };
}

function questionOf(text: string, threshold: number): Question {
  return { turn: "slider", board: packBoard(canonical(parseBoard(text).board)), threshold };
}

const GAME = gameOf("2x5");
/** The answer is yes; some 130,000 nodes by one thread. */
const BASE: SimulationOptions = {
  ...DEFAULTS,
  game: GAME,
  question: questionOf("2 2 0 0 0/0 0 0 0 0", 140),
  machines: 4,
  memory: simulationMemory(GAME, 1),
  announce: 100,
  delay: 256,
  batch: 256,
};
/** A small question, whose answer is no. */
const SMALL: SimulationOptions = {
  ...BASE,
  game: gameOf("2x4"),
  question: questionOf("2 2 0 0/0 0 0 0", 140),
  memory: simulationMemory(gameOf("2x4"), 2),
};

describe("a simulation", () => {
  it("gives the same figures to the digit for the same options", async () => {
    for (const options of [
      SMALL,
      { ...SMALL, threads: 2 },
      { ...SMALL, network: "owner", loss: 0.5 },
      { ...SMALL, method: "job-level", job: 300 },
    ] as const) {
      expect(await simulate(options)).toEqual(await simulate(options));
    }
  });

  it("has other figures with another seed", async () => {
    const lossy = { ...SMALL, loss: 0.5 };
    expect(await simulate(lossy)).not.toEqual(await simulate({ ...lossy, seed: 2 }));
  });

  it("comes to the answer of one thread alone, whatever the options", async () => {
    for (const threshold of [128, 132]) {
      const question = { ...SMALL.question, threshold };
      const single = await simulate(alone({ ...SMALL, question }));
      for (const options of [
        { machines: 1, threads: 2 },
        { machines: 3 },
        { machines: 3, threads: 2 },
        { machines: 8, ties: false },
        { machines: 3, share: 1, announce: 1, delay: 0 },
        { machines: 3, share: undefined, announce: undefined },
        { machines: 3, network: "owner", announce: 5, delay: 0 },
        { machines: 3, method: "job-level", job: 100 },
        { machines: 1, method: "job-level", job: 1000 },
      ] as const) {
        const run = await simulate({ ...SMALL, ...options, question });
        expect(saysYes(run.bound, threshold)).toBe(saysYes(single.bound, threshold));
      }
    }
  });

  it("counts one thread as the kernel does", async () => {
    const { time, nodes, traffic } = await simulate(alone(BASE));
    expect(nodes).toBe(time);
    expect(efficiency({ machines: 1, threads: 1, time }, { time })).toBe(1);
    expect(traffic).toEqual({ bounds: 0, marks: 0, bytesOut: 0, bytesIn: 0, batches: 0, lost: 0 });
  });
});

describe("sharing", () => {
  const OFF = { ...BASE, share: undefined, announce: undefined };

  it("is what makes machines faster: without it they do all work each", async () => {
    const single = await simulate(alone(BASE));
    const off = await simulate(OFF);
    expect(off.nodes / single.nodes).toBeGreaterThan(3.5);
    expect(off.nodes / single.nodes).toBeLessThan(4.5);
    expect(off.traffic.bytesOut).toBe(0);
    const on = await simulate(BASE);
    expect(efficiency(on, single)).toBeGreaterThan(1.15 * efficiency(off, single));
    expect(on.traffic.bounds).toBeGreaterThan(0.1 * on.nodes);
    expect(on.traffic.marks).toBeGreaterThan(0);
    // All batches but the last ones are with the three others when the answer comes.
    const { bytesIn, bytesOut } = on.traffic;
    expect(bytesIn).toBeGreaterThan(2.9 * bytesOut);
    expect(bytesIn).toBeLessThanOrEqual(3 * bytesOut);
    expect(on.missed).toBe(0);
  });

  it("that loses every batch is no sharing", async () => {
    const off = await simulate(OFF);
    // Without reuse: a bound that is passed on has its effort raised, whether it arrives or not.
    const lost = await simulate({ ...BASE, loss: 1, reuse: false });
    expect(lost.time).toBe(off.time);
    expect(lost.nodes).toBe(off.nodes);
    expect(lost.traffic.bytesIn).toBe(0);
    expect(lost.traffic.lost).toBe(3 * lost.traffic.batches);
  });

  it("costs more time the longer the delay", async () => {
    const soon = await simulate(BASE);
    const late = await simulate({ ...BASE, delay: 50_000 });
    expect(late.time).toBeGreaterThan(1.1 * soon.time);
  });

  it("takes the time that it costs to take in what others send", async () => {
    const free = await simulate(BASE);
    const dear = await simulate({ ...BASE, intake: 0.5 });
    expect(dear.time).toBeGreaterThan(1.2 * free.time);
    expect(dear.nodes).toBeLessThan(0.95 * 4 * dear.time);
  });

  it("with owners sends each bound to one machine at most", async () => {
    const { traffic } = await simulate({ ...BASE, network: "owner" });
    expect(traffic.bytesIn).toBeLessThanOrEqual(traffic.bytesOut);
    expect(traffic.bytesIn).toBeGreaterThan(0);
  });
});

describe("threads of one machine", () => {
  it("share one table, which needs no network", async () => {
    const memory = simulationMemory(GAME, 4);
    const single = await simulate(alone({ ...BASE, memory }));
    const run = await simulate({ ...BASE, machines: 1, threads: 4, memory, ties: false });
    expect(efficiency(run, single)).toBeGreaterThan(0.9);
    expect(run.traffic.batches).toBe(0);
  });
});

describe("the hardest question of a game", () => {
  it("is one near the value of the first start, 116", async () => {
    const { threshold } = await hardestQuestion(SMALL.game, SMALL);
    expect(Math.abs(threshold - 116)).toBeLessThanOrEqual(12);
  });
});

describe("options that cannot be", () => {
  it.each([
    [{ machines: 0 }, "machines is 0; expected a whole number from 1 to 1024"],
    [{ share: 0 }, "share is 0; expected a whole number from 1 to"],
    [{ batch: 1000 }, "batch is 1000; expected a multiple of 256"],
    [{ intake: -1 }, "intake is -1; expected a number from 0 to 1000"],
    [{ loss: 1.5 }, "loss is 1.5; expected a number from 0 to 1"],
    [{ memory: 1000 }, "memory is 1000 bytes; expected at least"],
    [{ game: gameOf("1x13") }, "there is no kernel for 1x13"],
  ])("are told: %o", async (options, message) => {
    await expect(simulate({ ...SMALL, ...options })).rejects.toThrow(message);
  });

  it("and one that is stopped ends", async () => {
    await expect(simulate(SMALL, AbortSignal.abort())).rejects.toThrow("aborted");
  });
});
