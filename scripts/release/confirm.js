/*
 * Confirms the published tables: solves each shape again in an empty database, without the search's
 * lower bound and in another order, and compares all values. Writes results/confirmations.md.
 *
 *     node scripts/release/confirm.js 2x6 --memory 2G
 *     node scripts/release/confirm.js  all shapes that take only seconds
 */
import { deepStrictEqual } from "node:assert";
import { formatCount, markdownTable } from "@gridlock/report";
import { runGridlock, TemporaryFolder } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";
import { readData, readPage, shapeRowsOf, today, writePage } from "../results.js";

const PAGE = "confirmations.md";
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
  const folder = new TemporaryFolder().path;
  const words = ["solve", shape, "--json", "--quiet", "--workers", "1", "--db", "confirm.db"];
  const memory = flags.memory ? ["--memory", flags.memory] : [];
  const found = runGridlock(folder, ...words, ...HOW, ...memory);
  const valuesOf = ({ starts }) => new Map(starts.map(({ board, value }) => [board, value]));
  deepStrictEqual(valuesOf(found), valuesOf(readData(`${shape}.json`)));
  return found;
}

const rows = new Map(shapeRowsOf(readPage(PAGE)).map((cells) => [cells[0], cells]));
for (const shape of positionals.length > 0 ? positionals : ["2x2", "2x3", "2x4", "3x3", "2x5"]) {
  const { starts, nodes, seconds } = confirm(shape);
  const cells = [
    ...[shape, String(starts.length)],
    ...[formatCount(nodes.positions), formatCount(nodes.afterstates)],
    ...[seconds.toFixed(seconds < 10 ? 2 : 0), flags.memory ?? "default", today],
  ];
  rows.set(shape, cells);
  console.log(cells.join("  "));
}
const sorted = [...rows.values()].sort(([a], [b]) => a.localeCompare(b));
writePage(PAGE, `${INTRODUCTION}\n${markdownTable(HEAD, sorted, [1, 2, 3, 4])}\n`);
