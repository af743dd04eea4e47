/*
 * Holds what was found in different ways against each other: the values of a tabulation; what the kernel proves of the
 * same positions, of all or of a sample; the static lower bounds of all afterstates, the kernel's and the sound form of
 * the paper's LBHSV; and the bounds that a solve has left in the database. Exit 1 if any two disagree. Counts besides
 * on how many afterstates LBHSV as printed, which is no lower bound, claims too much.
 *
 *     npm run cross-check -- 2x2 2x3 2x4
 *     npm run cross-check -- 3x3 --sample 1000000 --db results/gridlock.db
 *
 * Tabulates and solves what the database does not have yet; without --db all is made in a folder that is removed. The
 * afterstates of 3×3 take some minutes.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { afterstatesOf, Grid, KeyIndex, valueAfterstates } from "@gridlock/enumeration";
import { formatBoard, packBoard, parseShape, seededRandom, unpackBoard } from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { Lbhsv } from "@gridlock/paper";
import { formatCount } from "@gridlock/report";
import { Database } from "@gridlock/store";
import { columnFileOf, Tabulation, valueOfNode } from "@gridlock/tablebase";

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

/** The canonical afterstates of a tabulated game, each once, as codes of a grid, with their values by its positions'. */
function* valuedAfterstates(tabulation, grid) {
  const above = new Map();
  for (const layer of tabulation.layers.toReversed()) {
    const index = new KeyIndex(layer.positions);
    const values = new Int32Array(layer.positions);
    for (let number = 0; number < layer.positions; number++) {
      index.add(grid.encode(tabulation.board({ layer, number })));
      values[number] = tabulation.value("minimax", { layer, number });
    }
    const afterstates = afterstatesOf(grid, index.keys());
    const targets = tabulation.game.tiles.map((tile) => above.get(layer.sum + tile));
    const worths = valueAfterstates(grid, afterstates, targets, "adversary");
    for (const [i, code] of afterstates.entries()) yield { code, value: worths[i] };
    above.set(layer.sum, { index, values });
    above.delete(layer.sum + 4);
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
  const sound = new Tally("sound LBHSV");
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
  }

  const grid = new Grid(game.shape);
  const soundForm = new Lbhsv(grid, "sound");
  const printedForm = new Lbhsv(grid, "printed");
  const printed = { exceeds: 0, mostExcess: 0 };
  for (const { code, value } of valuedAfterstates(tabulation, grid)) {
    const board = grid.decode(code);
    const hold = (tally, claimed) =>
      tally.check(
        claimed <= value,
        () => `${formatBoard(board, "placer")}: ${value}, not ${claimed}`,
      );
    hold(earned, kernel.surelyEarned(packBoard(board)));
    hold(sound, soundForm.hSearch(code));
    const excess = printedForm.hSearch(code) - value;
    if (excess > 0) printed.exceeds++;
    printed.mostExcess = Math.max(printed.mostExcess, excess);
  }
  const { afterstates } = tabulation.counts();
  if (sound.checked !== afterstates) {
    throw new Error(`${name} has ${afterstates} afterstates, of which ${sound.checked} were met`);
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
  return { tallies: [proven, earned, sound, stored], printed };
}

try {
  for (const name of positionals.length > 0 ? positionals : ["2x2", "2x3", "2x4"]) {
    const began = performance.now();
    const { tallies, printed } = crossCheck(name);
    const counts = tallies.map(
      ({ what, checked, wrong }) => `${what} ${formatCount(checked)} (${wrong} wrong)`,
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${name}: ${counts.join(", ")}; ${seconds} s`);
    console.log(
      `${name}: LBHSV as printed claims too much on ${formatCount(printed.exceeds)} afterstates, by ${printed.mostExcess} points at most`,
    );
    if (tallies.some(({ wrong }) => wrong > 0)) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
