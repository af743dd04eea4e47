import { packBoard, parseShape } from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { enumerate, valueLayers } from "@gridlock/lab";
import { describe, expect, it } from "vitest";

/**
 * Compares threshold search from above with sweeps from below: they share nothing but the rules.
 */
describe.each([
  ["2x2", [2, 4], 1, []],
  ["2x2", [2], 1, []],
  ["2x3", [2, 4], 1, []],
  ["2x3", [2], 1, []],
  ["2x4", [2, 4], 999, ["long"]],
  ["2x4", [2], 97, []],
] as const)("the kernel on %s with tiles %j, one of %i boards", (name, tiles, every, tags) => {
  it("has the values of retrograde analysis", { timeout: 120_000, tags: [...tags] }, () => {
    const game = { shape: parseShape(name), tiles };
    const { least, most } = tableLimits(game, 1);
    const kernel = new Kernel(createTable(game, Math.max(least, Math.min(most, 2 ** 25)), 1), 0);
    const layers = enumerate(game);
    const { grid } = layers;
    let asked = 0;
    const wrong: unknown[] = []; // an expectation for each would take longer than the searches
    const check = (turn: "slider" | "placer", code: number, value: number) => {
      if (asked++ % every !== 0) return;
      const node = { turn, board: packBoard(grid.decode(code)) };
      const lo = value > 0 ? kernel.ask(node, value)?.lo : value;
      const hi = value + 4 <= kernel.highestThreshold ? kernel.ask(node, value + 4)?.hi : value;
      if (lo !== value || hi !== value) wrong.push({ ...node, value, lo, hi });
    };
    valueLayers(layers, { end: () => 0, scored: true, placer: "adversary" }, (layer) => {
      layer.positions.forEach((code, i) => {
        check("slider", code, layer.positionValues[i] as number);
      });
      layer.afterstates.forEach((code, i) => {
        check("placer", code, layer.afterstateValues[i] as number);
      });
    });
    expect(asked).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
