import { parseBoard, parseShape } from "@gridlock/game";
import { estimate, type WarmProgress } from "@gridlock/solver";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AssessStanding } from "../src/output/assess-standing.js";
import { CertificateStanding } from "../src/output/certificate-standing.js";
import { fittingFacts, showWork } from "../src/output/display.js";
import { formatLeft, Pace } from "../src/output/pace.js";
import { showProgress } from "../src/output/progress.js";
import { TabulationStanding } from "../src/output/tabulation-standing.js";
import { warmingStanding } from "../src/output/warming-standing.js";

describe("an estimate of the time left", () => {
  it("is exact for steady work, wherever an earlier run has stopped", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 100, max: 100_000 }),
        fc.integer({ min: 0, max: 1000 }),
        (begun, seconds, passed) => {
          const [from, later] = [begun / 1000, passed / 1000];
          const pace = new Pace();
          expect(pace.left(from, 0)).toBeUndefined();
          const part = from + (1 - from) * later;
          const left = pace.left(part, 1000 * later * seconds);
          if (left === undefined) expect(part - from < 0.0101 || later * seconds < 2).toBe(true);
          else expect(left).toBeCloseTo((1 - later) * seconds, 3);
        },
      ),
    );
  });

  it.each([
    [3.2, "about 4 s left"],
    [21, "about 30 s left"],
    [61, "about 2 min left"],
    [3500, "about 1 h left"],
    [3 * 3600 + 1, "about 4 h left"],
  ])("of %d s is rounded up to its precision", (seconds, text) => {
    expect(formatLeft(seconds)).toBe(text);
  });
});

describe("the facts of a bar", () => {
  it("are left out as a whole, from the end, where a terminal is narrow", () => {
    const facts = ["0/80 starts", "1 min 12 s", "81 M nodes, 1.1 M/s", "about 5 min left"];
    expect(fittingFacts([...facts, "values of 68 to 552"], 64)).toBe(facts.join(", "));
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), fc.nat(99), (all, n) => {
        const text = fittingFacts(all, n);
        expect(all.map((_, i) => all.slice(0, i + 1).join(", "))).toContain(text);
        if (text !== all[0]) expect(text.length).toBeLessThanOrEqual(n);
      }),
    );
  });
});

describe("the standing of a table", () => {
  it("names its phases, and counts what can be counted", () => {
    const text = (progress?: WarmProgress) => {
      const { done, total, unit, text } = warmingStanding(progress);
      return [done, total, unit, text].flat();
    };
    expect(text()).toEqual([0, 0, undefined, "making the table"]);
    const table = { made: 192 * 2 ** 20, bytes: 4096 * 2 ** 20 + 17 };
    expect(text(table)).toEqual([192, 4096, "MiB", "making the table"]);
    const bounds = [0, 0, undefined, "loading the database", "1,234 bounds"];
    expect(text({ bounds: 1234 })).toEqual(bounds);
    const entries = [256, 1695, "entries", "loading the snapshot"];
    expect(text({ loaded: 256, entries: 1695 })).toEqual(entries);
  });

  it("is named in plain lines where there is no terminal, without a count of nothing", () => {
    vi.useFakeTimers();
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => {
      vi.useRealTimers();
      written.mockRestore();
    });
    let progress: WarmProgress | undefined;
    using _display = showWork("3x4", "entries", () => warmingStanding(progress));
    vi.advanceTimersByTime(2000);
    progress = { made: 2 ** 30, bytes: 2 ** 32 };
    vi.advanceTimersByTime(2000);
    progress = { loaded: 10, entries: 20 }; // half, though the time says nothing of that yet
    vi.advanceTimersByTime(2000);
    expect(written.mock.calls.flat()).toEqual([
      "3x4: 2.00 s, making the table",
      "3x4: 1,024/4,096 MiB, 4.00 s, making the table",
      "3x4: 10/20 entries, 6.00 s, loading the snapshot",
    ]);
  });
});

describe("the progress of a search", () => {
  it.each([
    [0.5, /about \d+ s left/],
    [1.01, /^2x4: 0\/1 starts, 10.0 s, .* nodes, .*\/s, values of 0 to 8$/],
  ])("that has made %d of the expected nodes estimates the rest, if there is any", (part, line) => {
    vi.useFakeTimers();
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => {
      vi.useRealTimers();
      written.mockRestore();
    });
    const game = { shape: parseShape("2x4"), tiles: [2, 4] } as const;
    const starts = [{ board: parseBoard("2 2 0 0/0 0 0 0").board, bound: { lo: 0, hi: 8 } }];
    let positions = 0;
    const port = { counts: () => ({ positions, afterstates: 0 }) };
    using _progress = showProgress(game, starts, port, new AbortController().signal, 0);
    vi.advanceTimersByTime(2000);
    positions = part * estimate(game.shape).nodes;
    vi.advanceTimersByTime(8000);
    expect(written.mock.lastCall?.[0]).toMatch(line);
  });
});

describe("the standing of a certificate", () => {
  it("is loading, then made of claims whose number is expected until the largest layer is past", () => {
    const standing = new CertificateStanding({ shape: parseShape("2x5"), tiles: [2, 4] });
    expect(standing.look()).toMatchObject({ total: 0 });
    standing.update({ loaded: 10, entries: 30 });
    expect(standing.look()).toMatchObject({ unit: "entries", done: 10, total: 30 });
    expect(standing.look().part).toBeCloseTo(1 / 3);
    // Layers of a certificate of 596,463 claims.
    standing.update({ layer: 52, claims: 57_425, waiting: 17_389 });
    expect(standing.look().part).toBeLessThan(0.2);
    standing.update({ layer: 80, claims: 366_009, waiting: 50_895 });
    standing.update({ layer: 88, claims: 494_728, waiting: 43_872 });
    expect(standing.look().part).toBeLessThan(0.9);
    standing.update({ layer: 92, claims: 545_331, waiting: 29_852 });
    expect(standing.look().part).toBeCloseTo(545_331 / 575_183);
  });
});

describe("the standing of a tabulation", () => {
  const progress = (doing: "positions" | "values", layers: number, positions: number) =>
    ({
      doing,
      layers,
      positions,
      sum: 10,
      positionsInAll: doing === "values" ? 48e6 : undefined,
    }) as const;

  it("counts the positions of all sweeps", () => {
    const standing = new TabulationStanding({ shape: parseShape("3x3"), tiles: [2, 4] }, 2);
    expect(standing.look().part).toBeUndefined();
    standing.update(progress("positions", 500, 24e6));
    expect(standing.look().part).toBeCloseTo(0.25, 1);
    standing.update(progress("positions", 1000, 60e6)); // more than expected
    expect(standing.look().part).toBeLessThan(0.5);
    standing.update(progress("values", 10, 12e6));
    expect(standing.look().part).toBeCloseTo(0.625);
    standing.update(progress("values", 1000, 48e6));
    expect(standing.look().part).toBe(1);
  });

  it("of a resumed one begins with the sweep that is not done", () => {
    const standing = new TabulationStanding({ shape: parseShape("2x4"), tiles: [2, 4] }, 3);
    standing.update(progress("values", 900, 24e6));
    expect(standing.look().part).toBeCloseTo(0.5);
  });

  it("gives no estimate of a small shape before its positions are known", () => {
    const standing = new TabulationStanding({ shape: parseShape("2x4"), tiles: [2, 4] }, 2);
    standing.update(progress("positions", 100, 1000));
    expect(standing.look().part).toBeUndefined();
  });
});

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
