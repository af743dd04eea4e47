/*
 * Makes, checks and measures certificates and proofs by layers; writes results/certificates.md and
 * certificates.json. Earlier measurements of other games are kept.
 *
 *     node scripts/release/certificates.js                           the shapes of both tables
 *     node scripts/release/certificates.js 3x3 --efforts 0,100       certificates
 *     node scripts/release/certificates.js --layers 2x6 --guess 452  a proof by layers
 *     node scripts/release/certificates.js --layers 2x7 --db FILE    the one beside this database
 */
import { statSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cellCount, parseShape } from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import { outputOf, runGridlock, temporaryFolder } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";
import { readData, tableOf, today, writeData, writePage } from "../results.js";

const DATA = "certificates.json";
const PYTHON = fileURLToPath(new URL("../check_certificate.py", import.meta.url));
const GAMES = ["2x2", "2x3", "2x3 --tiles 2", "2x4", "2x5", "3x3"];
/** Proofs by layers and their first thresholds, in points. */
const PROOFS = { "3x3": "188", "2x5": "196", "2x6": "452", "3x4": "556" };

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    efforts: { type: "string", default: "0,20" },
    layers: { type: "boolean", default: false },
    guess: { type: "string" },
    memory: { type: "string" },
    db: { type: "string" },
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

/** Makes a proof by layers, unless `--db` names one, and measures it. */
function measureProof(game, guess) {
  const memory = flags.memory ? ["--memory", flags.memory] : [];
  const db = flags.db ? resolve(flags.db) : `${game}.db`;
  const place = ["--method", "layers", "--db", db, "--json"];
  if (!flags.db) {
    const first = guess === undefined ? [] : ["--guess", guess];
    gridlock("solve", game, ...place, ...memory, ...first, "--quiet");
  }
  const checked = gridlock("verify", game, ...place, ...memory);
  if (!checked.complete) throw new Error(`${game}: the proof by layers does not hold`);
  const { games } = runGridlock(folder, "status", "--db", db, "--json");
  const { layers } = games.find(({ shape }) => shape === game);
  const { blocks, boards, lower, upper, bytes, seconds } = checked;
  return {
    ...{ game, expanded: layers.expanded, made: layers.seconds, blocks, boards, lower, upper },
    ...{ bytes, verified: seconds, date: today },
  };
}

const data = readData(DATA);
const cellsOf = ({ game }) => cellCount(parseShape(game.split(" ")[0]));

/** Adds a measurement to a table in place of an earlier one of the same game and effort. */
function record(kind, row) {
  console.log(Object.values(row).join("  "));
  const others = data[kind].filter((x) => x.game !== row.game || x.effort !== row.effort);
  data[kind] = [...others, row].sort(
    (a, b) => cellsOf(a) - cellsOf(b) || a.game.localeCompare(b.game) || a.effort - b.effort,
  );
}

const isAll = positionals.length === 0;
const certificates = flags.layers ? [] : positionals;
const proofs = flags.layers ? positionals : [];
for (const game of isAll ? GAMES : certificates) {
  for (const effort of flags.efforts.split(",")) {
    record("certificates", measureCertificate(game, effort));
  }
}
for (const game of isAll ? Object.keys(PROOFS) : proofs) {
  record("proofs", measureProof(game, flags.guess ?? PROOFS[game]));
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
const LAYERS = {
  game: ({ game }) => game,
  claims: ({ lower, upper }) => formatCount(lower + upper),
  lower: ({ lower }) => formatCount(lower),
  upper: ({ upper }) => formatCount(upper),
  boards: ({ boards }) => formatCount(boards),
  blocks: ({ blocks }) => formatCount(blocks),
  "bytes of the files": ({ bytes }) => formatCount(bytes),
  "nodes expanded": ({ expanded }) => formatCount(expanded),
  "made in": ({ made }) => seconds(made),
  verify: ({ verified }) => seconds(verified),
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

## Proofs by layers

The files of a proof by layers ([docs/layers.md](../docs/layers.md#verifying)) are a proof that \`gridlock verify --method layers\`
checks by the rules alone. Its claims are the bounds of the blocks' own boards, and "bytes of the files" those of the blocks.

${tableOf(LAYERS, data.proofs)}
`,
);
console.log("wrote results/certificates.md");
