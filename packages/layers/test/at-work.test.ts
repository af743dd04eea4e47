import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LayeredProof, solveByLayers, type Visit, VisitCrew } from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { expect, it } from "vitest";
import { AT_WORK, CHANGES, IN_USE, makeBlockMemory, WORD, wordOf } from "../src/block-memory.js";
import { instantiate } from "../src/module.js";
import { Visitor } from "../src/visitor.js";
import { gameOf } from "./setup.js";

/** Words that the test shares with its watcher. */
const [STATE, END, FOUND] = [0, 1, 2];

/**
 * Looks at a block's state all the time, and counts how often a thread uses the block but no thread
 * is at work. No visit or save begins or ends between the looks at both.
 */
const WATCHER = `
const { parentPort, workerData } = require("node:worker_threads");
const { words, shared, atWork, changes, IN_USE, STATE, END, FOUND } = workerData;
const isInUse = () => Atomics.load(words, Atomics.load(shared, STATE)) === IN_USE;
parentPort.postMessage("ready");
while (Atomics.load(shared, END) === 0) {
  const before = Atomics.load(words, changes);
  if (!isInUse() || Atomics.load(words, atWork) !== 0 || !isInUse()) continue;
  if (Atomics.load(words, changes) === before) Atomics.add(shared, FOUND, 1);
}`;

it("counts a thread as at work while it visits or saves a block", async () => {
  const game = gameOf("2x4");
  const above = temporaryFolder();
  using database = Database.open(join(above, "test.db"));
  using proof = LayeredProof.open(game, join(above, "layers"));
  const blocks = makeBlockMemory(game, 1, 64 * 2 ** 20);
  const module = instantiate(game, blocks.memory);
  const { words } = blocks;
  const shared = new Int32Array(new SharedArrayBuffer(16));
  const stateOf = (block: string): number => {
    return wordOf(module.placeOf(BigInt(`0x${block}`)), WORD.state);
  };
  const workerData = {
    ...{ words, shared, atWork: AT_WORK, changes: CHANGES },
    ...{ IN_USE, STATE, END, FOUND },
  };
  const watcher = new Worker(WATCHER, { eval: true, workerData });
  try {
    await once(watcher, "message");
    const visitor = new Visitor(game, proof, blocks, 0);
    class WatchedCrew extends VisitCrew {
      override async visit(visits: readonly Visit[]) {
        return visits.map((visit) => {
          Atomics.store(shared, STATE, stateOf(visit.block));
          const outcome = visitor.visit(visit);
          visitor.save(visit);
          return outcome;
        });
      }

      override async save() {}
    }
    await using crew = new WatchedCrew(game, proof, { threads: 0, bytes: 2 ** 20 });
    await solveByLayers(game, database, proof, crew, { guess: 124 });
    expect(Atomics.load(shared, FOUND)).toBe(0);
  } finally {
    Atomics.store(shared, END, 1);
    await watcher.terminate();
  }
});
