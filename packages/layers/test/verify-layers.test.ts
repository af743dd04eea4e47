import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Game, type PackedBoard, packBoard, seededRandom } from "@gridlock/game";
import { LayeredProof, type LayersReport } from "@gridlock/layers";
import {
  blockFilesIn,
  type ClaimFile,
  encodeClaims,
  type FileClaim,
  Oracle,
  readClaimFile,
  temporaryFolder,
  writeChunks,
  writeClaimFile,
} from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boardOf, ClaimRules } from "./claim-rules.js";
import { gameOf, solveWith, verifyLayers } from "./setup.js";

const ROOM = 256 * 2 ** 20;

function check(game: Game, folder: string, threads = 1, bytes = ROOM): Promise<LayersReport> {
  return verifyLayers(game, folder, new Map(), { threads, bytes });
}

/** Solves a game before the tests; returns the folder of its proof. */
function prove(game: Game, guess: number): string {
  const folder = temporaryFolder(afterAll);
  beforeAll(async () => {
    await solveWith(game, { folder, guess });
  });
  return join(folder, "layers");
}

function copyOf(folder: string): string {
  const copy = join(temporaryFolder(), "layers");
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/**
 * Shapes with a first threshold. One in `each` boards is compared with the plain rules. Lower bounds
 * of at most `most` points are falsified: the plain rules would search long for higher ones of 3×3.
 */
const PROOFS: [shape: string, guess: number, each: number, most: number][] = [
  ["2x2", 40, 1, 1000],
  ["2x3", 600, 1, 1000],
  ["2x4", 124, 1, 1000],
  ["3x3", 188, 40, 60],
];
/**
 * Number of false bounds at a time, few enough that all failures are reported in full; number of
 * rounds.
 */
const LIES = 15;
const ROUNDS = 3;

describe.each(PROOFS)("verifyLayers, of %s", (shape, guess, each, most) => {
  const game = gameOf(shape);
  const oracle = new Oracle(game);
  const folder = prove(game, guess);

  it("finds no fault where the plain rules find none", { timeout: 300_000 }, async () => {
    const counts = { boards: 0, guests: 0, lower: 0, upper: 0 };
    const wrong: string[] = [];
    for (const name of blockFilesIn(folder)) {
      const file = readClaimFile(folder, name);
      const rules = new ClaimRules(game, file, oracle);
      for (const claim of file.chunks.flat()) {
        if (claim.isGuest) counts.guests++;
        else {
          counts.boards++;
          if (claim.lo > 0) counts.lower++;
          if (claim.hi < Number.POSITIVE_INFINITY) counts.upper++;
          if (counts.boards % each === 0) wrong.push(...rules.failing(claim, false));
        }
      }
    }
    expect(wrong).toEqual([]);
    const report = await check(game, folder);
    expect(report).toMatchObject({ ...counts, failed: 0, damaged: [], complete: true });
    expect(report.starts.every(({ lo, hi, value }) => lo === hi && value === lo)).toBe(true);
  });

  it("finds every false bound of a board of the file's own block", {
    timeout: 300_000,
  }, async () => {
    const copy = copyOf(folder);
    const names = blockFilesIn(copy);
    const random = seededRandom(1);
    let [told, found] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const files = names.map((name) => readClaimFile(copy, name));
      const lies = tellLies(files, random, ({ isGuest, lo }) => !isGuest && 4 * lo <= most);
      const changed = files.filter(({ chunks }) => chunks.flat().some((each) => lies.has(each)));
      for (const file of changed) writeClaimFile(copy, file);
      const needed: string[] = [];
      const possible: string[] = [];
      for (const file of changed) {
        const rules = new ClaimRules(game, file, oracle);
        for (const claim of file.chunks.flat().filter((each) => lies.has(each))) {
          const named = (side: string) => `${file.name} ${boardOf(game, claim.key)} ${side}`;
          needed.push(...rules.failing(claim, false).map(named));
          possible.push(...rules.failing(claim, true).map(named));
        }
      }
      const report = await check(game, copy);
      const failing = report.failures.map(({ file, board, side }) => `${file} ${board} ${side}`);
      expect(report.failed).toBe(failing.length);
      expect(failing).toEqual(expect.arrayContaining(needed));
      expect(possible).toEqual(expect.arrayContaining(failing));
      expect(report.complete).toBe(false);
      expect(report.proven).toBe(0);
      told += lies.size;
      found += failing.length;
      for (const [claim, { lo, hi }] of lies) Object.assign(claim, { lo, hi });
      for (const file of changed) writeClaimFile(copy, file);
    }
    expect(found).toBeGreaterThan(0.5 * told);
    expect(await check(game, copy)).toMatchObject({ complete: true });
  });

  it("finds every bound of a guest that the guest's own block lacks", async () => {
    const copy = copyOf(folder);
    const files = blockFilesIn(copy).map((name) => readClaimFile(copy, name));
    const lies = tellLies(files, seededRandom(2), (claim) => claim.isGuest);
    for (const file of files) writeClaimFile(copy, file);
    const unproven = files
      .map(({ name, chunks }) => ({
        file: name,
        bounds: chunks.flat().filter((claim) => lies.has(claim)).length,
      }))
      .filter(({ bounds }) => bounds > 0);
    const report = await check(game, copy);
    // The guest's own block may have a tighter bound than it has reported.
    const owners = new Map(
      files.flatMap(({ chunks }) =>
        chunks.flat().flatMap((claim) => (claim.isGuest ? [] : [[claim.key, claim] as const])),
      ),
    );
    const hidden = [...lies.keys()].filter((claim) => {
      const owner = owners.get(claim.key) as FileClaim;
      return owner.lo >= claim.lo && owner.hi <= claim.hi;
    });
    expect(report.failed).toBe(lies.size - hidden.length);
    expect(report.failures.every(({ isGuest }) => isGuest)).toBe(true);
    if (hidden.length === 0) expect(report.unproven).toEqual(unproven);
    expect(report.complete).toBe(lies.size === hidden.length);
  });
});

/**
 * Raises a lower bound or lowers an upper bound of random claims; returns the changed claims with
 * their original bounds.
 */
function tellLies(
  files: readonly ClaimFile[],
  random: () => number,
  isVictim: (claim: FileClaim) => boolean,
): Map<FileClaim, { lo: number; hi: number }> {
  const victims = files.flatMap(({ chunks }) => chunks.flat()).filter(isVictim);
  const lies = new Map<FileClaim, { lo: number; hi: number }>();
  for (let tried = 0; lies.size < LIES && tried < 20 * LIES; tried++) {
    const claim = victims[Math.floor(random() * victims.length)];
    if (claim === undefined || claim.lo === claim.hi || lies.has(claim)) continue;
    const { lo, hi } = claim;
    const isLower = lo > 0 && (hi === Number.POSITIVE_INFINITY || random() < 0.5);
    if (!isLower && (hi === Number.POSITIVE_INFINITY || hi === 0)) continue;
    lies.set(claim, { lo, hi });
    if (isLower) claim.lo++;
    else claim.hi--;
  }
  return lies;
}

describe("verifyLayers", () => {
  const game = gameOf("2x4");
  const folder = prove(game, 124);

  it("reports the same with any number of threads, and in little memory", async () => {
    const { seconds: _, ...once } = await check(game, folder, 1);
    const largest = 2 ** 18; // bytes: a slice of the keys at a time
    const { seconds: __, ...many } = await check(game, folder, 3, largest);
    expect(many).toEqual(once);
    await expect(check(game, folder, 1, 2 ** 16)).rejects.toThrow(/largest block has [\d]+ boards/);
  });

  it("compares the starts with their expected values", async () => {
    const { starts } = await check(game, folder);
    const expected = new Map(starts.map(({ board, lo, hi }) => [packBoard(board), { lo, hi }]));
    const [first] = expected.keys();
    expected.set(first as PackedBoard, { lo: 128, hi: 128 });
    const report = await verifyLayers(game, folder, expected, { threads: 1, bytes: ROOM });
    expect(report).toMatchObject({ proven: 33, complete: false, failed: 0 });
    expect(report.starts[0]?.why).toBe("its value is 116 by the layers; expected 128");
  });

  it("names damaged and missing files", async () => {
    const copy = copyOf(folder);
    const [first, second] = blockFilesIn(copy) as [string, string];
    const bytes = readFileSync(join(copy, first));
    bytes[100] = (bytes[100] as number) ^ 1;
    writeFileSync(join(copy, first), bytes);
    rmSync(join(copy, second));
    const report = await check(game, copy);
    expect(report.damaged).toEqual([`${first} is damaged`, `${second} is missing`]);
    expect(report).toMatchObject({ proven: 0, complete: false });
  });

  it("proves nothing if a file is damaged, even if the values follow from the others", async () => {
    for (const file of blockFilesIn(folder).slice(-3)) {
      const copy = copyOf(folder);
      rmSync(join(copy, file));
      const report = await check(game, copy);
      expect(report).toMatchObject({ damaged: [`${file} is missing`], proven: 0, complete: false });
    }
  });

  it("never waits: it rejects a proof in progress, and can be stopped", async () => {
    const copy = copyOf(folder);
    const stop = new AbortController();
    const options = { threads: 1, bytes: ROOM, signal: stop.signal };
    const stopped = verifyLayers(game, copy, new Map(), options);
    stop.abort();
    await expect(stopped).rejects.toThrow(/abort/);
    using _proof = LayeredProof.open(game, copy);
    await expect(check(game, copy)).rejects.toThrow(/another process is/);
  });

  it("accepts a proof that was resumed without its files", async () => {
    const folder = temporaryFolder();
    const stop = new AbortController();
    let steps = 0;
    const onProgress = () => ++steps === 30 && stop.abort();
    await solveWith(game, { folder, guess: 124, signal: stop.signal, onProgress });
    for (const name of blockFilesIn(join(folder, "layers"))) rmSync(join(folder, "layers", name));
    await solveWith(game, { folder, guess: 124 });
    expect(await check(game, join(folder, "layers"))).toMatchObject({ complete: true });
  });

  it("rejects files that only look like a proof", async () => {
    const name = blockFilesIn(folder)[2] as string;
    const { head, chunks } = readClaimFile(folder, name);
    const [claims] = chunks as [FileClaim[]];
    const [a, b] = claims as [FileClaim, FileClaim];
    const more = Buffer.from(head);
    more.writeUInt32LE(head.readUInt32LE(0) + 1, 0);
    const without = Buffer.from(head);
    without.writeUInt32LE(head.readUInt32LE(0) - 1, 0);
    const half = claims.length >> 1;
    const halves = [claims.slice(0, half), claims.slice(half)].map(encodeClaims) as [
      Buffer,
      Buffer,
    ];
    const twice = [a, { ...b, key: a.key }, ...claims.slice(2)];
    for (const bad of [
      [more, encodeClaims(claims)],
      [without, encodeClaims(claims)],
      [head, encodeClaims(twice)],
      [head, ...halves.reverse()],
      [head, halves[0], halves[0]],
      [head, Buffer.alloc(1000, 255)],
      [head, Buffer.alloc(2 ** 19, 1)],
      [Buffer.alloc(2), encodeClaims(claims)],
    ]) {
      const copy = copyOf(folder);
      writeChunks(copy, name, [...bad, Buffer.alloc(0)]);
      const { damaged, complete } = await check(game, copy);
      expect(damaged).toEqual([expect.stringMatching(`^${name} `)]);
      expect(complete).toBe(false);
    }
  });
});

describe("any changed byte of a file with correct checksums", () => {
  const game = gameOf("2x3");
  const folder = prove(game, 600);

  it("is detected, or changes no value", () => isDetected(10));
  it("is detected, or changes no value, wherever it is", { timeout: 300_000, tags: ["long"] }, () =>
    isDetected(50),
  );

  async function isDetected(changes: number): Promise<void> {
    const { starts } = await check(game, folder);
    const values = starts.map(({ value }) => value);
    const random = seededRandom(3);
    let found = 0;
    for (let i = 0; i < changes; i++) {
      const names = blockFilesIn(folder);
      const name = names[Math.floor(random() * names.length)] as string;
      const whole = readFileSync(join(folder, name));
      const file = readClaimFile(folder, name);
      const bytes = file.chunks.map(encodeClaims);
      const chunk = bytes[Math.floor(random() * bytes.length)] as Buffer;
      const at = Math.floor(random() * chunk.length);
      chunk[at] = (chunk[at] as number) ^ (1 << Math.floor(random() * 8));
      writeChunks(folder, name, [file.head, ...bytes, Buffer.alloc(0)]);
      const report = await check(game, folder, 1);
      if (report.complete) expect(report.starts.map(({ value }) => value)).toEqual(values);
      else found++;
      writeFileSync(join(folder, name), whole);
    }
    expect(found).toBeGreaterThan(0.3 * changes);
  }
});
