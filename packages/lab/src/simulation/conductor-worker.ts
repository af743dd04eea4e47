/* The thread that runs virtual machines: it waits for one or the other all the time. */

import { seededRandom } from "@gridlock/game";
import { openStarts, solve } from "@gridlock/solver";
import { Database, MEMORY } from "@gridlock/store";
import { answerRequests, notify, startThreads } from "@gridlock/threads";
import { VirtualMachine } from "./machine.js";
import type { SimulationOptions } from "./options.js";
import type { SimulatedRun } from "./simulate.js";
import { VirtualCluster } from "./virtual-cluster.js";

/** Milliseconds between two reports of progress. */
const REPORT_MS = 100;

answerRequests(async (options: SimulationOptions): Promise<SimulatedRun> => {
  const random = seededRandom(options.seed);
  const orderOf = (i: number) => (i === 0 ? 0 : (i & 255) + 256 * Math.floor(random() * 2 ** 24));
  const machines = startThreads(options.machines, (i) => new VirtualMachine(options, orderOf(i)));
  try {
    const threads = machines.flatMap((machine) => machine.threads);
    await Promise.all(threads.map((thread) => thread.ask("attach")));
    let reported = performance.now();
    const cluster = new VirtualCluster(machines, options, (time, nodes) => {
      if (performance.now() - reported < REPORT_MS) return;
      notify([time, nodes]);
      reported = performance.now();
    });
    const { question } = options;
    const bounds =
      question === undefined ? await solveAll(cluster, options) : [await cluster.ask(question)];
    if (bounds.some((bound) => bound === undefined)) {
      throw new RangeError("the search went deeper than its stack allows");
    }
    return {
      bounds: bounds as SimulatedRun["bounds"],
      time: Math.round(cluster.time),
      nodes: cluster.nodes,
      traffic: cluster.traffic,
      subtrees: cluster.subtrees,
      missed: machines.reduce((sum, { journal }) => sum + journal.missed, 0),
    };
  } finally {
    await Promise.all(machines.map((machine) => machine[Symbol.asyncDispose]()));
  }
});

/** Solves all starts of the game. */
async function solveAll(cluster: VirtualCluster, { game }: SimulationOptions) {
  using database = Database.open(MEMORY);
  openStarts(game, database);
  const starts = await solve(game, database, cluster, {
    onProgress: (agenda) => {
      cluster.agenda = agenda;
    },
  });
  return starts.map(({ bound }) => bound);
}
