/*
 * Measures what passing on bounds costs a machine, beside what a node costs: sorting and packing
 * them, and putting those of one, three and fifteen others into a table of 2 GiB. Prints medians.
 *
 *     node scripts/release/exchange.js        batches of 5,000 nodes, 2×6
 *     node scripts/release/exchange.js 50000  batches of 50,000 nodes
 */
import { packNode, parseBoard, parseShape } from "@gridlock/game";
import {
  createTable,
  Journal,
  Kernel,
  partsOf,
  preferLargePages,
  RECORD_BYTES,
  ThreadMonitor,
  touchTable,
} from "@gridlock/kernel";
import { median } from "../bench/command.js";
import { parseCommandLine } from "../command-line.js";

const { positionals } = parseCommandLine({ allowPositionals: true });
const EVERY = Number(positionals[0] ?? 5000);
const BATCHES = 120;
const GAME = { shape: parseShape("2x6"), tiles: [2, 4] };
const { board } = parseBoard("2 2 0 0 0 0/0 0 0 0 0 0");
const START = packNode({ turn: "slider", board });

function machine() {
  const table = createTable(GAME, 2 * 2 ** 30, 1);
  preferLargePages(partsOf(table));
  touchTable(table);
  return { kernel: new Kernel(table, 0), table };
}

/** Returns the nanoseconds that work takes, for each of some things. */
function time(work) {
  const began = performance.now();
  const count = work();
  return (1e6 * (performance.now() - began)) / count;
}

const sender = machine();
const journal = new Journal(sender.table);
const monitor = new ThreadMonitor(sender.table);
const nodes = () => Object.values(monitor.counts()).reduce((sum, count) => sum + count, 0);
sender.kernel.ask(START, 352, 1_000_000);
journal.open(1);
const search = [];
const pack = [];
const batches = [];
for (let i = 0; i < BATCHES; i++) {
  search.push(
    time(() => {
      const before = nodes();
      sender.kernel.ask(START, 352, EVERY);
      return nodes() - before;
    }),
  );
  pack.push(
    time(() => {
      const records = journal.drain();
      batches.push({ packed: sender.kernel.records.pack(records), records: records.length });
      return records.length / RECORD_BYTES;
    }),
  );
}
console.log(
  `a node: ${median(search).toFixed(1)} ns; packing a bound: ${median(pack).toFixed(1)} ns`,
);

// V8 compiles often used functions again, and then they are faster.
const { kernel: warm } = machine();

for (const others of [1, 3, 15]) {
  const { kernel } = machine();
  const unpack = [];
  for (const { packed } of [...batches, ...batches]) warm.records.unpack([packed]);
  for (let i = 0; i + others <= BATCHES; i += others) {
    kernel.ask(START, 352, 20_000); // so that the caches hold other things
    const some = batches.slice(i, i + others);
    unpack.push(
      time(() => {
        kernel.records.unpack(some.map(({ packed }) => packed));
        return some.reduce((sum, { records }) => sum + records / RECORD_BYTES, 0);
      }),
    );
  }
  console.log(`taking in a bound, of ${others} at a time: ${median(unpack).toFixed(1)} ns`);
}
