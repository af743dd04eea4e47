import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Game } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import {
  SNAPSHOT_PARTS,
  SnapshotFile,
  type SnapshotIdentity,
  snapshotFileOf,
} from "../src/index.js";
import { damage, errorOf } from "./damage.js";

const GAME: Game = { shape: { rows: 2, cols: 3 }, tiles: [2, 4] };
const IDENTITY: SnapshotIdentity = { game: GAME, kernel: "0123456789ab" };

const batchOf = (...bytes: number[]) => ({
  entries: bytes.length,
  data: Uint8Array.from(bytes),
});

function freshFile(): string {
  return join(temporaryFolder(), "test.2x3.snapshot");
}

/** Writes a snapshot with these batches, and closes it. */
function filledFile(...batches: number[][]): string {
  const file = freshFile();
  const snapshot = SnapshotFile.open(file);
  snapshot.expect(IDENTITY);
  for (const bytes of batches) snapshot.add(IDENTITY, [batchOf(...bytes)]);
  snapshot.close();
  return file;
}

/** Returns the bytes of all batches of a file. */
function read(file: string, identity = IDENTITY): number[][] {
  const snapshot = SnapshotFile.open(file, { readOnly: true });
  try {
    snapshot.expect(identity);
    return [...snapshot.batches(identity)].map(({ data }) => [...data]);
  } finally {
    snapshot.close();
  }
}

describe("a snapshot", () => {
  it("is stored beside the database, one for each game", () => {
    expect(snapshotFileOf("results/gridlock.db", GAME)).toBe("results/gridlock.2x3.snapshot");
    const turned: Game = { shape: { rows: 3, cols: 2 }, tiles: [2] };
    expect(snapshotFileOf("other", turned)).toBe("other.2x3-tiles-2.snapshot");
  });

  it("returns its batches in order", () => {
    const file = filledFile([1, 2, 3], [], [4]);
    expect(read(file)).toEqual([[1, 2, 3], [], [4]]);
    const snapshot = SnapshotFile.open(file, { readOnly: true });
    expect(snapshot.summary()).toMatchObject({ entries: 4, batches: 3 });
    expect(snapshot.faults()).toEqual([]);
    snapshot.close();
  });

  it("written in parts keeps each part once, and news until all parts cover it", () => {
    const file = filledFile([1], [2]);
    const snapshot = SnapshotFile.open(file);
    const contents = () => [...snapshot.batches(IDENTITY)].map(({ data }) => data[0]);
    expect(snapshot.oldestPart()).toBe(0);
    for (let part = 0; part < SNAPSHOT_PARTS; part++) {
      if (part % 16 === 0) {
        expect(contents()).toEqual([...Array.from({ length: part }, (_, i) => i % 100), 1, 2]);
      }
      expect(snapshot.oldestPart()).toBe(part);
      snapshot.writePart(IDENTITY, part, part === 77 ? 1 : 2, [batchOf(part % 100)]);
    }
    const parts = Array.from({ length: SNAPSHOT_PARTS }, (_, i) => i % 100);
    expect(contents()).toEqual([...parts, 2]);
    expect(snapshot.oldestPart()).toBe(77);
    const [id] = snapshot.add(IDENTITY, [batchOf(3)]);
    snapshot.writePart(IDENTITY, 77, id as number, [batchOf(200), batchOf(201)]);
    expect(contents()).toEqual([...parts.slice(0, 77), 200, 201, ...parts.slice(78), 3]);
    snapshot.close();
  });

  it("numbers its batches without gaps, so that a writer notices another", () => {
    const file = filledFile([1], [2]);
    const [one, other] = [SnapshotFile.open(file), SnapshotFile.open(file)];
    expect(one.add(IDENTITY, [batchOf(3), batchOf(4)])).toEqual([3, 4]);
    expect(one.writePart(IDENTITY, 0, 4, [batchOf(5)])).toEqual([5]);
    expect(other.add(IDENTITY, [batchOf(6)])).toEqual([6]);
    expect(one.writePart(IDENTITY, 0, 4, [batchOf(7)])).toEqual([7]);
    one.close();
    other.close();
    expect(read(file)).toEqual([[7], [1], [2], [3], [4], [6]]);
  });

  it("does not change if making its new contents fails", () => {
    const file = filledFile([1], [2]);
    const snapshot = SnapshotFile.open(file);
    snapshot.writePart(IDENTITY, 0, 0, [batchOf(9)]);
    const batches = function* () {
      yield batchOf(3);
      throw new Error("no more");
    };
    expect(() => snapshot.writePart(IDENTITY, 0, 2, batches())).toThrow("no more");
    expect(() => snapshot.add(IDENTITY, batches())).toThrow("no more");
    snapshot.close();
    expect(read(file)).toEqual([[9], [1], [2]]);
  });

  it.each([
    [
      "shape",
      "other-game",
      { game: { ...GAME, shape: { rows: 2, cols: 4 } }, kernel: "0123456789ab" },
    ],
    ["tile set", "other-game", { game: { ...GAME, tiles: [2] }, kernel: "0123456789ab" }],
    ["kernel", "other-kernel", { game: GAME, kernel: "ba9876543210" }],
  ] as const)("of another %s is rejected with a sentence", (_, code, identity) => {
    const file = filledFile([1]);
    for (const readOnly of [true, false]) {
      const snapshot = SnapshotFile.open(file, { readOnly });
      const error = errorOf(() => snapshot.expect(identity));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(/expected one of 2x|and this is kernel ba9876543210/);
      expect(error.message).toContain("delete it to continue without it");
      snapshot.close();
    }
  });

  it.each(["shape", "tiles", "kernel"])("with a forged %s is quoted in one line", (column) => {
    const file = filledFile([1]);
    const sqlite = new Sqlite(file);
    sqlite.prepare(`UPDATE identity SET ${column} = ?`).run(`1\n2${"3".repeat(1000)}`);
    sqlite.close();
    using snapshot = SnapshotFile.open(file, { readOnly: true });
    const { message } = errorOf(() => snapshot.expect(IDENTITY));
    expect(message).toMatch(/^.*"1\\n23+.*$/);
    expect(message.length).toBeLessThan(700);
  });

  it("of another format, or that is not a snapshot, is rejected with a sentence", () => {
    const file = filledFile([1]);
    const sqlite = new Sqlite(file);
    sqlite.pragma("user_version = 9");
    sqlite.close();
    expect(errorOf(() => SnapshotFile.open(file)).code).toBe("other-version");
    const text = freshFile();
    writeFileSync(text, "What is this?\n".repeat(500));
    expect(errorOf(() => SnapshotFile.open(text)).code).toBe("not-a-database");
  });

  it("truncated or with a bit flipped is reported as damaged, or returns what was written", () => {
    const batches = [Array.from({ length: 3000 }, (_, i) => i % 251), [1, 2, 3], [4]];
    const file = filledFile(...batches);
    damage(file, { flips: 300, shortest: 509 }, () => {
      const found = read(file);
      const known = batches.map(String);
      expect(found.every((batch) => known.includes(String(batch)))).toBe(true);
    });
    truncateSync(file, 0);
    expect(read(file)).toEqual([]); // its writer was killed before creating the tables
  });
});
