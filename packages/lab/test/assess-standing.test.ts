import { parseShape } from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { assessStanding } from "../src/commands/assess-standing.js";
import type { AssessProgress } from "../src/exact/reach.js";

describe("the standing of an assessment", () => {
  const game = { shape: parseShape("3x3"), tiles: [2, 4] } as const; // 1,021 layers
  const found = { doing: "finding", sum: 1022, positions: 9e6, positionsInAll: undefined } as const;
  const valued = { doing: "valuing", sum: 1022, positions: 6e6, positionsInAll: 24e6 } as const;

  it("grows from layer to layer, with an estimate of the part that is done", () => {
    const standing = (latest?: AssessProgress) => assessStanding(game, true, latest);
    expect(standing().part).toBeUndefined();
    expect(standing(found)).toMatchObject({ done: 510, total: 2042 });
    expect(standing(found).part).toBeCloseTo(0.35, 2);
    expect(standing(valued)).toMatchObject({ done: 1532, total: 2042 });
    expect(standing(valued).part).toBeCloseTo(0.775, 2);
    expect(standing(valued).text).toEqual(["valuing", "6.0 M positions", "tile sum 1022"]);
    const last = standing({ ...valued, sum: 4, positions: 24e6 });
    expect(last).toMatchObject({ done: 2041, total: 2042, part: 1 });
  });

  it("of slides begins at 0, since no positions are to be found", () => {
    const standing = (latest: AssessProgress) => assessStanding(game, false, latest);
    const first = standing({ ...valued, sum: 2044, positions: 1 });
    expect(first).toMatchObject({ done: 0, total: 1021 });
    expect(standing(valued).part).toBeCloseTo(0.25);
  });
});
