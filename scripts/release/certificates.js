/*
 * Makes, checks and measures certificates; writes results/certificates.md and certificates.json.
 * Measurements of other games are kept. Certificates are made in a folder that is removed, or in
 * the one that is named.
 *
 *     node scripts/release/certificates.js                      the shapes that take seconds
 *     node scripts/release/certificates.js 2x6 3x4 --folder x   these; values and certificates in x/ are used again
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { cellCount, parseShape } from "@gridlock/game";
import { formatBytes, tableOf } from "@gridlock/report";
import { GRIDLOCK, runGridlock, TemporaryFolder } from "@gridlock/testbed";
import { timed } from "../bench/timed.js";
import { parseCommandLine } from "../command-line.js";
import { readData, today, writeData, writePage } from "../results.js";

const DATA = "certificates.json";
const PYTHON = fileURLToPath(new URL("../check_certificate.py", import.meta.url));
const GAMES = ["2x2", "2x3", "2x3 --tiles 2", "2x4", "2x5", "3x3"];
/** The most claims for the checker in Python, which checks some 20,000 a second. */
const MOST_FOR_PYTHON = 1_000_000;

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: {
    folder: { type: "string" },
    memory: { type: "string" },
  },
});
const folder = flags.folder ? resolve(flags.folder) : new TemporaryFolder().path;
mkdirSync(folder, { recursive: true });
const MEMORY = flags.memory ? ["--memory", flags.memory] : [];

async function measureCertificate(game) {
  const gridlock = (command, ...args) =>
    runGridlock(folder, command, ...game.split(" "), "--json", ...args);
  gridlock("solve", "--quiet", ...MEMORY);
  const { runs } = runGridlock(folder, "status", "--json");
  const isOf = ({ shape, tiles }) => game === `${shape}${tiles.length === 1 ? " --tiles 2" : ""}`;
  const nodes = runs
    .filter(isOf)
    .reduce((sum, { positions, afterstates }) => sum + positions + afterstates, 0);
  const made = gridlock("prove", ...MEMORY);
  const file = join(folder, made.file);
  const args = [GRIDLOCK, "verify", "--certificate", file, "--json", ...MEMORY];
  const { stdout, peak } = await timed(args, folder);
  const checked = JSON.parse(stdout);
  if (!checked.complete) throw new Error(`${game}: the certificate does not hold`);
  const began = performance.now();
  const isForPython = made.claims <= MOST_FOR_PYTHON;
  if (isForPython) execFileSync("python3", [PYTHON, file]);
  const { claims, lower, upper, bytes, seconds } = made;
  return {
    game,
    claims,
    lower,
    upper,
    bytes,
    nodes,
    searchedAgain: made.nodes,
    made: seconds,
    verified: checked.seconds,
    peak,
    python: isForPython ? (performance.now() - began) / 1000 : null,
    sha256: await digestOf(file),
    date: today,
  };
}

async function digestOf(file) {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest("hex");
}

const data = readData(DATA);
const cellsOf = ({ game }) => cellCount(parseShape(game.split(" ")[0]));

/** Adds a measurement in place of an earlier one of the same game, and writes all of them. */
function record(row) {
  console.log(Object.values(row).join("  "));
  const others = data.certificates.filter(({ game, sha256 }) => sha256 && game !== row.game);
  data.certificates = [...others, row].sort(
    (a, b) => cellsOf(a) - cellsOf(b) || a.game.localeCompare(b.game),
  );
  writeData(DATA, data);
  write();
}

const seconds = (number) => (number === null ? "–" : number.toFixed(number < 10 ? 1 : 0));

const CERTIFICATES = [
  ["game", ({ game }) => game],
  ["claims", ({ claims }) => claims],
  ["lower", ({ lower }) => lower],
  ["upper", ({ upper }) => upper],
  ["bytes", ({ bytes }) => bytes],
  ["nodes of the solve", ({ nodes }) => nodes],
  ["searched again", ({ searchedAgain }) => searchedAgain],
  ["made in", ({ made }) => seconds(made), "right"],
  ["verify", ({ verified }) => seconds(verified), "right"],
  ["most memory", ({ peak }) => formatBytes(peak), "right"],
  ["Python", ({ python }) => seconds(python), "right"],
  ["date", ({ date }) => date, "right"],
];
const DIGESTS = [
  ["game", ({ game }) => game],
  ["SHA-256 of the file", ({ sha256 }) => `\`${sha256}\``, "right"],
];

function write() {
  writePage(
    "certificates.md",
    `# Certificates

Made by \`node scripts/release/certificates.js\`, ${availableParallelism()} threads of ${cpus()[0].model.trim()}, Node ${process.versions.node}.

The cost of proving the values of all starts of a shape, and of checking the proof. [docs/certificate.md](../docs/certificate.md)
defines certificates. "Lower" and "upper" are the claims *h* ≥ *lo* and *h* ≤ *hi*. Beside the claims stand the nodes of the
search that found the values, and those that had to be searched again for the proof. Times are in seconds, on all threads:
"made in" is \`gridlock prove\`, "verify" is \`gridlock verify\`, with its most memory, and "Python" is
\`scripts/check_certificate.py\`, up to a million claims.

${data.certificates.flatMap(({ note }) => note ?? []).join("\n\n")}

${tableOf(data.certificates, CERTIFICATES)}

Whoever proves a shape with the same version of Gridlock gets the same claims. The compression depends on the version of
zlib, so the files are the same only with the same Node.js.

${tableOf(data.certificates, DIGESTS)}
`,
  );
}

for (const game of positionals.length === 0 ? GAMES : positionals) {
  record(await measureCertificate(game));
}
console.log("wrote results/certificates.md");
