/*
 * Simulates machines that share bounds on questions of 2×6, and writes results/simulation/2x6.md and
 * 2x6.json, from which docs/scaling.md quotes. Each run is added as soon as it is done.
 *
 *     node scripts/release/simulations.js         runs those that the files lack: hours on two processors
 *     node scripts/release/simulations.js 5       runs number 5 only
 *     node scripts/release/simulations.js --draw  only writes the table again
 */
import { markdownTable } from "@gridlock/report";
import { runGridlock } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";
import { readData, writeData, writePage } from "../results.js";

const DATA = "simulation/2x6.json";
const QUESTION = 'simulate --board "2 2 0 0 0 0/0 0 0 0 0 0" --threshold';
const EASY = `${QUESTION} 352`;
const HARD = `${QUESTION} 452 --memory 400M`;

/** The runs, as arguments of `gridlock`. */
const RUNS = [
  `${EASY} --machines 2 --seeds 1,2,3`,
  `${EASY} --machines 4 --seeds 1,2,3,4,5`,
  `${EASY} --machines 16 --seeds 1,2,3,4,5`,
  `${EASY} --machines 4 --threads 16 --seeds 1,2,3,4,5`,
  `${HARD} --machines 4 --seeds 1,2,3`,
  `${HARD} --machines 16 --seeds 1`,
  ...[1000, 2500, 10_000, 25_000, 50_000].map(
    (every) => `${EASY} --machines 4 --every ${every} --delay ${every / 2} --seeds 1,2,3`,
  ),
  `${EASY} --machines 16 --every 2500 --delay 1250 --seeds 1,2,3,4,5`,
  `${EASY} --machines 2 --every 50000 --delay 25000 --seeds 1,2,3`,
  `${EASY} --machines 16 --every 50000 --delay 25000 --seeds 1`,
  `${EASY} --machines 4 --threads 16 --every 50000 --delay 25000 --seeds 1`,
  ...[1, 2, 4].map((rate) => `${EASY} --machines 4 --rate ${rate} --seeds 1,2,3`),
  ...[1, 2].map((rate) => `${EASY} --machines 16 --rate ${rate} --seeds 1`),
  `${EASY} --machines 4 --effort 2 --seeds 1,2,3`,
  ...["4", "16", "4 --threads 16"].map(
    (machines) => `${EASY} --machines ${machines} --intake 0.1 --pack 0.05 --seeds 1,2,3,4,5`,
  ),
];

const { values: flags, positionals } = parseCommandLine({
  allowPositionals: true,
  options: { draw: { type: "boolean", default: false } },
});

/** Returns the words of arguments as a shell does. */
const wordsOf = (args) => args.match(/"[^"]*"|\S+/g).map((word) => word.replaceAll('"', ""));

const data = readData(DATA);
const lacking = RUNS.filter((args) => !(args in data));
const asked = positionals.length > 0 ? positionals.map((number) => RUNS[number - 1]) : lacking;
for (const args of flags.draw ? [] : asked) {
  data[args] = runGridlock(".", ...wordsOf(args), "--quiet", "--json");
  write();
}
write();

function write() {
  const known = RUNS.filter((args) => args in data);
  writeData(DATA, Object.fromEntries(known.map((args) => [args, data[args]])));
  const rows = known.flatMap((args) => {
    const { threshold, alone, options, results } = data[args];
    return results.map(({ machines, threads, efficiency, runs }) => {
      const middle = runs.find((run) => run.efficiency === efficiency);
      return [
        ...[RUNS.indexOf(args) + 1, threshold, machines, threads, options.every, options.delay],
        ...[options.rate ?? "any", options.effort, options.intake, options.pack],
        efficiency.toFixed(3),
        runs.map((run) => run.efficiency.toFixed(2)).join(" "),
        (middle.nodes / alone).toFixed(2),
        ...["bounds", "bytesOut", "bytesIn"].map((of) => (middle[of] / middle.nodes).toFixed(2)),
      ];
    });
  });
  const head = [
    ...["run", "h ≥", "machines", "threads", "every", "delay", "rate", "effort", "intake", "pack"],
    ...["efficiency, median", "by seed", "nodes", "bounds/node", "bytes/node", "bytes in/node"],
  ];
  const text = `# Simulated machines on 2×6

"h ≥ 352 (or 452) of \`2 2 0 0 0 0/0 0 0 0 0 0\`?", asked of machines that share bounds, before questions were divided into subtrees; [scaling.md](../../docs/scaling.md)
explains the columns. "Nodes" are those of all threads over those of one thread alone, "intake" and "pack" the
nodes of time for each bound taken in and sent.

${markdownTable(head, rows, [6, 10, 12, 13, 14, 15])}

\`node scripts/release/simulations.js\` made this table from these commands, which repeat to the digit:

${known.map((args) => `${RUNS.indexOf(args) + 1}. \`gridlock ${args}\``).join("\n")}
`;
  writePage("simulation/2x6.md", text);
}
