import { Kernel, ThreadMonitor } from "@gridlock/kernel";
import { describe, expect, it } from "vitest";
import { START, tableOf } from "./three.js";

/** Asks whether the start, which is worth 184, is worth a threshold, in a machine's own order. */
function asked(threshold: number, order: number, announced: readonly bigint[] = []) {
  const table = tableOf();
  const kernel = new Kernel(table, 0);
  kernel.announce(announced);
  const bound = kernel.ask(START, threshold, undefined, { together: true, order });
  const { positions, afterstates } = new ThreadMonitor(table).counts();
  return {
    isWorthIt: bound !== undefined && bound.lo >= threshold,
    nodes: positions + afterstates,
  };
}

describe("a machine's own order", () => {
  it.each([1, 2, 7, 2 ** 32 - 1])(
    "number %d changes the nodes searched, not the answer",
    (order) => {
      for (const threshold of [100, 184, 188, 240]) {
        const common = asked(threshold, 0);
        const own = asked(threshold, order);
        expect(own.isWorthIt).toBe(threshold <= 184);
        expect(common.isWorthIt).toBe(threshold <= 184);
        expect(own.nodes).not.toBe(common.nodes);
        expect(own.nodes).toBeLessThan(2 * common.nodes);
      }
    },
  );

  it("repeats to the node", () => {
    expect(asked(188, 3)).toEqual(asked(188, 3));
  });
});

describe("announcements", () => {
  it("of all boards that have been searched change the order, not the answer", () => {
    const keys = searchedKeys();
    expect(keys.length).toBeGreaterThan(5);
    const announced = asked(188, 0, keys);
    expect(announced.isWorthIt).toBe(false);
    expect(announced.nodes).not.toBe(asked(188, 0).nodes);
  });

  it("can be withdrawn", () => {
    const keys = searchedKeys();
    const again = tableOf();
    const other = new Kernel(again, 0);
    other.announce(keys);
    other.withdraw(keys);
    other.ask(START, 188, undefined, { together: true });
    const { positions, afterstates } = new ThreadMonitor(again).counts();
    expect(positions + afterstates).toBe(asked(188, 0).nodes);
  });
});

/** Returns the keys (`assembly/keys.ts`) of the boards on which a search spends most. */
function searchedKeys(): bigint[] {
  const kernel = new Kernel(tableOf(), 0);
  kernel.ask(START, 188);
  const entries = [...kernel.records.entries(20)].flat();
  return entries.map(({ turn, board }) => (BigInt(board) << 1n) | (turn === "placer" ? 1n : 0n));
}
