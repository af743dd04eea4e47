import { describe, expect, it } from "vitest";
import { effortOf, Journal, Kernel, RECORD_BYTES, ThreadMonitor } from "../src/index.js";
import { START, tableOf } from "./three.js";

/** The efforts of records. */
function effortsOf(records: Uint8Array): number[] {
  const words = new Uint32Array(records.buffer, records.byteOffset, records.length / 4);
  return Array.from(
    { length: records.length / RECORD_BYTES },
    (_, i) => words[4 * i + 3] as number,
  );
}

/** Searches a question in pieces; returns what the sharer is given meanwhile. */
function share(kernel: Kernel, journal: Journal, threshold: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let answer: unknown; answer === undefined; ) {
    answer = kernel.ask(START, threshold, 20_000);
    parts.push(journal.drain().slice());
  }
  return parts;
}

describe("a search that shares", () => {
  const OWN = 0x9e3779b97f4a7c15n;

  it.each([
    ["together with others", 0n],
    ["in an order of its own", OWN],
  ])("%s finds the same value", (_, tieSeed) => {
    const kernel = new Kernel(tableOf(), 0, { together: true });
    expect(kernel.ask(START, 188, 1e9, tieSeed)).toEqual({ lo: 0, hi: 184 });
    expect(kernel.ask(START, 184, 1e9, tieSeed)?.lo).toBe(184);
  });

  it("expands other nodes in an order of its own, and in the usual one always the same", () => {
    const nodes = (tieSeed?: bigint) => {
      const table = tableOf();
      new Kernel(table, 0, { together: true }).ask(START, 188, 1e9, tieSeed);
      return new ThreadMonitor(table).counts();
    };
    expect(nodes()).toEqual(nodes(0n));
    expect(nodes(OWN)).toEqual(nodes(OWN));
    expect(nodes(OWN)).not.toEqual(nodes(0x94d049bb133111ebn));
    expect(nodes(OWN)).not.toEqual(nodes());
  });

  it("gives the sharer bounds that cost enough, and no others, whatever the keeper takes", () => {
    const table = tableOf();
    const keeper = new Journal(table, "keeper");
    const sharer = new Journal(table, "sharer");
    keeper.open(1);
    sharer.open(effortOf(10));
    new Kernel(table, 0).ask(START, 188, 20_000);
    const shared = effortsOf(sharer.drain());
    expect(shared.length).toBeGreaterThan(50);
    expect(Math.min(...shared)).toBe(effortOf(10));
    const kept = effortsOf(keeper.drain());
    expect(kept.length).toBeGreaterThan(2 * shared.length);
    expect(Math.min(...kept)).toBe(1);
  });

  it("keeps room for a reader only until it is closed", () => {
    const table = tableOf();
    const keeper = new Journal(table, "keeper");
    const sharer = new Journal(table, "sharer");
    keeper.open(1);
    sharer.open(1);
    const kernel = new Kernel(table, 0);
    const missedBy = (threshold: number) => {
      const before = keeper.missed;
      for (let answer: unknown; answer === undefined; keeper.drain()) {
        answer = kernel.ask(START, threshold, 20_000);
      }
      return keeper.missed - before;
    };
    expect(missedBy(400)).toBeGreaterThan(0); // the sharer, which is not read, has the ring full
    sharer.close();
    expect(missedBy(184)).toBe(0);
  });

  it("announces nodes that take long, to the sharer alone", () => {
    const table = tableOf();
    const keeper = new Journal(table, "keeper");
    const sharer = new Journal(table, "sharer");
    keeper.open(1);
    sharer.open(63);
    sharer.share({ reuseEffort: 0, announceAfter: 1000 });
    new Kernel(table, 0, { together: true }).ask(START, 188, 20_000);
    const announced = sharer.drain();
    expect(effortsOf(announced).every((effort) => effort === 0)).toBe(true);
    expect(announced.length / RECORD_BYTES).toBeGreaterThan(10);
    expect(announced.length / RECORD_BYTES).toBeLessThan(500);
    expect(Math.min(...effortsOf(keeper.drain()))).toBe(1);
  });

  it("passes cheap entries on the first time that they are of use, and only then", () => {
    const effort = effortOf(20);
    const told = (reuseEffort: number) => {
      const table = tableOf();
      const sharer = new Journal(table, "sharer");
      sharer.open(effort);
      sharer.share({ reuseEffort, announceAfter: 0 });
      const kernel = new Kernel(table, 0);
      const parts = share(kernel, sharer, 188).flatMap((part) => kernel.records.entriesOf(part));
      return parts.filter((entry) => entry.effort === effort);
    };
    const plain = told(0);
    const reused = told(effort);
    expect(reused.length).toBeGreaterThan(2 * plain.length);
    const times = new Map<string, number>();
    for (const { turn, board, lo, hi } of reused) {
      const name = `${turn} ${board} ${lo} ${hi}`;
      times.set(name, (times.get(name) ?? 0) + 1);
    }
    expect([...times.values()].filter((count) => count > 1).length).toBeLessThan(
      reused.length / 50,
    );
  });

  it("has a second table know what the first has found", () => {
    const table = tableOf();
    const sharer = new Journal(table, "sharer");
    sharer.open(1);
    sharer.share({ reuseEffort: 0, announceAfter: 500 });
    const first = new Kernel(table, 0, { together: true });
    const second = new Kernel(tableOf(), 0, { together: true });
    for (const part of share(first, sharer, 188)) {
      expect(second.records.unpackForeign(first.records.pack(part)).refused).toBe(0);
    }
    expect(second.look(START)).toEqual(first.look(START));
    expect(second.ask(START, 188)).toEqual({ lo: 0, hi: 184 });
  });
});

describe("records from elsewhere", () => {
  const record = (key: bigint, lo: number, hi: number, effort: number) => {
    const bytes = new Uint8Array(RECORD_BYTES);
    const view = new DataView(bytes.buffer);
    view.setBigUint64(0, key, true);
    view.setUint16(8, lo, true);
    view.setUint16(10, hi, true);
    view.setUint32(12, effort, true);
    return bytes;
  };

  it("that cannot be true are left out and counted, the others are not", () => {
    const source = new Kernel(tableOf(), 0);
    const after = { turn: "placer", board: START.board } as const;
    source.learn({ ...after, lo: 100, hi: 200, effort: 9 });
    const [good] = [...source.records.read(1)] as [Uint8Array];
    const key = new DataView(good.buffer, good.byteOffset).getBigUint64(0, true);
    const kernel = new Kernel(tableOf(), 0);
    expect(kernel.records.unpackForeign(kernel.records.pack(record(key, 60, 40, 9)))).toEqual({
      records: 1,
      refused: 1,
    });
    expect(kernel.look(after)).toEqual({ lo: 0, hi: Number.POSITIVE_INFINITY });
    // Of all keys near this one hardly any is that of a canonical board: one in eight at most.
    let refused = 0;
    for (let i = 1n; i <= 200n; i++)
      refused += kernel.records.unpackForeign(
        kernel.records.pack(record(key ^ i, 0, 5, 9)),
      ).refused;
    expect(refused).toBeGreaterThan(150);
    expect(kernel.records.unpackForeign(kernel.records.pack(good))).toEqual({
      records: 1,
      refused: 0,
    });
    expect(kernel.look(after)).toEqual({ lo: 100, hi: 200 });
  });
});
