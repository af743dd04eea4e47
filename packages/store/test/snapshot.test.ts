import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Game } from "@gridlock/game";
import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { SnapshotFile, type SnapshotIdentity, snapshotFileOf } from "../src/index.js";
import { damage, errorOf, temporaryFolder } from "./folder.js";

const GAME: Game = { shape: { rows: 2, cols: 3 }, tiles: [2, 4] };
const IDENTITY: SnapshotIdentity = { game: GAME, kernel: "0123456789ab" };

const batchOf = (...bytes: number[]) => ({
  entries: bytes.length,
  data: Uint8Array.from(bytes),
});

function freshFile(): string {
  return join(temporaryFolder(), "test.2x3.snapshot");
}

/** A snapshot with these batches, closed. */
function filledFile(...batches: number[][]): string {
  const file = freshFile();
  const snapshot = SnapshotFile.open(file);
  snapshot.expect(IDENTITY);
  for (const bytes of batches) snapshot.write(IDENTITY, [batchOf(...bytes)]);
  snapshot.close();
  return file;
}

/** The bytes of all batches of a file. */
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
  it("is kept beside the database, one for each game", () => {
    expect(snapshotFileOf("results/gridlock.db", GAME)).toBe("results/gridlock.2x3.snapshot");
    const turned: Game = { shape: { rows: 3, cols: 2 }, tiles: [2] };
    expect(snapshotFileOf("other", turned)).toBe("other.2x3-tiles-2.snapshot");
  });

  it("gives back its batches in their order", () => {
    const file = filledFile([1, 2, 3], [], [4]);
    expect(read(file)).toEqual([[1, 2, 3], [], [4]]);
    const snapshot = SnapshotFile.open(file, { readOnly: true });
    expect(snapshot.summary()).toMatchObject({ entries: 4, batches: 3 });
    expect(snapshot.faults()).toEqual([]);
    snapshot.close();
  });

  it("puts batches in the place of those that are named, and of no others", () => {
    const file = filledFile([1], [2]);
    const [one, other] = [SnapshotFile.open(file), SnapshotFile.open(file)];
    const mine = [...one.batches(IDENTITY)].map(({ id }) => id);
    other.write(IDENTITY, [batchOf(3)]);
    one.write(IDENTITY, [batchOf(4), batchOf(5)], mine);
    one.close();
    other.close();
    expect(read(file)).toEqual([[3], [4], [5]]);
  });

  it("stays as it was when the batches that should take its place cannot be made", () => {
    const file = filledFile([1], [2]);
    const snapshot = SnapshotFile.open(file);
    const batches = function* () {
      yield batchOf(3);
      throw new Error("no more");
    };
    expect(() => snapshot.write(IDENTITY, batches(), [1, 2])).toThrow("no more");
    snapshot.close();
    expect(read(file)).toEqual([[1], [2]]);
  });

  it("can be cleared, and then be another kernel's", () => {
    const file = filledFile([1]);
    const snapshot = SnapshotFile.open(file);
    snapshot.clear();
    expect(snapshot.summary()).toBeUndefined();
    snapshot.expect({ ...IDENTITY, kernel: "another" });
    snapshot.close();
  });

  it.each([
    [
      "shape",
      "other-game",
      { game: { ...GAME, shape: { rows: 2, cols: 4 } }, kernel: "0123456789ab" },
    ],
    ["tile set", "other-game", { game: { ...GAME, tiles: [2] }, kernel: "0123456789ab" }],
    ["kernel", "other-kernel", { game: GAME, kernel: "ba9876543210" }],
  ] as const)("of another %s is refused with a sentence", (_, code, identity) => {
    const file = filledFile([1]);
    for (const readOnly of [true, false]) {
      const snapshot = SnapshotFile.open(file, { readOnly });
      const error = errorOf(() => snapshot.expect(identity));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(/expected one of 2x|and this is kernel ba9876543210/);
      expect(error.message).toContain("delete it to go on without it");
      snapshot.close();
    }
  });

  it("of another format, or no snapshot at all, is refused with a sentence", () => {
    const file = filledFile([1]);
    const sqlite = new Sqlite(file);
    sqlite.pragma("user_version = 2");
    sqlite.close();
    expect(errorOf(() => SnapshotFile.open(file)).code).toBe("other-version");
    const text = freshFile();
    writeFileSync(text, "What is this?\n".repeat(500));
    expect(errorOf(() => SnapshotFile.open(text)).code).toBe("not-a-database");
  });

  it("that was cut short or has a bit flipped is told to be damaged, or gives what was written", () => {
    const batches = [Array.from({ length: 3000 }, (_, i) => i % 251), [1, 2, 3], [4]];
    const file = filledFile(...batches);
    damage(file, { flips: 600, shortest: 509 }, () => {
      const found = read(file);
      const known = batches.map(String);
      expect(found.every((batch) => known.includes(String(batch)))).toBe(true);
    });
    truncateSync(file, 0);
    expect(errorOf(() => read(file)).code).toBe("other-version");
  });
});
