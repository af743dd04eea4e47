import { parseShape } from "@gridlock/game";
import { kernelVersion } from "@gridlock/kernel";
import type { RunMessage } from "@gridlock/schemas/cluster";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, disconnect } from "../src/connection.js";
import type { Redis } from "../src/ioredis.js";
import { keysOf } from "../src/keys.js";
import { PROTOCOL } from "../src/messages.js";
import { RunWatch } from "../src/run-watch.js";
import { readableLog } from "./log.js";
import { someRedis } from "./redis.js";

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
  starts: [],
  questions: 0,
  counts: { positions: 0, afterstates: 0 },
};
const FOREIGN = JSON.stringify({ ...RUN, protocol: PROTOCOL + 1 });

function watch() {
  const { log, messages } = readableLog();
  const keys = keysOf({ url: "", prefix: "p", cluster: false });
  // Tests pass the contents of the key to `take`.
  const client = undefined as unknown as Redis;
  const made = new RunWatch({ client, blocking: client, keys, log });
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

  it("is that it is over when there has been none for 10 s after the last", () => {
    const { watch: w } = watch();
    w.take(null, 0);
    expect(w.isOver(60_000)).toBe(false); // none has begun
    w.take(JSON.stringify(RUN), 60_000);
    w.take(null, 70_000);
    expect(w.isOver(79_999)).toBe(false);
    w.take(JSON.stringify({ ...RUN, run: "a2" }), 80_000);
    expect(w.isOver(90_000)).toBe(false);
    for (const now of [100_000, 101_000, 110_000]) w.take(null, now);
    expect(w.isOver(109_999)).toBe(false);
    expect(w.isOver(110_000)).toBe(true);
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

  it("ends if the coordinator has another kernel", () => {
    const { watch: w } = watch();
    const own = kernelVersion(parseShape("2x2"));
    expect(w.take(JSON.stringify({ ...RUN, kernel: own }), 0)).toBe(true);
    expect(() => w.take(JSON.stringify({ ...RUN, run: "a2", kernel: "other" }), 1)).toThrow(
      `the coordinator's kernel for 2x2 is other, but this worker's is ${own}; use the same version`,
    );
  });

  describe("waits for news", () => {
    /** Milliseconds that no test may take. */
    const LONG_MS = 60 * 60_000;

    async function setUp() {
      const redis = await someRedis();
      const keys = keysOf(redis);
      const [client, blocking] = [connect(redis, "commands"), connect(redis, "blocking")];
      onTestFinished(() => [client, blocking].forEach(disconnect));
      const { log } = readableLog();
      const watch = new RunWatch({ client, blocking, keys, log });
      const announce = () => client.xadd(keys.news, "MAXLEN", 1, "*", "run", "a1");
      /** Returns the milliseconds that a wait takes. */
      const wait = async (most: number) => {
        const began = performance.now();
        await watch.news(most);
        return performance.now() - began;
      };
      return { client, keys, announce, wait };
    }

    it("until there is some, or until its time is up", async () => {
      const { announce, wait } = await setUp();
      expect(await wait(300)).toBeGreaterThan(250);
      const waiting = wait(LONG_MS);
      await announce();
      await waiting;
      expect(await wait(300)).toBeGreaterThan(250); // it is no longer news
    });

    it("also after the ids of news have begun anew", async () => {
      const { client, keys, announce, wait } = await setUp();
      await client.xadd(keys.news, "99999999999999-0", "run", "a1");
      await wait(LONG_MS);
      await client.del(keys.news);
      await wait(100);
      const waiting = wait(LONG_MS);
      await announce();
      await waiting;
    });
  });
});
