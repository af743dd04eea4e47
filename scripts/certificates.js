/*
 * Makes, checks and measures certificates; writes results/certificates.md.
 *
 *     npm run certificates                      the shapes of the published table
 *     npm run certificates -- 3x3 --efforts 0,100
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatCount, markdownTable, wrapMarkdown, writeWhole } from "@gridlock/report";
import { runGridlock } from "@gridlock/testbed";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PYTHON = join(ROOT, "scripts/check_certificate.py");
const GAMES = ["2x2", "2x3", "2x3 --tiles 2", "2x4", "2x5", "3x3"];

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { efforts: { type: "string", default: "0,20" } },
});
const folder = mkdtempSync(join(tmpdir(), "gridlock-certificates-"));

function gridlock(command, game, ...args) {
  return runGridlock(folder, command, ...game.split(" "), ...args);
}

function sizeOf(file) {
  return statSync(join(folder, file)).size;
}

const seconds = (number) => (number < 10 ? number.toFixed(1) : number.toFixed(0));

function measure(game, effort) {
  const db = "certificate.db";
  rmSync(join(folder, db), { force: true });
  gridlock("solve", game, "--json", "--quiet", "--workers", "1", "--db", db); // counts repeat
  const before = sizeOf(db);
  const made = gridlock("prove", game, "--json", "--db", db, "--proof-effort", effort);
  const file = "exported";
  gridlock("export", game, "--format", "certificate", "--output", file, "--db", db);
  const checked = gridlock("verify", game, "--json", "--db", db);
  if (!checked.complete) throw new Error(`${game}: the certificate does not hold`);
  const began = performance.now();
  const python = spawnSync("python3", [PYTHON, join(folder, file)], { encoding: "utf8" });
  if (python.status !== 0) throw new Error(python.stdout + python.stderr);
  return [
    game,
    effort,
    formatCount(made.claims),
    formatCount(made.lower),
    formatCount(made.upper),
    formatCount(checked.bySearch),
    formatCount(sizeOf(db) - before),
    formatCount(sizeOf(file)),
    seconds(made.seconds),
    formatCount(checked.expanded),
    seconds(checked.seconds),
    seconds((performance.now() - began) / 1000),
  ];
}

const rows = [];
try {
  for (const game of positionals.length > 0 ? positionals : GAMES) {
    for (const effort of flags.efforts.split(",")) {
      rows.push(measure(game, effort));
      console.log(rows.at(-1).join("  "));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const head = [
  ...[
    "game",
    "W",
    "claims",
    "lower",
    "upper",
    "by search",
    "bytes in the database",
    "bytes of the file",
  ],
  ...["made in", "positions expanded", "verify", "Python"],
];
writeWhole(
  join(ROOT, "results/certificates.md"),
  wrapMarkdown(`# Certificates

Made by \`npm run certificates\` on ${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} threads of ${cpus()[0].model.trim()}, Node ${process.versions.node}.

The cost of proving the values of all starts of a shape, and of checking the proof. [docs/certificate.md](../docs/certificate.md)
defines certificates. *W* is the proof effort: positions that a checker may expand to show a claim by the rules alone.
"Lower" and "upper" are the claims *h* ≥ *lo* and *h* ≤ *hi*; "by search" are those that do not follow by one step. Times are
in seconds; "verify" is \`gridlock verify\`, "Python" is \`scripts/check_certificate.py\`, both on all threads.

${markdownTable(head, rows, [...head.keys()].slice(1))}
`),
);
console.log("wrote results/certificates.md");
