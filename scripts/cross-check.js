/*
 * Holds what was found in different ways against each other, on every position of a shape or on a sample: the values
 * of a tabulation, what the kernel proves of the same positions, the kernel's static lower bound of the afterstates that
 * follow them, and the bounds that a solve has left in the database. Exit 1 if any two disagree.
 *
 *     npm run cross-check -- 2x2 2x3 2x4
 *     npm run cross-check -- 3x3 --sample 1000000 --db results/gridlock.db
 *
 * Tabulates and solves what the database does not have yet; without --db all is made in a folder that is removed.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  formatBoard,
  packBoard,
  parseShape,
  seededRandom,
  slides,
  unpackBoard,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { columnFileOf, Tabulation, valueOfNode } from "@gridlock/retrograde";
import { Database } from "@gridlock/store";

const BIN = fileURLToPath(new URL("../packages/cli/bin/gridlock.js", import.meta.url));
const TABLE_BYTES = 2 ** 29;
const CACHE_BYTES = 2 ** 30;
/** Disagreements that are told of each kind. */
const TOLD = 5;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    db: { type: "string" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "gridlock-cross-check-"));
const db = flags.db ?? join(folder, "check.db");

class Tally {
  checked = 0;
  wrong = 0;

  constructor(what) {
    this.what = what;
  }

  check(agrees, tell) {
    this.checked++;
    if (agrees) return;
    this.wrong++;
    if (this.wrong <= TOLD) console.error(`${this.what}: ${tell()}`);
  }
}

/** All places of a tabulation, or a sample in the order of the layers. */
function* places({ layers }) {
  const total = layers.reduce((sum, { positions }) => sum + positions, 0);
  const part = flags.sample === undefined ? 1 : Number(flags.sample) / total;
  const random = seededRandom(Number(flags.seed));
  for (const layer of layers) {
    for (let number = 0; number < layer.positions; number++) {
      if (part >= 1 || random() < part) yield { layer, number };
    }
  }
}

function crossCheck(name) {
  const game = { shape: parseShape(name), tiles: [2, 4] };
  for (const command of ["tabulate", "solve"]) {
    execFileSync(process.execPath, [BIN, command, name, "--quiet", "--db", db], {
      stdio: "ignore",
    });
  }
  const tabulation = Tabulation.open(
    game,
    ["minimax"],
    (c) => columnFileOf(db, game, c),
    CACHE_BYTES,
  );
  const { least, most } = tableLimits(game, 1);
  const kernel = new Kernel(createTable(game, Math.max(least, Math.min(most, TABLE_BYTES)), 1), 0);
  const proven = new Tally("kernel");
  const earned = new Tally("static lower bound");
  const stored = new Tally("database");

  for (const place of places(tabulation)) {
    const board = tabulation.board(place);
    const value = tabulation.value("minimax", place);
    const node = { turn: "slider", board: packBoard(board) };
    const lo = value === 0 ? 0 : kernel.ask(node, value)?.lo;
    const { highestThreshold } = kernel;
    const hi = value + 4 > highestThreshold ? value : kernel.ask(node, value + 4)?.hi;
    proven.check(
      lo === value && hi === value,
      () => `${formatBoard(board)}: ${value}, not ${lo} … ${hi}`,
    );
    for (const { board: after } of slides(board)) {
      const claimed = kernel.surelyEarned(kernel.canonical(packBoard(after)));
      if (claimed === 0) continue;
      const worth = valueOfNode(tabulation, "minimax", { board: after, turn: "placer" });
      earned.check(
        claimed <= worth,
        () => `${formatBoard(after, "placer")}: ${worth}, not ${claimed}`,
      );
    }
  }

  const database = Database.open(db, { readOnly: true });
  for (const { turn, board: packed, lo, hi } of database.bounds(game).all()) {
    const board = unpackBoard(game.shape, packed);
    const value = valueOfNode(tabulation, "minimax", { board, turn });
    if (value === undefined) continue; // asked about, but not reached by play
    stored.check(
      lo <= value && value <= hi,
      () => `${formatBoard(board, turn)}: ${value}, not ${lo} … ${hi}`,
    );
  }
  database.close();
  tabulation.close();
  return [proven, earned, stored];
}

try {
  for (const name of positionals.length > 0 ? positionals : ["2x2", "2x3", "2x4"]) {
    const began = performance.now();
    const tallies = crossCheck(name);
    const counts = tallies.map(
      ({ what, checked, wrong }) => `${what} ${checked.toLocaleString("en-US")} (${wrong} wrong)`,
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${name}: ${counts.join(", ")}; ${seconds} s`);
    if (tallies.some(({ wrong }) => wrong > 0)) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
