import { parseShape } from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { AssessStanding } from "../src/commands/assess-standing.js";

describe("the standing of an assessment", () => {
  const game = { shape: parseShape("3x3"), tiles: [2, 4] } as const; // 1,021 layers
  const found = { doing: "finding", sum: 1022, positions: 9e6, positionsInAll: undefined } as const;
  const valued = { doing: "valuing", sum: 1022, positions: 6e6, positionsInAll: 24e6 } as const;

  it("grows from layer to layer, with an estimate of the part that is done", () => {
    const standing = new AssessStanding(game, true);
    expect(standing.look().part).toBeUndefined();
    standing.update(found);
    expect(standing.look()).toMatchObject({ done: 510, total: 2042 });
    expect(standing.look().part).toBeCloseTo(0.35, 2);
    standing.update(valued);
    expect(standing.look()).toMatchObject({ done: 1532, total: 2042 });
    expect(standing.look().part).toBeCloseTo(0.775, 2);
    expect(standing.look().text).toEqual(["valuing", "6.0 M positions", "tile sum 1022"]);
    standing.update({ ...valued, sum: 4, positions: 24e6 });
    expect(standing.look()).toMatchObject({ done: 2041, total: 2042, part: 1 });
  });

  it("of slides begins at 0, since no positions are to be found", () => {
    const standing = new AssessStanding(game, false);
    standing.update({ ...valued, sum: 2044, positions: 1 });
    expect(standing.look()).toMatchObject({ done: 0, total: 1021 });
    standing.update(valued);
    expect(standing.look().part).toBeCloseTo(0.25);
  });
});
