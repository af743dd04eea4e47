/* The thread that runs virtual machines: it waits for one or the other all the time. */

import { seededRandom } from "@gridlock/game";
import { answerRequests, notify, startThreads } from "@gridlock/threads";
import { VirtualMachine, type VirtualThread } from "./machine.js";
import { Network } from "./network.js";
import type { SimulationOptions } from "./options.js";
import type { SimulatedRun } from "./simulate.js";

/** Nodes between two checks of a thread, where it can be stopped. */
const CHECK = 256;
/** Milliseconds between two reports of progress. */
const REPORT_MS = 100;

answerRequests(async (options: SimulationOptions): Promise<SimulatedRun> => {
  const random = seededRandom(options.seed);
  const orderOf = (i: number) => (i === 0 ? 0 : 1 + Math.floor(random() * (2 ** 32 - 1)));
  const machines = startThreads(options.machines, (i) => new VirtualMachine(options, orderOf(i)));
  try {
    return await runTogether(machines, options);
  } finally {
    await Promise.all(machines.map((machine) => machine[Symbol.asyncDispose]()));
  }
});

/**
 * Runs machines until one has the answer. All threads advance in lock step, and machines meet only
 * where batches are sent or due, so they can search on any number of processors at the same time,
 * and the same options always give the same result.
 */
async function runTogether(
  machines: readonly VirtualMachine[],
  options: SimulationOptions,
): Promise<SimulatedRun> {
  const network = new Network(machines, options);
  const threads = machines.flatMap((machine) => machine.threads);
  await Promise.all(threads.map((thread) => thread.ask("attach")));
  for (const thread of threads) thread.begin();
  const nodes = () => machines.reduce((sum, machine) => sum + machine.nodes, 0);
  let reported = performance.now();
  let now = 0;
  for (let exchange = options.every; !threads.some(({ hasEnded }) => hasEnded); ) {
    const next = Math.min(exchange, network.nextDue);
    advance(machines, options.threads, now, next);
    now = next;
    if (now === exchange) {
      exchange += options.every;
      network.send(now);
    }
    network.deliver(now);
    if (performance.now() - reported < REPORT_MS) continue;
    notify([now, nodes()]);
    reported = performance.now();
  }
  const [first] = threads.filter(({ hasEnded }) => hasEnded).sort((a, b) => a.time() - b.time());
  const bound = await first?.answer;
  if (bound === undefined) throw new RangeError("the search went deeper than its stack allows");
  return {
    bound,
    time: Math.round(first?.time() ?? 0),
    nodes: nodes(),
    traffic: network.traffic,
    missed: machines.reduce((sum, { journal }) => sum + journal.missed, 0),
  };
}

/**
 * Lets all threads search until a time. Those of one machine take turns, from check to check, since
 * they share a table; those of different machines search at the same time.
 */
function advance(
  machines: readonly VirtualMachine[],
  threads: number,
  from: number,
  until: number,
): void {
  const slice = threads === 1 ? until - from : CHECK;
  for (let time = from; time < until; time += slice) {
    for (let i = 0; i < threads; i++) {
      const some = machines.map((machine) => machine.threads[i] as VirtualThread);
      run(some, Math.min(time + slice, until));
    }
  }
}

/** Lets threads of different machines search, each until its clock shows a time or it has its answer. */
function run(threads: readonly VirtualThread[], until: number): void {
  const isUnderWay = (thread: VirtualThread) => !thread.hasEnded && thread.time() < until;
  for (let moving = threads.filter(isUnderWay); moving.length > 0; ) {
    for (const { steps } of moving) steps.goOn();
    for (const thread of moving) thread.hasEnded = !thread.steps.arrived();
    moving = moving.filter(isUnderWay);
  }
}
