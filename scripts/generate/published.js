/*
 * Writes packages/published/src/data.json, the published values of all starts, from results/. With
 * --check it only compares.
 *
 *     npm run generate -- published
 *
 * The values are those of results/SHAPE.json and results/SHAPE-tiles-2.json and, of games that have
 * no such file, those of tabulations in results/positions/. certificates.json, confirmations.md and
 * the other tabulations confirm them.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  boundByRules,
  cellCount,
  formatBoard,
  formatTiles,
  parseBoard,
  parseShape,
  starts,
} from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import { writeOrCheck } from "../files.js";
import { readData, readPage, shapeRowsOf } from "../results.js";

const DATA = "packages/published/src/data.json";

/** Returns a game's words in a command, e.g. `2x3 --tiles 2`, which are its name here. */
function nameOf({ shape, tiles }) {
  return tiles.length === 2 ? shape : `${shape} --tiles 2`;
}

/** Reads the results of each game in a folder; throws if they are not of all starts, in order. */
function readResults(folder) {
  const files = readdirSync(new URL(`../../results/${folder}`, import.meta.url))
    .filter((name) => /^\d+x\d+(-tiles-2)?\.json$/.test(name))
    .map((name) => join(folder, name));
  const games = files.map((file) => ({ source: `results/${file}`, ...readData(file) }));
  for (const game of games) {
    const expected = starts(parseShape(game.shape)).map((board) => formatBoard(board));
    const found = game.starts.map(({ board }) => board);
    if (found.join() !== expected.join()) {
      throw new Error(`${game.source}: the boards are not the starts of ${game.shape}`);
    }
  }
  return new Map(games.map((game) => [nameOf(game), game]));
}

/** Returns the confirmation by a certificate; the Python checker is for up to a million claims. */
function certificateOf(name) {
  const found = certificates.find(({ game }) => game === name);
  if (found === undefined) return [];
  const { claims, python, date } = found;
  const checkers =
    python === null ? "gridlock verify" : "gridlock verify and a second checker, in Python,";
  return [
    {
      kind: "certificate",
      says: `${checkers} accepted a certificate of ${formatCount(claims)} claims, from which the values of all starts follow.`,
      command: `gridlock solve ${name} && gridlock prove ${name} && gridlock verify ${name}`,
      source: "results/certificates.json",
      date,
    },
  ];
}

/** Returns the confirmation by a second search with other options. */
function secondSearchOf(name) {
  const found = searches.get(name);
  if (found === undefined) return [];
  const [table, date] = found.slice(-2);
  const memory = table === "default" ? "" : ` --memory ${table}`;
  return [
    {
      kind: "second-search",
      says: "A search without static bounds, in another order and from an empty database, found the same values.",
      command: `gridlock solve ${name} --without-bound --other-order --workers 1${memory} --db confirm.db`,
      source: "results/confirmations.md",
      date,
    },
  ];
}

/** Returns the confirmation by a tabulation; throws if its values differ from published ones. */
function tabulationOf(name, game) {
  const found = tabulations.get(name);
  if (found === undefined || found === game) return [];
  for (const [i, { board, value }] of found.starts.entries()) {
    if (value !== game.starts[i].value) {
      throw new Error(`${board}: ${found.source} and ${game.source} differ`);
    }
  }
  const says = `A tabulation of all ${formatCount(found.positions)} positions has the same values.`;
  const { source, madeBy: command } = found;
  return [{ kind: "tabulation", says, command, source, date: null }];
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
    confirmations: [...certificateOf(name), ...secondSearchOf(name), ...tabulationOf(name, game)],
  };
}

const { certificates } = readData("certificates.json");
const searches = new Map(shapeRowsOf(readPage("confirmations.md")).map((row) => [row[0], row]));
const tabulations = readResults("positions");
const solved = readResults(".");

const cellsOf = ({ shape }) => cellCount(parseShape(shape));
const records = [...new Map([...tabulations, ...solved])]
  .map(recordOf)
  .sort(
    (a, b) =>
      cellsOf(a) - cellsOf(b) || a.shape.localeCompare(b.shape) || b.tiles.length - a.tiles.length,
  );

// A game a line, so that a change shows which game it is of.
const text = `[\n${records.map((record) => JSON.stringify(record)).join(",\n")}\n]\n`;
writeOrCheck("npm run generate -- published", new Map([[DATA, text]]));
