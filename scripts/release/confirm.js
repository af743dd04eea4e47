/*
 * Confirms the published tables: solves each shape again in an empty database, without the search's lower bound and in
 * another order, and compares all values. Writes results/confirmations.md.
 *
 *     node scripts/release/confirm.js 2x6 --memory 2G
 *     node scripts/release/confirm.js  all shapes that take only seconds
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { formatCount, markdownTable, wrapMarkdown, writeWhole } from "@gridlock/report";
import { runGridlock } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = join(ROOT, "results/confirmations.md");
const HOW = ["--without-bound", "--other-order"];
const INTRODUCTION = `# Confirmations

Made by \`node scripts/release/confirm.js\`. Each shape was solved again, all starts from an empty database by one thread, without the search's
lower bound and in another order (\`gridlock solve SHAPE ${HOW.join(" ")}\`); every value equals the published one.
`;
const HEAD = ["shape", "starts", "positions", "afterstates", "seconds", "table", "on"];

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: { memory: { type: "string" } },
});

/** Solves a shape with the given options; throws unless the values are the published ones. */
function confirm(shape) {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-confirm-"));
  try {
    const words = ["solve", shape, "--json", "--quiet", "--workers", "1", "--db", "confirm.db"];
    const memory = flags.memory ? ["--memory", flags.memory] : [];
    const found = runGridlock(folder, ...words, ...HOW, ...memory);
    const published = JSON.parse(readFileSync(join(ROOT, `results/${shape}.json`), "utf8"));
    const valuesOf = ({ starts }) => new Map(starts.map(({ board, value }) => [board, value]));
    const [mine, theirs] = [valuesOf(found), valuesOf(published)];
    for (const [board, value] of theirs) {
      if (mine.get(board) !== value) {
        throw new Error(
          `${shape}: the published value of ${board} is ${value}, but this solve found ${mine.get(board)}`,
        );
      }
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the cells of the page's present rows, by shape. */
function readRows() {
  try {
    const lines = readFileSync(PAGE, "utf8").split("\n");
    const rows = lines.filter((line) => /^\| \dx\d/.test(line));
    const cells = rows.map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    return new Map(cells.map((row) => [row[0], row]));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return new Map();
  }
}

const rows = readRows();
for (const shape of positionals.length > 0 ? positionals : ["2x2", "2x3", "2x4", "3x3", "2x5"]) {
  const { starts, nodes, seconds } = confirm(shape);
  const cells = [
    ...[shape, String(starts.length)],
    ...[formatCount(nodes.positions), formatCount(nodes.afterstates)],
    ...[seconds.toFixed(seconds < 10 ? 2 : 0), flags.memory ?? "default"],
    new Date().toISOString().slice(0, 10),
  ];
  rows.set(shape, cells);
  console.log(cells.join("  "));
}
const sorted = [...rows.values()].sort(([a], [b]) => a.localeCompare(b));
writeWhole(PAGE, wrapMarkdown(`${INTRODUCTION}\n${markdownTable(HEAD, sorted, [1, 2, 3, 4])}\n`));
