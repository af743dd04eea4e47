import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import { RECORD_BYTES } from "@gridlock/kernel";
import { describe, expect, it, onTestFinished } from "vitest";
import { Outlet, type PassedBatch } from "../src/outlet.js";

/** Bytes that the allowance counts for a record. */
const PACKED_BYTES = 10;
/** The efforts of a cheap bound, and of one that is worth waiting for. */
const [CHEAP, DEAR] = [19, 20];

let numbered = 0;

/** Makes records of these efforts, with different numbers in their first words. */
function recordsOf(efforts: readonly number[]): Uint8Array {
  const words = new Int32Array((efforts.length * RECORD_BYTES) / 4);
  efforts.forEach((effort, i) => {
    words[4 * i] = numbered++;
    words[4 * i + 3] = effort;
  });
  return new Uint8Array(words.buffer);
}

function effortsOf(records: Uint8Array): number[] {
  const words = new Int32Array(records.slice().buffer);
  return Array.from(
    { length: records.length / RECORD_BYTES },
    (_, i) => words[4 * i + 3] as number,
  );
}

function numbersOf(records: Uint8Array): number[] {
  const words = new Int32Array(records.slice().buffer);
  return Array.from({ length: records.length / RECORD_BYTES }, (_, i) => words[4 * i] as number);
}

const NOTHING = recordsOf([]);

/** Makes an outlet, and a receiver that takes a batch when it is told to. */
function setUp(rate: number) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const received: PassedBatch[] = [];
  port2.on("message", (batch: PassedBatch) => received.push(batch));
  const outlet = new Outlet({ port: port1, rate });
  const pass = (records: Uint8Array) =>
    outlet.pass({
      records: records.length / RECORD_BYTES,
      packed: records.slice() as Uint8Array<ArrayBuffer>,
    });
  const arrived = (count: number) => expect.poll(() => received.length).toBe(count);
  /** Asks for the next batch, and waits until the outlet has heard it. */
  const take = async () => {
    port2.postMessage(40);
    await sleep(50);
  };
  return { outlet, pass, received, arrived, take };
}

describe("an outlet", () => {
  it("passes batches on to the other end of its port", async () => {
    const { outlet, pass, received, arrived } = setUp(Number.POSITIVE_INFINITY);
    await sleep(1);
    const records = recordsOf([CHEAP, DEAR]);
    const { passed, held } = outlet.select(records);
    expect([passed, held.length]).toEqual([records, 0]);
    pass(passed);
    await arrived(1);
    expect(received).toEqual([{ records: 2, packed: records }]);
  });

  it("lets dear bounds wait, and leaves out cheap ones, while a batch is not taken", async () => {
    const { outlet, pass, take } = setUp(Number.POSITIVE_INFINITY);
    await sleep(1);
    pass(outlet.select(recordsOf([DEAR])).passed);
    const waiting: number[] = [];
    for (const efforts of [[CHEAP, DEAR, 1], [CHEAP], [63, DEAR]]) {
      const records = recordsOf(efforts);
      const { passed, held } = outlet.select(records);
      expect([passed.length, held]).toEqual([0, records]); // all of them are saved
      waiting.push(...numbersOf(records).filter((_, i) => (efforts[i] as number) >= DEAR));
    }
    await take();
    const news = recordsOf([CHEAP]);
    const { passed } = outlet.select(news);
    expect(numbersOf(passed)).toEqual([...waiting, ...numbersOf(news)]);
    expect(outlet.select(NOTHING).passed).toHaveLength(0); // each goes once
  });

  it("passes on the last bounds, and those that wait, without being asked", async () => {
    const { outlet, pass, arrived } = setUp(Number.POSITIVE_INFINITY);
    await sleep(1);
    pass(outlet.select(recordsOf([DEAR])).passed);
    const [waiting, last] = [recordsOf([DEAR]), recordsOf([CHEAP])];
    outlet.select(waiting);
    await sleep(1);
    outlet.finish();
    const { passed } = outlet.select(last);
    expect(numbersOf(passed)).toEqual([...numbersOf(waiting), ...numbersOf(last)]);
    pass(passed);
    await arrived(2);
  });

  it("keeps at most 65,536 of them", async () => {
    const { outlet, pass, take } = setUp(Number.POSITIVE_INFINITY);
    pass(NOTHING);
    const half = Array<number>(40_000).fill(DEAR);
    for (let i = 0; i < 3; i++) outlet.select(recordsOf(half));
    await take();
    expect(outlet.select(NOTHING).passed.length / RECORD_BYTES).toBe(65_536);
  });

  it("never exceeds its rate, and prefers the costliest bounds", async () => {
    const rate = 2000;
    const { outlet } = setUp(rate);
    const began = performance.now();
    const efforts = Array.from({ length: 300 }, (_, i) => 1 + (i % 60));
    let records = 0;
    for (let i = 0; i < 20; i++) {
      await sleep(20);
      const { passed, held } = outlet.select(recordsOf(efforts));
      records += passed.length / RECORD_BYTES;
      expect((passed.length + held.length) / RECORD_BYTES).toBe(efforts.length);
      const least = Math.min(...effortsOf(passed));
      expect(Math.max(...effortsOf(held))).toBeLessThan(least);
    }
    const seconds = (performance.now() - began) / 1000;
    expect(records).toBeGreaterThan(0);
    expect(records * PACKED_BYTES).toBeLessThanOrEqual(rate * seconds);
  });

  it("saves no more than a second's worth while nobody takes anything", async () => {
    const rate = 1000;
    const { outlet, pass, take } = setUp(rate);
    pass(NOTHING);
    await sleep(1500);
    outlet.select(recordsOf(Array<number>(1000).fill(DEAR)));
    await take();
    const { passed, held } = outlet.select(
      recordsOf(Array.from({ length: 500 }, (_, i) => i % 60)),
    );
    expect((passed.length / RECORD_BYTES) * PACKED_BYTES).toBeLessThanOrEqual(rate);
    expect(passed.length + held.length).toBe(1500 * RECORD_BYTES);
  });
});
