import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  canonical,
  type Game,
  isExact,
  packBoard,
  parseBoard,
  placements,
  slides,
  starts as startsOf,
} from "@gridlock/game";
import { createTable, Kernel } from "@gridlock/kernel";
import { defaultMemory, type StartBound } from "@gridlock/solver";
import { Oracle, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { naiveCertificate, type Reaches } from "./naive-prover.js";
import { checked, claimsOf, prove } from "./proving.js";
import { freshDatabase, gameOf, solveWith } from "./setup.js";

async function solvedStartsOf(game: Game): Promise<StartBound[]> {
  const { starts } = await solveWith(game, freshDatabase());
  if (!starts.every(({ bound }) => isExact(bound))) throw new Error("not solved");
  return starts;
}

/** Answers by plain minimax. */
function byOracle(game: Game): Reaches {
  const oracle = new Oracle(game).valueAll();
  return (board, turn, threshold) =>
    (turn === "slider" ? oracle.position(board) : oracle.afterstate(board)) >= threshold;
}

/** Answers by a kernel with a table of its own. */
function byKernel(game: Game): Reaches {
  const kernel = new Kernel(createTable(game, defaultMemory(game, 1, 2 ** 32), 1), 0);
  return (board, turn, threshold) => {
    const bound = kernel.ask({ board: packBoard(canonical(board)), turn }, threshold);
    return (bound?.lo ?? 0) >= threshold;
  };
}

function certificate(): string {
  return join(temporaryFolder(), "test.certificate");
}

/** Saves the state after each tile sum. */
const ALWAYS = { leastMs: 0, leastPart: 0 };

describe("a certificate", () => {
  it.each([
    ["1x5", [2, 4], 1, byOracle],
    ["2x2", [2, 4], 1, byOracle],
    ["2x2", [2], 2, byOracle],
    ["2x3", [2, 4], 2, byOracle],
    ["2x3", [2], 1, byOracle],
    ["2x4", [2, 4], 3, byKernel],
  ] as const)(
    "of %s with tiles %j by %i threads has the claims of the naive prover, which hold",
    async (shape, tiles, workers, truth) => {
      const game = gameOf(shape, tiles);
      const starts = await solvedStartsOf(game);
      const file = certificate();
      await prove(game, starts, file, { workers });
      const naive = naiveCertificate(game, starts, truth(game));
      expect(claimsOf(file)).toEqual(naive);
      const report = await checked(file);
      expect(report).toMatchObject({ claims: naive.size, failures: [], complete: true });
      expect(report.starts.map(({ value }) => value)).toEqual(starts.map(({ bound }) => bound.lo));
    },
  );

  it.each([
    ["2x3", 24, byOracle],
    ["2x4", 60, byKernel],
    ["3x3", 40, byKernel],
  ] as const)(
    "of the lower bounds of %s at %i points has the lower claims of the naive prover, which hold",
    async (shape, lo, truth) => {
      const game = gameOf(shape);
      const bound = { lo, hi: Number.POSITIVE_INFINITY };
      const starts = startsOf(game.shape).map((board) => ({ board, bound }));
      const file = certificate();
      await prove(game, starts, file, { workers: 2 });
      const naive = naiveCertificate(game, starts, truth(game));
      expect(claimsOf(file)).toEqual(naive);
      const report = await checked(file);
      expect(report).toMatchObject({ claims: naive.size, upper: 0, failures: [] });
      expect(report).toMatchObject({ complete: false, lowerBound: lo });
    },
  );

  it("is the same by any number of threads, from a full table, and after interruptions", async () => {
    const game = gameOf("2x4");
    const starts = await solvedStartsOf(game);
    const file = certificate();
    await prove(game, starts, file, { workers: 3 });
    const expected = readFileSync(file);
    const sums: number[] = [];
    await prove(game, starts, file, {
      prepare: ({ kernel }) => {
        for (const { board, bound } of starts) {
          kernel.ask({ board: packBoard(board), turn: "slider" }, bound.lo);
          kernel.ask({ board: packBoard(board), turn: "slider" }, bound.lo + 4);
        }
      },
      onSum: (tileSum) => sums.push(tileSum),
    });
    expect(readFileSync(file)).toEqual(expected);
    for (const last of new Set(sums.filter((sum) => sum % 8 === 0))) {
      const controller = new AbortController();
      const onSum = (sum: number) => sum >= last && controller.abort(new Error("enough"));
      const how = { signal: controller.signal, saving: ALWAYS, onSum };
      await expect(prove(game, starts, file, how)).rejects.toThrow("enough");
      expect(existsSync(`${file}.state`)).toBe(last > Math.min(...sums));
    }
    writeFileSync(`${file}.part`, "something after the claims that were saved", { flag: "a" });
    const first: number[] = [];
    await prove(game, starts, file, { onSum: (sum) => first.push(sum) });
    expect(first[0]).toBeGreaterThan(Math.min(...sums));
    expect(readFileSync(file)).toEqual(expected);
    expect(existsSync(`${file}.state`)).toBe(false);
  });

  it("is begun again if what was saved of it is not all there", async () => {
    const game = gameOf("2x3");
    const starts = await solvedStartsOf(game);
    const file = certificate();
    await prove(game, starts, file);
    const expected = readFileSync(file);
    for (const ending of ["part", "state"]) {
      const controller = new AbortController();
      const onSum = (sum: number) => sum >= 20 && controller.abort(new Error("enough"));
      const how = { signal: controller.signal, saving: ALWAYS, onSum };
      await expect(prove(game, starts, file, how)).rejects.toThrow("enough");
      truncateSync(`${file}.${ending}`, 30);
      await prove(game, starts, file);
      expect(readFileSync(file)).toEqual(expected);
    }
  });

  it("holds, too, if memory has no room for the demands", { tags: ["long"] }, async () => {
    const game = gameOf("2x5");
    const starts = await solvedStartsOf(game);
    const [roomy, narrow] = [certificate(), certificate()];
    await prove(game, starts, roomy, { workers: 2 });
    const how = { workers: 2, demands: 0, saving: ALWAYS };
    for (const [last, demands] of [
      [70, 0],
      [80, undefined],
    ] as const) {
      const controller = new AbortController();
      const onSum = (sum: number) => sum >= last && controller.abort(new Error("enough"));
      const part = { ...how, demands, onSum, signal: controller.signal };
      await expect(prove(game, starts, narrow, part)).rejects.toThrow("enough");
    }
    await prove(game, starts, narrow, how);
    expect(existsSync(`${narrow}.demands-0`)).toBe(false);
    const [all, some] = [await checked(roomy), await checked(narrow)];
    expect(all.complete && some.complete).toBe(true);
    expect(some.claims).toBeGreaterThan(all.claims);
  });

  it("of a false value cannot be made", async () => {
    const game = gameOf("2x3");
    const { board } = parseBoard("2 2 0/0 0 0");
    const file = certificate();
    for (const value of [40, 48]) {
      await expect(prove(game, [{ board, bound: { lo: value, hi: value } }], file)).rejects.toThrow(
        /cannot prove h (≥ 48|≤ 40) of 2 2 0\/0 0 0/,
      );
    }
    const low = { lo: 48, hi: Number.POSITIVE_INFINITY };
    await expect(prove(game, [{ board, bound: low }], file)).rejects.toThrow("cannot prove h ≥ 48");
    await prove(game, [{ board, bound: { lo: 44, hi: 44 } }], file);
    expect(claimsOf(file).get(packBoard(board))).toEqual({ lo: 44, hi: 44 });
  });

  it("is not made if false bounds in the table play a part", async () => {
    const game = gameOf("2x3");
    const [start] = await solvedStartsOf(game);
    const { board, bound } = start as StartBound;
    const value = bound.lo;
    const oracle = new Oracle(game).valueAll();
    const file = certificate();
    // Of each slide, that it earns less than the value; and of each reply to it, that it is worth
    // more.
    const lies = [
      slides(board).map(({ board: after, score }) => {
        return { board: after, turn: "placer", lo: 0, hi: value - score - 4 } as const;
      }),
      slides(board).flatMap(({ board: after }) =>
        placements(after, game.tiles).map(({ board: reply }) => {
          const lo = Math.max(value, oracle.position(reply)) + 4;
          return { board: reply, turn: "slider", lo, hi: Number.POSITIVE_INFINITY } as const;
        }),
      ),
    ];
    for (const [i, sign] of ["≥", "≤"].entries()) {
      const prepare = ({ kernel }: { kernel: Kernel }) => {
        for (const { board, ...lie } of lies[i] as (typeof lies)[number]) {
          kernel.learn({ ...lie, board: packBoard(canonical(board)), effort: 60 });
        }
      };
      await expect(prove(game, [{ board, bound }], file, { prepare })).rejects.toThrow(
        `cannot prove h ${sign} ${value} of`,
      );
      expect(existsSync(file)).toBe(false);
    }
  });
});
