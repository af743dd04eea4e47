import { describe, expect, it } from "vitest";
import type { Redis } from "../src/ioredis.js";
import { keysOf } from "../src/keys.js";
import { PROTOCOL, type RunMessage } from "../src/messages.js";
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
  open: [],
  starts: [],
  questions: 0,
  counts: { positions: 0, afterstates: 0 },
  shutOut: [],
};
const FOREIGN = JSON.stringify({ ...RUN, protocol: PROTOCOL + 1 });

function watch() {
  const { log, messages } = readableLog();
  const keys = keysOf({ url: "", prefix: "p", cluster: false });
  // Tests pass the contents of the key to `take`.
  const made = new RunWatch({ client: undefined as unknown as Redis, keys, name: "me", log });
  return { watch: made, messages };
}

describe("a worker's view of the run", () => {
  it("reports a new run", () => {
    const { watch: w, messages } = watch();
    expect(w.take(JSON.stringify(RUN), 0)).toBe(true);
    expect(w.take(JSON.stringify({ ...RUN, questions: 7 }), 1)).toBe(false);
    expect(w.run?.questions).toBe(7);
    expect(w.take(null, 2)).toBe(true);
    expect(w.run).toBeUndefined();
    expect(messages).toEqual(["run", "waiting for a coordinator"]);
  });

  it("reports once that it waits for a coordinator", () => {
    const { watch: w, messages } = watch();
    expect(w.take(null, 0)).toBe(true);
    expect(w.take(null, 1)).toBe(false);
    expect(w.run).toBeUndefined();
    expect(messages).toEqual(["waiting for a coordinator"]);
  });

  it("ignores a message of another protocol, and reports it once", () => {
    const { watch: w, messages } = watch();
    w.take(JSON.stringify(RUN), 0);
    expect(w.take(FOREIGN, 1000)).toBe(false);
    expect(w.take(FOREIGN, 9000)).toBe(false);
    expect(w.run).toEqual(RUN);
    expect(messages.slice(1)).toEqual(["ignored the description of the run"]);
    w.take(JSON.stringify(RUN), 10_000);
    expect(w.take(FOREIGN, 12_000)).toBe(false);
  });

  it("ends if such messages persist", () => {
    const { watch: w } = watch();
    w.take(FOREIGN, 1000);
    w.take(FOREIGN, 10_999);
    expect(() => w.take(FOREIGN, 11_000)).toThrow(/received a message of protocol \d+/);
  });

  it("ignores an invalid description of a run, however long it persists", () => {
    const { watch: w } = watch();
    for (const now of [0, 1000, 60_000]) expect(w.take("nonsense", now)).toBe(false);
  });

  it("ends when the worker is shut out", () => {
    const { watch: w } = watch();
    expect(() => w.take(JSON.stringify({ ...RUN, shutOut: ["me"] }), 0)).toThrow(
      /this worker, me, .* was shut out of the run/,
    );
  });
});
