/*
 * Writes packages/published/src/data.ts, the published values of all starts, from results/. With --check it only
 * compares.
 *
 *     npm run generate -- published
 *
 * The values are those of results/SHAPE.json and results/SHAPE-tiles-2.json and, of games that have no such file, those
 * of tabulations in results/positions/. certificates.json, confirmations.md and the other tabulations confirm them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  boundByRules,
  cellCount,
  formatBoard,
  formatTiles,
  parseBoard,
  parseShape,
  starts,
} from "@gridlock/game";
import { writeOrCheck } from "./files.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DATA = "packages/published/src/data.ts";
const CERTIFICATES = "results/certificates.json";
const CONFIRMATIONS = "results/confirmations.md";
/** Columns of the generated module. */
const WIDTH = 100;

/** Returns a game's words in a command, e.g. `2x3 --tiles 2`, which are its name here. */
function nameOf({ shape, tiles }) {
  return tiles.length === 2 ? shape : `${shape} --tiles 2`;
}

function read(file) {
  return readFileSync(join(ROOT, file), "utf8");
}

/** Reads the results of each game in a folder; throws if they are not those of all starts, in their order. */
function readResults(folder) {
  const files = readdirSync(join(ROOT, folder))
    .filter((name) => /^\d+x\d+(-tiles-2)?\.json$/.test(name))
    .map((name) => `${folder}/${name}`);
  const games = files.map((source) => ({ source, ...JSON.parse(read(source)) }));
  for (const game of games) {
    const expected = starts(parseShape(game.shape)).map((board) => formatBoard(board));
    const found = game.starts.map(({ board }) => board);
    if (found.join() !== expected.join()) {
      throw new Error(`${game.source}: the boards are not the starts of ${game.shape}`);
    }
  }
  return new Map(games.map((game) => [nameOf(game), game]));
}

const count = (number) => number.toLocaleString("en");

/** Returns a call that makes a confirmation; its arguments are texts. */
function callOf(confirmation, ...texts) {
  return { call: `${confirmation}(${texts.map((text) => JSON.stringify(text)).join(", ")})` };
}

/** Returns the confirmation by a certificate: the one without searches, whose proof effort is 0. */
function certificateOf(name) {
  const found = certificates.find(({ game, effort }) => game === name && effort === 0);
  return found ? [callOf("certificate", name, count(found.claims), found.date)] : [];
}

function proofByLayersOf(name) {
  const found = proofs.find(({ game }) => game === name);
  if (found === undefined) return [];
  return [callOf("proofByLayers", name, count(found.lower + found.upper), found.date)];
}

function secondSearchOf(name) {
  const found = searches.get(name);
  if (found === undefined) return [];
  const memory = found.table === "default" ? "" : ` --memory ${found.table}`;
  return [callOf("secondSearch", name, `--workers 1${memory}`, found.date)];
}

/** Returns the confirmation by a tabulation; throws if its values differ from the published ones. */
function tabulationOf(name, game) {
  const found = tabulations.get(name);
  if (found === undefined || found === game) return [];
  for (const [i, { board, value }] of found.starts.entries()) {
    if (value !== game.starts[i].value) {
      throw new Error(`${board}: ${found.source} and ${game.source} differ`);
    }
  }
  return [callOf("tabulation", found.source, count(found.positions), found.madeBy)];
}

/** Returns the rows of confirmations.md by their shapes. */
function readSearches() {
  const rows = read(CONFIRMATIONS)
    .split("\n")
    .filter((line) => /^\| \d+x\d+ /.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return new Map(rows.map((row) => [row[0], { table: row.at(-2), date: row.at(-1) }]));
}

function recordOf([name, game]) {
  const solved = game.starts.every(({ value }) => value !== null);
  for (const { board, value, hi } of solved ? [] : game.starts) {
    // The module has no other upper bounds.
    if (value !== null || hi !== boundByRules(parseBoard(board)).hi) {
      throw new Error(`${game.source}: ${board} has another upper bound than that of the rules`);
    }
  }
  return {
    shape: game.shape,
    tiles: formatTiles(game.tiles),
    source: game.source,
    madeBy: game.madeBy,
    version: game.version ?? null,
    solved,
    lo: game.starts.map(({ value, lo = value }) => lo),
    confirmations: [
      ...certificateOf(name),
      ...proofByLayersOf(name),
      ...secondSearchOf(name),
      ...tabulationOf(name, game),
    ],
  };
}

/** Writes a value as TypeScript, numbers side by side in lines of some width. */
function written(value, indent) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if ("call" in value) return value.call;
  const inner = `${indent}  `;
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
  if (isArray && value.length === 0) return "[]";
  if (isArray && typeof value[0] === "number") {
    const lines = [inner];
    for (const number of value) {
      if (lines.at(-1).length + `${number},`.length > WIDTH) lines.push(inner);
      lines[lines.length - 1] += `${number}, `;
    }
    return `${open}\n${lines.map((line) => line.trimEnd()).join("\n")}\n${indent}${close}`;
  }
  const entries = isArray
    ? value.map((item) => written(item, inner))
    : Object.entries(value).map(([key, item]) => `${key}: ${written(item, inner)}`);
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}${close}`;
}

const { certificates, proofs } = JSON.parse(read(CERTIFICATES));
const searches = readSearches();
const tabulations = readResults("results/positions");
const solved = readResults("results");

const cellsOf = ({ shape }) => cellCount(parseShape(shape));
const records = [...new Map([...tabulations, ...solved])]
  .map(recordOf)
  .sort(
    (a, b) =>
      cellsOf(a) - cellsOf(b) || a.shape.localeCompare(b.shape) || b.tiles.length - a.tiles.length,
  );

writeOrCheck(
  "published",
  new Map([
    [
      DATA,
      `// Generated from results/ by npm run generate -- published. Do not edit.
import {
  certificate,
  type PublishedRecord,
  proofByLayers,
  secondSearch,
  tabulation,
} from "./record.js";

/** The published values of all starts, by game, smallest shapes first. */
export const DATA: readonly PublishedRecord[] = ${written(records, "")};
`,
    ],
  ]),
);
