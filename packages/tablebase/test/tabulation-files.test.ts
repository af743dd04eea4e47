import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";
import { emptyBoard, type Game, seededRandom } from "@gridlock/game";
import { type Column, columnFileOf, Tabulation, tabulate } from "@gridlock/tablebase";
import { positionsIn } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

import { LayerFile } from "../src/layer-file.js";
import { endMark, fileHead, layerBytes, type StoredLayer } from "../src/layer-format.js";
import { files, game, opened, options } from "./setup.js";

const COLUMNS: Column[] = ["positions", "minimax", "expected"];

function digests(fileOf: (column: Column) => string): string[] {
  return COLUMNS.map((column) =>
    createHash("sha256")
      .update(readFileSync(fileOf(column)))
      .digest("hex"),
  );
}
describe("the files of a tabulation", () => {
  it("are the same for any number of threads, and are kept if intact", async () => {
    const of = game("2x3", [2, 4]);
    const made = [];
    for (const threads of [1, 2, 3]) {
      const { db, fileOf } = files(of);
      await tabulate(of, undefined, options(db, { threads }));
      made.push(digests(fileOf));
      let layers = 0;
      await tabulate(of, undefined, options(db, { onProgress: () => layers++ }));
      expect(layers).toBe(0);
    }
    expect(made[1]).toEqual(made[0]);
    expect(made[2]).toEqual(made[0]);
  });

  it("are the same when a run is stopped and resumed", async () => {
    const of = game("2x3", [2, 4]);
    const whole = files(of);
    await tabulate(of, undefined, options(whole.db));
    const { db, fileOf } = files(of);
    let runs = 0;
    for (let done = false; !done; runs++) {
      const stop = new AbortController();
      let layers = 0;
      done = await tabulate(
        of,
        undefined,
        options(db, {
          signal: stop.signal,
          onProgress: () => {
            if (++layers === 25 + runs) stop.abort();
          },
        }),
      );
    }
    expect(runs).toBeGreaterThan(3);
    expect(digests(fileOf)).toEqual(digests(whole.fileOf));
  });

  it.each(["positions", "expected"] as const)(
    "must stay in place: a run fails if the %s are removed",
    async (column) => {
      const of = game("2x3", [2, 4]);
      const { db, fileOf } = files(of);
      const onProgress = () => rmSync(fileOf(column), { force: true });
      const run = tabulate(of, undefined, options(db, { onProgress }));
      await expect(run).rejects.toMatchObject({
        code: "replaced",
        message: expect.stringContaining(
          `${fileOf(column)} was removed or replaced; results are not`,
        ),
      });
    },
  );

  it("are written by one run at a time", async () => {
    const of = game("2x3", [2, 4]);
    const { db, fileOf } = files(of);
    let second: Promise<unknown> | undefined;
    const onProgress = () => {
      second ??= tabulate(of, undefined, options(db)).catch((error) => error);
    };
    expect(await tabulate(of, undefined, options(db, { onProgress }))).toBe(true);
    expect(await second).toMatchObject({
      code: "locked",
      message: expect.stringMatching(
        /^another process is tabulating 2x3, and holds \S+\.positions\.lock; wait/,
      ),
    });
    const whole = digests(fileOf);
    expect(await tabulate(of, undefined, options(db))).toBe(true);
    expect(digests(fileOf)).toEqual(whole);
  });

  it("are the same when truncated anywhere and resumed", async () => {
    const of = game("2x2", [2, 4]);
    const { db, fileOf } = files(of);
    await tabulate(of, undefined, options(db));
    const whole = digests(fileOf);
    const random = seededRandom(7);
    for (const column of COLUMNS) {
      const { length } = readFileSync(fileOf(column));
      for (let i = 0; i < 3; i++) {
        truncateSync(fileOf(column), Math.floor(random() * length));
        expect(() => Tabulation.open(of, ["minimax", "expected"], db)).toThrow(/gridlock tabulate/);
        expect(await tabulate(of, undefined, options(db, { threads: 1 }))).toBe(true);
        expect(digests(fileOf)).toEqual(whole);
      }
    }
  });

  it("have any flipped byte found, reported and repaired", async () => {
    const of = game("2x3", [2, 4]);
    const { db, fileOf } = files(of);
    await tabulate(of, undefined, options(db));
    const whole = digests(fileOf);
    const random = seededRandom(8);
    let blocks = 0;
    for (const column of COLUMNS) {
      const bytes = readFileSync(fileOf(column));
      for (let i = 0; i < 5; i++) {
        const at = Math.floor(random() * bytes.length);
        flip(fileOf(column), at, bytes[at] as number);
        const told: string[] = [];
        const repair = { onRepair: (text: string) => told.push(text) };
        expect(await tabulate(of, undefined, options(db, { ...repair, threads: 1 }))).toBe(true);
        expect(digests(fileOf)).toEqual(whole);
        if (at < 24) continue; // the file head, which belongs to no layer
        expect(told).toHaveLength(1);
        expect(told[0]).toContain(fileOf(column));
        if (/block \d+ of \d+ of the layer of tile sum \d+/.test(told[0] as string)) blocks++;
      }
    }
    expect(blocks).toBeGreaterThan(5);
  });

  it("are never trusted when damaged", async () => {
    const of = game("2x2", [2, 4]);
    const { db, fileOf } = files(of);
    await tabulate(of, undefined, options(db));
    for (const column of COLUMNS) {
      const bytes = readFileSync(fileOf(column));
      for (let at = 0; at < bytes.length; at += 11) {
        flip(fileOf(column), at, bytes[at] as number);
        expect(() => readAll(of, db)).toThrow(/gridlock tabulate/);
        flip(fileOf(column), at, (bytes[at] as number) ^ 0xff);
      }
    }
    expect(() => readAll(of, db)).not.toThrow();
  });

  it("are damaged if their checksums are right, but their contents are not", async () => {
    const of = game("2x2", [2, 4]);
    const { db, fileOf } = files(of);
    await tabulate(of, undefined, options(db));
    const [positions, minimax] = [fileOf("positions"), fileOf("minimax")];
    const whole = readFileSync(minimax);
    const { sum, positions: count } = opened(of, [], db).layers.at(-1) as StoredLayer;
    const layer = (block: Uint8Array, change: (directory: Buffer) => void = () => {}) => {
      const directory = Buffer.alloc(16);
      directory.writeUInt32LE(block.length, 8);
      directory.writeUInt32LE(crc32(block), 12);
      change(directory);
      const counts = { sum, positions: count, afterstates: 0, terminals: 0 };
      return layerBytes(counts, { directory, blocks: [block] });
    };
    const read = (...layers: Uint8Array[]) => {
      writeFileSync(minimax, Buffer.concat([fileHead(of, "minimax"), ...layers, endMark()]));
      return () => {
        using file = new LayerFile(db, of, "minimax", false);
        file.expectComplete();
        return file.layers.map((each) => file.block(each, 0));
      };
    };
    for (const contents of [
      deflateRawSync(Buffer.alloc(2 ** 20)), // of more bytes than a block can have
      deflateRawSync(Buffer.alloc(count + 1)),
      deflateRawSync(Buffer.alloc(count - 1)),
      deflateRawSync(Buffer.alloc(count, 255)),
      Buffer.from("not deflated"),
    ]) {
      expect(read(layer(contents))).toThrow(/block 1 of 1 .* is damaged; run gridlock tabulate/);
    }
    const right = deflateRawSync(Buffer.alloc(count));
    const incomplete = /is incomplete; run gridlock tabulate/;
    expect(read(layer(right), layer(right))).toThrow(incomplete);
    for (const length of [0, 2 ** 14, 2 ** 32 - 1]) {
      expect(read(layer(right, (entry) => entry.writeUInt32LE(length, 8)))).toThrow(incomplete);
    }
    expect(read(layer(right))).not.toThrow();
    expect(() => opened(of, ["minimax"], db)).toThrow(
      `${minimax} has other positions than ${positions}`,
    );
    writeFileSync(minimax, whole);
    expect(() => opened(of, ["minimax"], db)).not.toThrow();
    expect(() => opened(of, ["minimax"], db).value("minimax", emptyBoard(of.shape))).toThrow(
      /lacks the position 0 0\/0 0; move it away/,
    );
  });

  it("that are something else are rejected at once", async () => {
    const of = game("2x2", [2, 4]);
    const { db, fileOf } = files(of);
    const positions = fileOf("positions");
    const victim = `${positions}.victim`;
    for (const [make, word] of [
      [() => mkdirSync(positions), "a folder"],
      [() => void execFileSync("mkfifo", [positions]), "a named pipe"],
      [() => symlinkSync(victim, positions), "a link to another file"],
    ] as const) {
      make();
      const message = `it is ${word}; expected a regular file`;
      await expect(tabulate(of, undefined, options(db))).rejects.toThrow(message);
      if (!word.startsWith("a link")) expect(() => opened(of, [], db)).toThrow(message);
      rmSync(positions, { recursive: true });
    }
    expect(existsSync(victim)).toBe(false);
  });

  it("of another game or of another kind are rejected and not changed", async () => {
    const of = game("2x2", [2, 4]);
    const { db, fileOf } = files(of);
    await tabulate(of, undefined, options(db));
    const whole = digests(fileOf);
    const other = game("2x2", [2]);
    const taken = columnFileOf(db, other, "positions");
    copyFileSync(fileOf("positions"), taken);
    await expect(tabulate(other, undefined, options(db))).rejects.toThrow(
      "is not the positions column of 2x2 with 2s only; move it away",
    );
    expect(readFileSync(taken)).toEqual(readFileSync(fileOf("positions")));
    expect(digests(fileOf)).toEqual(whole);
    writeFileSync(fileOf("minimax"), "no tabulation at all");
    await expect(tabulate(of, undefined, options(db))).rejects.toThrow(/not the minimax/);
    expect(readFileSync(fileOf("minimax"), "utf8")).toBe("no tabulation at all");
  });

  const ends = "are restored after cuts and flips in their first and last bytes";
  it(ends, () => areRestored(3));
  // 42 tabulations, each with its own thread.
  it(`${ends}, of each number in each file`, { tags: ["long"], timeout: 600_000 }, () =>
    areRestored(1),
  );

  /** Cuts and damages each file: at each of its ends one of `every` numbers of 64 bits. */
  async function areRestored(every: number): Promise<void> {
    const of = game("2x2", [2, 4]);
    const { db, fileOf } = files(of);
    await tabulate(of, undefined, options(db));
    const whole = digests(fileOf);
    for (const column of COLUMNS) {
      const bytes = readFileSync(fileOf(column));
      for (let cut = 1; cut <= 80; cut += 26 * every) {
        writeFileSync(fileOf(column), bytes.subarray(0, bytes.length - cut));
        await tabulate(of, undefined, options(db, { threads: 1 }));
        expect(digests(fileOf), `${column} without ${cut} bytes`).toEqual(whole);
      }
      // A byte of each number.
      for (let i = 8 * (COLUMNS.indexOf(column) % every); i < 80; i += 8 * every) {
        const at = i < 40 ? i : bytes.length - 80 + i;
        flip(fileOf(column), at, bytes[at] as number);
        const told: string[] = [];
        const onRepair = (text: string) => told.push(text);
        await tabulate(of, undefined, options(db, { onRepair, threads: 1 }));
        expect(digests(fileOf), `${column}, byte ${at}`).toEqual(whole);
        expect(told.join(), `${column}, byte ${at}`).toContain(fileOf(column));
      }
    }
  }

  it("cannot be created for a shape that is too large, or with too little memory", async () => {
    const large = game("3x4", [2, 4]);
    await expect(tabulate(large, undefined, options(files(large).db))).rejects.toThrow(
      "cannot tabulate 3x4: it has 12 cells; the limit is 10",
    );
    const of = game("2x4", [2, 4]);
    await expect(
      tabulate(of, undefined, options(files(of).db, { memory: 2 ** 20 })),
    ).rejects.toThrow(/use --memory \d+M or more/);
  });
});

/** Replaces a byte by its complement. */
function flip(file: string, at: number, byte: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.from([byte ^ 0xff]), 0, 1, at);
  closeSync(descriptor);
}

/** Opens a tabulation and reads all of it. */
function readAll(of: Game, db: string): void {
  using tabulation = Tabulation.open(of, ["minimax", "expected"], db);
  for (const board of positionsIn(tabulation)) {
    tabulation.value("minimax", board);
    tabulation.value("expected", board);
  }
}
