import { Kernel, ThreadMonitor } from "@gridlock/kernel";
import { describe, expect, it } from "vitest";
import { START, tableOf } from "./three.js";

/** Asks whether the start, which is worth 184, is worth a threshold, in a machine's own order. */
function asked(threshold: number, order: number) {
  const table = tableOf();
  const kernel = new Kernel(table, 0);
  const bound = kernel.ask(START, threshold, undefined, { together: true, order });
  const { positions, afterstates } = new ThreadMonitor(table).counts();
  return {
    isWorthIt: bound !== undefined && bound.lo >= threshold,
    nodes: positions + afterstates,
  };
}

describe("a machine's own order", () => {
  it.each([1, 2, 7, 63, 256, 2 ** 32 - 1])(
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
