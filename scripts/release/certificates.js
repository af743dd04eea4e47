/*
 * Makes, checks and measures certificates; writes results/certificates.md and certificates.json.
 * Earlier measurements of other games are kept.
 *
 *     node scripts/release/certificates.js                      the shapes of the table
 *     node scripts/release/certificates.js 3x3 --efforts 0,100
 */
import { statSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cellCount, parseShape } from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import { outputOf, runGridlock, temporaryFolder } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";
import { readData, tableOf, today, writeData, writePage } from "../results.js";

const DATA = "certificates.json";
const PYTHON = fileURLToPath(new URL("../check_certificate.py", import.meta.url));
const GAMES = ["2x2", "2x3", "2x3 --tiles 2", "2x4", "2x5", "3x3"];

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    efforts: { type: "string", default: "0,20" },
  },
});
const folder = temporaryFolder((remove) => process.on("exit", remove));

function gridlock(command, game, ...args) {
  return runGridlock(folder, command, ...game.split(" "), ...args);
}

function sizeOf(file) {
  return statSync(join(folder, file)).size;
}

function measureCertificate(game, effort) {
  const db = `${game} ${effort}.db`;
  gridlock("solve", game, "--json", "--quiet", "--workers", "1", "--db", db); // counts repeat
  const before = sizeOf(db);
  const made = gridlock("prove", game, "--json", "--db", db, "--proof-effort", effort);
  const file = "exported";
  gridlock("export", game, "--format", "certificate", "--output", file, "--db", db);
  const checked = gridlock("verify", game, "--json", "--db", db);
  if (!checked.complete) throw new Error(`${game}: the certificate does not hold`);
  const began = performance.now();
  outputOf("python3", [PYTHON, file], folder);
  const { claims, lower, upper, seconds } = made;
  return {
    ...{ game, effort: Number(effort), claims, lower, upper, bySearch: checked.bySearch },
    ...{ stored: sizeOf(db) - before, exported: sizeOf(file), made: seconds },
    ...{ expanded: checked.expanded, verified: checked.seconds },
    ...{ python: (performance.now() - began) / 1000, date: today },
  };
}

const data = readData(DATA);
const cellsOf = ({ game }) => cellCount(parseShape(game.split(" ")[0]));

/** Adds a measurement in place of an earlier one of the same game and effort. */
function record(row) {
  console.log(Object.values(row).join("  "));
  const others = data.certificates.filter((x) => x.game !== row.game || x.effort !== row.effort);
  data.certificates = [...others, row].sort(
    (a, b) => cellsOf(a) - cellsOf(b) || a.game.localeCompare(b.game) || a.effort - b.effort,
  );
}

for (const game of positionals.length === 0 ? GAMES : positionals) {
  for (const effort of flags.efforts.split(",")) record(measureCertificate(game, effort));
}
writeData(DATA, data);

const seconds = (number) => (number < 10 ? number.toFixed(1) : number.toFixed(0));

const CERTIFICATES = {
  game: ({ game }) => game,
  W: ({ effort }) => effort,
  claims: ({ claims }) => formatCount(claims),
  lower: ({ lower }) => formatCount(lower),
  upper: ({ upper }) => formatCount(upper),
  "by search": ({ bySearch }) => formatCount(bySearch),
  "bytes in the database": ({ stored }) => formatCount(stored),
  "bytes of the file": ({ exported }) => formatCount(exported),
  "made in": ({ made }) => seconds(made),
  "positions expanded": ({ expanded }) => formatCount(expanded),
  verify: ({ verified }) => seconds(verified),
  Python: ({ python }) => seconds(python),
  date: ({ date }) => date,
};
writePage(
  "certificates.md",
  `# Certificates

Made by \`node scripts/release/certificates.js\`, ${availableParallelism()} threads of ${cpus()[0].model.trim()}, Node ${process.versions.node}.

The cost of proving the values of all starts of a shape, and of checking the proof. [docs/certificate.md](../docs/certificate.md)
defines certificates. *W* is the proof effort: positions that a checker may expand to show a claim by the rules alone.
"Lower" and "upper" are the claims *h* ≥ *lo* and *h* ≤ *hi*; "by search" are those that do not follow by one step. Times are
in seconds; "verify" is \`gridlock verify\`, "Python" is \`scripts/check_certificate.py\`, both on all threads.

${tableOf(CERTIFICATES, data.certificates)}
`,
);
console.log("wrote results/certificates.md");
