import { Worker } from "node:worker_threads";
import { Kernel, type SharedTable, Steps, ThreadMonitor } from "@gridlock/kernel";
import { afterEach, describe, expect, it } from "vitest";
import { START, tableOf } from "./three.js";

/** A thread that asks the question once it gets a message, and ends its steps. */
const SEARCHER = `
  import { parentPort, workerData } from "node:worker_threads";
  import { Kernel, Steps } from ${JSON.stringify(import.meta.resolve("@gridlock/kernel"))};
  const { table, thread, start, threshold, neighbours } = workerData;
  const kernel = new Kernel(table, thread);
  const steps = new Steps(table, thread);
  parentPort.once("message", () => {
    kernel.ask(start, threshold, undefined, { together: true, neighbours });
    steps.end();
  });
  parentPort.postMessage("ready");
`;

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

/** Starts a thread of a table that searches step by step, and waits for its first check. */
async function searcher(
  table: SharedTable,
  thread: number,
  threshold: number,
  neighbours = false,
): Promise<Steps> {
  const url = new URL(`data:text/javascript,${encodeURIComponent(SEARCHER)}`);
  const workerData = { table, thread, start: START, threshold, neighbours };
  const worker = new Worker(url, { workerData });
  workers.push(worker);
  await new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const steps = new Steps(table, thread);
  steps.begin();
  worker.postMessage("ask");
  expect(steps.arrived()).toBe(true);
  return steps;
}

/** Has a thread go on to its next check, or to the end of its question. */
function step(steps: Steps): boolean {
  steps.goOn();
  return steps.arrived();
}

const nodesOf = (table: SharedTable, thread: number) => {
  const { positions, afterstates } = new ThreadMonitor(table).countsOf(thread);
  return positions + afterstates;
};

describe("a search step by step", () => {
  it("stops every 256 nodes, and has the answer and the nodes of any search", async () => {
    const whole = tableOf();
    const kernel = new Kernel(whole, 0);
    const bound = kernel.ask(START, 184, undefined, { together: true });
    const nodes = nodesOf(whole, 0);

    const table = tableOf(2);
    const steps = await searcher(table, 1, 184);
    let checks = 0;
    expect(nodesOf(table, 1)).toBe(0);
    while (step(steps)) {
      checks++;
      expect(nodesOf(table, 1)).toBe(256 * checks);
    }
    expect(checks).toBe(Math.floor(nodes / 256));
    expect(nodesOf(table, 1)).toBe(nodes);
    expect(new Kernel(table, 0).look(START).lo).toBe(bound?.lo);
  });

  it("that two threads of a table take turns in repeats to the node", async () => {
    const turns = async () => {
      const table = tableOf(2);
      const threads = [await searcher(table, 0, 188, true), await searcher(table, 1, 188, true)];
      for (let open = threads; open.length > 0; ) open = open.filter(step);
      return [nodesOf(table, 0), nodesOf(table, 1)];
    };
    const counts = await turns();
    expect(Math.min(...counts)).toBeGreaterThan(1000);
    expect(await turns()).toEqual(counts);
  });

  it("can be ended between two steps", async () => {
    const table = tableOf();
    await searcher(table, 0, 188);
    await workers[0]?.terminate();
    expect(nodesOf(table, 0)).toBe(0);
  });
});

describe("a search that others take part in", () => {
  /** Counts the checks to a search's end after a few checks and an answer from elsewhere. */
  async function checksAfter(neighbours: boolean, answer: (kernel: Kernel) => void) {
    const table = tableOf(2);
    const steps = await searcher(table, 0, 188, neighbours);
    for (let i = 0; i < 4; i++) step(steps);
    answer(new Kernel(table, 1));
    let checks = 0;
    while (step(steps)) checks++;
    return checks;
  }
  const learn = (kernel: Kernel) => kernel.learn({ ...START, lo: 0, hi: 184, effort: 1 });
  /** Puts the answer into the table as records from another machine. */
  const receive = (kernel: Kernel) => {
    learn(kernel);
    kernel.records.unpack(
      [...kernel.records.read(1)].map((records) => kernel.records.packInOrder(records)),
    );
  };

  it("is dropped at the next check once a thread beside it has the answer", async () => {
    expect(await checksAfter(true, learn)).toBe(0);
  });

  it("is dropped at the next check once the answer has come from another machine", async () => {
    expect(await checksAfter(false, receive)).toBe(0);
  });

  it("looks for answers only if others may have put them there", async () => {
    expect(await checksAfter(false, learn)).toBeGreaterThan(10);
  });
});
