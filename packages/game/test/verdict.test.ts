import { type Bound, mergeBounds, verdictsOn } from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const ANY: Bound = { lo: 0, hi: 400 };
const at = (lo: number, hi = lo) => ({ score: 0, bound: { lo, hi } });
const said = (...args: Parameters<typeof verdictsOn>) =>
  verdictsOn(...args).map((each) => (each.verdict === "worse" ? each.by : each.verdict));

describe("verdicts", () => {
  it("follow from the intervals of the moves", () => {
    expect(said("slider", ANY, [at(40), at(36), at(0, 40), at(0, 44)])).toEqual([
      ...["open", 4, "as good", "open"],
    ]);
    expect(said("slider", ANY, [at(40), at(0, 20), at(40)])).toEqual(["best", 20, "best"]);
    expect(
      said("placer", { lo: 0, hi: 180_228 }, [at(448), at(448, 180_224), at(452, 460), at(500)]),
    ).toEqual([...["best", "as good", 4, 52]]);
    expect(said("slider", ANY, [{ score: 8, bound: { lo: 0, hi: 0 } }, at(4)])).toEqual([
      "best",
      4,
    ]);
  });

  it("call a move best that all others are proven not to beat, whatever it is worth itself", () => {
    expect(said("slider", ANY, [at(40, 80), at(0, 40)])).toEqual(["best", "as good"]);
    expect(said("placer", ANY, [at(0, 400)])).toEqual(["best"]);
  });

  it("follow from the board's own bound, too", () => {
    expect(said("slider", { lo: 40, hi: 40 }, [at(0, 36), at(40, 80), at(0, 90)])).toEqual([
      ...[4, "best", "open"],
    ]);
  });

  it("leave the first of equal moves open while another one may be better", () => {
    expect(said("slider", ANY, [at(10), at(10), at(0, 20)])).toEqual(["open", "as good", "open"]);
  });

  it("are true of any values within the bounds", () => {
    const points = fc.integer({ min: 0, max: 12 }).map((n) => 4 * n);
    const move = fc.record({ score: points, value: points, below: points, above: points });
    fc.assert(
      fc.property(
        fc.constantFrom("slider" as const, "placer" as const),
        fc.array(move, { minLength: 1, maxLength: 6 }),
        points,
        points,
        (turn, all, below, above) => {
          const worths = all.map(({ score, value }) => score + value);
          const value = (turn === "slider" ? Math.max : Math.min)(...worths);
          const around = mergeBounds(ANY, { lo: value - below, hi: value + above });
          const moves = all.map(({ score, value, below, above }) => ({
            score,
            bound: { lo: value - below, hi: value + above },
          }));
          const verdicts = verdictsOn(turn, around, moves);
          for (const [i, said] of verdicts.entries()) {
            const lost = Math.abs((worths[i] as number) - value);
            if (said.verdict === "best") expect(lost).toBe(0);
            if (said.verdict === "worse") expect(lost).toBeGreaterThanOrEqual(said.by);
            if (said.verdict === "worse") expect(said.by).toBeGreaterThan(0);
          }
          // Those that need not be considered leave one that is best.
          const left = worths.filter((_, i) =>
            ["best", "open"].includes(verdicts[i]?.verdict as string),
          );
          expect(left).toContain(value);
        },
      ),
    );
  });
});
