import { Worker } from "node:worker_threads";
import { Kernel, Paths, type SharedTable, Steps, ThreadMonitor } from "@gridlock/kernel";
import { afterEach, describe, expect, it } from "vitest";
import { START, tableOf } from "./three.js";

/** A thread that asks the question once it gets a message, and ends its steps. */
const SEARCHER = `
  import { parentPort, workerData } from "node:worker_threads";
  import { Kernel, Steps } from ${JSON.stringify(import.meta.resolve("@gridlock/kernel"))};
  const { table, thread, start, threshold } = workerData;
  const kernel = new Kernel(table, thread);
  const steps = new Steps(table, thread);
  parentPort.once("message", () => {
    kernel.ask(start, threshold, undefined, { together: true });
    steps.end();
  });
  parentPort.postMessage("ready");
`;

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

/** Starts a thread of a table that searches step by step, and waits for its first check. */
async function searcher(table: SharedTable, thread: number, threshold: number): Promise<Steps> {
  const url = new URL(`data:text/javascript,${encodeURIComponent(SEARCHER)}`);
  const worker = new Worker(url, { workerData: { table, thread, start: START, threshold } });
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
      const threads = [await searcher(table, 0, 188), await searcher(table, 1, 188)];
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

describe("the nodes on a thread's path", () => {
  it("have lasted if they are there at two calls, the start first", async () => {
    const table = tableOf(2);
    const steps = await searcher(table, 0, 188);
    const paths = new Paths(table, 2);
    expect(paths.lasting(100)).toEqual([]);
    for (let i = 0; i < 4; i++) step(steps);
    expect(paths.lasting(100)).toEqual([]); // the first call with a path
    step(steps);
    const lasting = paths.lasting(100);
    // A key (`assembly/keys.ts`) is a board with a bit for its turn: the start, and a slide of it.
    expect(lasting[0]).toBe(BigInt(START.board) << 1n);
    expect((lasting[1] as bigint) & 1n).toBe(1n);
    expect(new Set(lasting).size).toBe(lasting.length);
    step(steps);
    expect(paths.lasting(1)).toEqual(lasting.slice(0, 1));
    while (step(steps));
    paths.lasting(100);
    expect(paths.lasting(100)).toEqual([]); // the search has ended
  });
});
