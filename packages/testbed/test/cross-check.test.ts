/*
 * Compares the values of a tabulation with results of other origin: the kernel's answers for the
 * same positions, or for about a million of them; its static lower bounds of the afterstates of
 * their slides; and the bounds that a solve stored in the database. The counts of the tabulation
 * must be those in results/positions/. With further shapes:
 *
 *     CROSS_CHECK=2x4,3x3 npx vitest run packages/testbed/test/cross-check.test.ts
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  canonical,
  formatBoard,
  type Game,
  packBoard,
  parseShape,
  slides,
  unpackBoard,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { Database } from "@gridlock/store";
import { Tabulation, valueOfNode } from "@gridlock/tablebase";
import { choicesOf, json, positionsIn, temporaryFolder } from "@gridlock/testbed";
import { expect, it } from "vitest";

const { CROSS_CHECK = "" } = process.env;
const SHAPES = ["2x2", "2x3", ...CROSS_CHECK.split(",").filter((shape) => shape !== "")];
const SAMPLE = 1_000_000;
const TABLE_BYTES = 2 ** 29;
const CACHE_BYTES = 2 ** 30;
const PATIENCE_MS = 3_600_000;

it.each(SHAPES)(
  "the values of %s are those of the kernel, of its bounds and of a solve",
  {
    tags: ["long"],
    timeout: PATIENCE_MS,
  },
  async (shape) => {
    const folder = temporaryFolder();
    const db = join(folder, "check.db");
    for (const command of ["tabulate", "solve"]) {
      await json(folder, [command, shape, "--quiet", "--json", "--db", db]);
    }
    const game: Game = { shape: parseShape(shape), tiles: [2, 4] };
    using tabulation = Tabulation.open(game, ["minimax", "expected"], db, CACHE_BYTES);
    const { least, most } = tableLimits(game, 1);
    const bytes = Math.max(least, Math.min(most, TABLE_BYTES));
    const kernel = new Kernel(createTable(game, bytes, 1), 0);
    const part = SAMPLE / tabulation.positions.count;
    const { random } = choicesOf(shape);
    const wrong: string[] = [];
    for (const board of positionsIn(tabulation, () => random() < part)) {
      const value = tabulation.value("minimax", board);
      const node = { turn: "slider", board: packBoard(board) } as const;
      const lo = value === 0 ? 0 : kernel.ask(node, value)?.lo;
      const hi = value + 4 > kernel.highestThreshold ? value : kernel.ask(node, value + 4)?.hi;
      if (lo !== value || hi !== value) {
        wrong.push(`${formatBoard(board)}: ${value}, by the kernel ${lo} … ${hi}`);
      }
      for (const slide of slides(board)) {
        const after = canonical(slide.board);
        const worth = valueOfNode(tabulation, "minimax", { board: after, turn: "placer" }) ?? 0;
        const claimed = kernel.surelyEarned(packBoard(after));
        if (claimed > worth)
          wrong.push(`${formatBoard(after, "placer")}: ${worth}, not ${claimed}`);
      }
    }
    using database = Database.open(db, { readOnly: true });
    for (const { turn, board: packed, lo, hi } of database.bounds(game).all()) {
      const board = unpackBoard(game.shape, packed);
      const value = valueOfNode(tabulation, "minimax", { board, turn });
      // A board may have been asked about, but not be reached by play.
      if (value === undefined || (lo <= value && value <= hi)) continue;
      wrong.push(`${formatBoard(board, turn)}: ${value}, in the database ${lo} … ${hi}`);
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    const { positions, terminal, afterstates } = tabulation.counts();
    const page = new URL(`../../../results/positions/${shape}.md`, import.meta.url);
    if (!existsSync(page)) return;
    const text = readFileSync(page, "utf8").replaceAll(/\s+/g, " ");
    const [all, ends, after] = [positions, terminal, afterstates].map((count) =>
      count.toLocaleString("en-US"),
    );
    expect(text).toContain(`${all} positions, ${ends} of them without a slide`);
    expect(text).toContain(`${after} afterstates`);
  },
);
