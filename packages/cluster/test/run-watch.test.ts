import { parseShape } from "@gridlock/game";
import { kernelVersion } from "@gridlock/kernel";
import type { RunMessage } from "@gridlock/schemas/cluster";
import { describe, expect, it } from "vitest";
import { PROTOCOL } from "../src/messages.js";
import { RunWatch } from "../src/run-watch.js";
import { readableLog } from "./log.js";

const RUN: RunMessage = {
  protocol: PROTOCOL,
  run: "a1",
  host: "host",
  pid: 1,
  shape: "2x2",
  tiles: "2,4",
  began: "2026-11-21T20:53:28.000Z",
  question: null,
  workers: ["me"],
  subtrees: { done: 0, queued: 0, largest: [] },
  starts: [],
  guess: null,
  questions: 0,
  counts: { positions: 0, afterstates: 0 },
};
const FOREIGN = JSON.stringify({ ...RUN, protocol: PROTOCOL + 1 });

function watch() {
  const { log, messages } = readableLog();
  return { watch: new RunWatch(log), messages };
}

describe("a worker's view of the run", () => {
  it("reports a new run", () => {
    const { watch: w, messages } = watch();
    expect(w.read(JSON.stringify(RUN), 0)).toBe(true);
    expect(w.read(JSON.stringify({ ...RUN, questions: 7 }), 1)).toBe(false);
    expect(w.run?.questions).toBe(7);
    expect(w.read(null, 2)).toBe(true);
    expect(w.run).toBeUndefined();
    expect(messages).toEqual(["run", "waiting for a coordinator"]);
  });

  it("is that it is over when there has been none for 10 s after the last", () => {
    const { watch: w } = watch();
    w.read(null, 0);
    expect(w.isOver(60_000)).toBe(false); // none has begun
    w.read(JSON.stringify(RUN), 60_000);
    w.read(null, 70_000);
    expect(w.isOver(79_999)).toBe(false);
    w.read(JSON.stringify({ ...RUN, run: "a2" }), 80_000);
    expect(w.isOver(90_000)).toBe(false);
    for (const now of [100_000, 101_000, 110_000]) w.read(null, now);
    expect(w.isOver(109_999)).toBe(false);
    expect(w.isOver(110_000)).toBe(true);
  });

  it("reports once that it waits for a coordinator", () => {
    const { watch: w, messages } = watch();
    expect(w.read(null, 0)).toBe(true);
    expect(w.read(null, 1)).toBe(false);
    expect(w.run).toBeUndefined();
    expect(messages).toEqual(["waiting for a coordinator"]);
  });

  it("ignores a message of another protocol, and reports it once", () => {
    const { watch: w, messages } = watch();
    w.read(JSON.stringify(RUN), 0);
    expect(w.read(FOREIGN, 1000)).toBe(false);
    expect(w.read(FOREIGN, 9000)).toBe(false);
    expect(w.run).toEqual(RUN);
    expect(messages.slice(1)).toEqual(["ignored the description of the run"]);
    w.read(JSON.stringify(RUN), 10_000);
    expect(w.read(FOREIGN, 12_000)).toBe(false);
  });

  it("ends if such messages persist", () => {
    const { watch: w } = watch();
    w.read(FOREIGN, 1000);
    w.read(FOREIGN, 10_999);
    expect(() => w.read(FOREIGN, 11_000)).toThrow(/received a message of protocol \d+/);
  });

  it("ignores an invalid description of a run, however long it persists", () => {
    const { watch: w } = watch();
    for (const now of [0, 1000, 60_000]) expect(w.read("nonsense", now)).toBe(false);
  });

  it("ends if the coordinator has another kernel", () => {
    const { watch: w } = watch();
    const own = kernelVersion(parseShape("2x2"));
    expect(w.read(JSON.stringify({ ...RUN, kernel: own }), 0)).toBe(true);
    expect(() => w.read(JSON.stringify({ ...RUN, run: "a2", kernel: "other" }), 1)).toThrow(
      `the coordinator's kernel for 2x2 is other, but this worker's is ${own}; use the same version`,
    );
  });
});
