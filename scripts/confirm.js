/*
 * Confirms the published tables: solves each shape anew without the search's lower bound and in another order, in an
 * empty database, and compares all values. Writes results/confirmations.md.
 *
 *     npm run confirm -- 2x6 --memory 2G
 *     npm run confirm                      the shapes that take seconds
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runGridlock } from "@gridlock/testbed";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGE = join(ROOT, "results/confirmations.md");
const HOW = ["--without-bound", "--other-order"];
const HEAD = `# Confirmations

Made by \`npm run confirm\`. Each shape was solved again, all starts from an empty database by one thread, without the search's
lower bound and in another order (\`gridlock solve SHAPE ${HOW.join(" ")}\`); every value is that of the published table.

| shape | starts | positions | afterstates | seconds | table | on |
| --- | ---: | ---: | ---: | ---: | --- | --- |
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { memory: { type: "string" } },
});

/** Solves a shape with the options given; throws unless its values are those published. */
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
          `${shape}: ${board} is published as ${value}, and came out as ${mine.get(board)}`,
        );
      }
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The page's rows by shape, as they are now. */
function readRows() {
  try {
    const lines = readFileSync(PAGE, "utf8").split("\n");
    return new Map(
      lines.flatMap((line) => (/^\| \dx\d/.test(line) ? [[line.split(" ")[1], line]] : [])),
    );
  } catch {
    return new Map();
  }
}

const count = (number) => number.toLocaleString("en-US");
const rows = readRows();
for (const shape of positionals.length > 0 ? positionals : ["2x2", "2x3", "2x4", "3x3", "2x5"]) {
  const { starts, nodes, seconds } = confirm(shape);
  const cells = [
    ...[shape, starts.length, count(nodes.positions), count(nodes.afterstates)],
    ...[seconds.toFixed(seconds < 10 ? 2 : 0), flags.memory ?? "default"],
    new Date().toISOString().slice(0, 10),
  ];
  rows.set(shape, `| ${cells.join(" | ")} |`);
  console.log(rows.get(shape));
}
const sorted = [...rows.values()].sort((a, b) => a.localeCompare(b));
writeFileSync(PAGE, `${HEAD}${sorted.join("\n")}\n`);
