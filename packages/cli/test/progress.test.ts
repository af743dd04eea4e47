import { parseBoard, parseShape } from "@gridlock/game";
import { estimate, type WarmProgress } from "@gridlock/solver";
import { screenAfter } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fittingFacts, showWork, steady } from "../src/output/display.js";
import { Pace } from "../src/output/pace.js";
import {
  certificateStanding,
  searchStanding,
  tabulationStanding,
  warmingStanding,
} from "../src/output/standings.js";

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
});

describe("the facts of a bar", () => {
  const fact = fc.string({ minLength: 1 });
  const facts = fc.record({
    count: fc.option(fact, { nil: undefined }),
    time: fact,
    first: fc.option(fact, { nil: undefined }),
    others: fc.array(fact),
  });

  it("are left out as a whole where a terminal is narrow: the last, then the time", () => {
    const [count, time, first] = ["0/80 starts", "1 min 12 s", "81 M nodes, 1.1 M/s"];
    const others = ["about 5 min left", "values of 68 to 552"];
    const text = (columns: number) => fittingFacts({ count, time, first, others }, columns);
    expect(text(64)).toBe([count, time, first, others[0]].join(", "));
    expect(text(44)).toBe([count, time, first].join(", "));
    expect(text(43)).toBe([count, first].join(", "));
    fc.assert(
      fc.property(facts, fc.nat(99), (all, columns) => {
        const shown = fittingFacts(all, columns);
        const least = [all.count, all.first].filter((each) => each !== undefined).join(", ");
        if (shown !== (least || all.time)) expect(shown.length).toBeLessThanOrEqual(columns);
        for (const each of [all.count, all.first]) if (each) expect(shown).toContain(each);
      }),
    );
  });

  const GAME = { shape: parseShape("2x5"), tiles: [2] } as const;
  const tabulation = tabulationStanding(GAME, 3);
  tabulation.update({
    doing: "values",
    layers: 2000,
    positions: 1.23e12,
    sum: 4094,
    positionsInAll: 1.9e12,
  });
  const certificate = certificateStanding(GAME);
  certificate.update({ tileSum: 4094, claims: 1.234e9, waiting: 1.234e9, nodes: 1.23e14 });
  const table = { made: 123_456 * 2 ** 20, bytes: 123_456 * 2 ** 20 };
  const snapshot = { loaded: 12_345_678_901, entries: 12_345_678_901 };
  const checked = steady(1_234_567_890, 1_234_567_890);
  const nodes = ["123 T nodes, 123 M/s", "values of 1234 to 2345"];
  const searched = { done: 113, total: 113, text: nodes, left: 9999 };
  const name = "2x7 with 2s only";

  it.each([
    ["solve", name, "starts", searched, /113\/113 starts, .*123 T nodes, 123 M\/s/],
    ["solve", name, "entries", warmingStanding(table), /123,456 MiB, .*making the table/],
    [
      "solve",
      name,
      "entries",
      warmingStanding(snapshot),
      /12 G\/12 G entries, .*loading the snapshot/,
    ],
    ["tabulate", name, "layers", tabulation.look(), /\d,\d{3}\/6,\d{3} layers, .*valuing/],
    [
      "prove",
      `proof of ${name}`,
      "claims",
      certificate.look(),
      /1\.2 G\/2\.5 G claims, .*tile sum 4094/,
    ],
    [
      "prove",
      `proof of ${name}`,
      "claims",
      warmingStanding(snapshot),
      /entries, .*loading the snapshot/,
    ],
    ["verify", name, "claims checked", checked, /1\.2 G\/1\.2 G claims checked/],
  ])(
    "of %s show counts, phases and rates on 80 columns, however large",
    async (_, shown, unit, standing, text) => {
      vi.useFakeTimers();
      const { isTTY, columns } = process.stderr;
      let written = "";
      const write = vi.spyOn(process.stderr, "write").mockImplementation((part) => {
        written += part;
        return true;
      });
      const late = 1000 * (23 * 3600 + 59 * 60);
      const now = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(late);
      onTestFinished(() => {
        now.mockRestore();
        vi.useRealTimers();
        Object.assign(process.stderr, { isTTY, columns });
        write.mockRestore();
      });
      Object.assign(process.stderr, { isTTY: true, columns: 80 });
      const display = showWork(shown, unit, () => standing);
      display.stop();
      vi.useRealTimers();
      const screen = await screenAfter(written.slice(0, written.lastIndexOf("\r")), 200);
      expect(screen).toMatch(text);
      expect(screen.length).toBeLessThan(80);
      expect(written.replaceAll("\r", "").replaceAll("\u001b[K", "")).not.toMatch(/\p{Cc}/u);
    },
  );
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
    using _progress = showWork("2x4", "starts", searchStanding(game, starts, port, 0).look);
    vi.advanceTimersByTime(2000);
    positions = part * estimate(game.shape).nodes;
    vi.advanceTimersByTime(8000);
    expect(written.mock.lastCall?.[0]).toMatch(line);
  });
});

describe("the standing of a certificate", () => {
  it("is loading, then made of claims whose number is expected until the largest layer is past", () => {
    const standing = certificateStanding({ shape: parseShape("2x5"), tiles: [2, 4] });
    expect(standing.look()).toMatchObject({ total: 0 });
    standing.update({ loaded: 10, entries: 30 });
    expect(standing.look()).toMatchObject({ unit: "entries", done: 10, total: 30 });
    expect(standing.look().part).toBeCloseTo(1 / 3);
    // Layers of a certificate of 596,463 claims.
    standing.update({ tileSum: 52, claims: 57_425, waiting: 17_389, nodes: 80_000 });
    expect(standing.look().part).toBeLessThan(0.2);
    standing.update({ tileSum: 80, claims: 366_009, waiting: 50_895, nodes: 80_000 });
    standing.update({ tileSum: 88, claims: 494_728, waiting: 43_872, nodes: 80_000 });
    expect(standing.look().part).toBeLessThan(0.9);
    standing.update({ tileSum: 92, claims: 545_331, waiting: 29_852, nodes: 80_000 });
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
    const standing = tabulationStanding({ shape: parseShape("3x3"), tiles: [2, 4] }, 2);
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
    const standing = tabulationStanding({ shape: parseShape("2x4"), tiles: [2, 4] }, 3);
    standing.update(progress("values", 900, 24e6));
    expect(standing.look().part).toBeCloseTo(0.5);
  });

  it("gives no estimate of a small shape before its positions are known", () => {
    const standing = tabulationStanding({ shape: parseShape("2x4"), tiles: [2, 4] }, 2);
    standing.update(progress("positions", 100, 1000));
    expect(standing.look().part).toBeUndefined();
  });
});
