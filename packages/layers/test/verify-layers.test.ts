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
const PROOFS = [
  { shape: "2x2", guess: 40, each: 1, most: 1000, tags: [] },
  { shape: "2x3", guess: 600, each: 1, most: 1000, tags: [] },
  { shape: "2x4", guess: 124, each: 3, most: 1000, tags: [] },
  { shape: "3x3", guess: 188, each: 40, most: 60, tags: ["long"] },
];
/**
 * Number of false bounds at a time, few enough that all failures are reported in full; number of
 * rounds.
 */
const LIES = 15;
const ROUNDS = 3;

describe.each(PROOFS)("verifyLayers, of $shape", ({ shape, guess, each, most, tags }) => {
  const game = gameOf(shape);
  const oracle = new Oracle(game);
  const folder = prove(game, guess);
  let files: readonly ClaimFile[];
  const rules = new Map<ClaimFile, ClaimRules>();
  const failing = (file: ClaimFile, claim: FileClaim, isStrict: boolean) =>
    (rules.get(file) as ClaimRules).failing(claim, isStrict);
  beforeAll(() => {
    files = blockFilesIn(folder).map((name) => readClaimFile(folder, name));
    for (const file of files) rules.set(file, new ClaimRules(game, file, oracle));
  });

  it("finds no fault where the plain rules find none", { timeout: 300_000, tags }, async () => {
    const counts = { boards: 0, guests: 0, lower: 0, upper: 0 };
    const wrong: string[] = [];
    for (const file of files) {
      for (const claim of file.chunks.flat()) {
        if (claim.isGuest) counts.guests++;
        else {
          counts.boards++;
          if (claim.lo > 0) counts.lower++;
          if (claim.hi < Number.POSITIVE_INFINITY) counts.upper++;
          if (counts.boards % each === 0) wrong.push(...failing(file, claim, false));
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
    tags,
  }, async () => {
    const copy = copyOf(folder);
    const random = seededRandom(1);
    let [told, found] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      using lies = new Lies(files, random, ({ isGuest, lo }) => !isGuest && 4 * lo <= most);
      const needed: string[] = [];
      const possible: string[] = [];
      for (const file of files) {
        for (const claim of lies.in(file)) {
          const named = (side: string) => `${file.name} ${boardOf(game, claim.key)} ${side}`;
          needed.push(...failing(file, claim, false).map(named));
          possible.push(...failing(file, claim, true).map(named));
        }
      }
      lies.write(copy);
      const report = await check(game, copy);
      const failed = report.failures.map(({ file, board, side }) => `${file} ${board} ${side}`);
      expect(report.failed).toBe(failed.length);
      expect(failed).toEqual(expect.arrayContaining(needed));
      expect(possible).toEqual(expect.arrayContaining(failed));
      expect(report.complete).toBe(false);
      expect(report.proven).toBe(0);
      told += lies.size;
      found += failed.length;
      cpSync(folder, copy, { recursive: true });
    }
    expect(found).toBeGreaterThan(0.5 * told);
  });

  it("finds every bound of a guest that the guest's own block lacks", { tags }, async () => {
    const copy = copyOf(folder);
    using lies = new Lies(files, seededRandom(2), (claim) => claim.isGuest);
    lies.write(copy);
    const unproven = files
      .map((file) => ({ file: file.name, bounds: lies.in(file).length }))
      .filter(({ bounds }) => bounds > 0);
    const report = await check(game, copy);
    // The guest's own block may have a tighter bound than it has reported.
    const owners = new Map(
      files.flatMap(({ chunks }) =>
        chunks.flat().flatMap((claim) => (claim.isGuest ? [] : [[claim.key, claim] as const])),
      ),
    );
    const hidden = lies.claims.filter((claim) => {
      const owner = owners.get(claim.key) as FileClaim;
      return owner.lo >= claim.lo && owner.hi <= claim.hi;
    });
    expect(report.failed).toBe(lies.size - hidden.length);
    expect(report.failures.every(({ isGuest }) => isGuest)).toBe(true);
    if (hidden.length === 0) expect(report.unproven).toEqual(unproven);
    expect(report.complete).toBe(lies.size === hidden.length);
  });
});

/** Random claims of which a lower bound was raised or an upper bound lowered, until disposed of. */
class Lies implements Disposable {
  readonly #originals = new Map<FileClaim, { readonly lo: number; readonly hi: number }>();
  readonly #files: readonly ClaimFile[];

  constructor(
    files: readonly ClaimFile[],
    random: () => number,
    isVictim: (claim: FileClaim) => boolean,
  ) {
    this.#files = files;
    const victims = files.flatMap(({ chunks }) => chunks.flat()).filter(isVictim);
    for (let tried = 0; this.size < LIES && tried < 20 * LIES; tried++) {
      const claim = victims[Math.floor(random() * victims.length)];
      if (claim === undefined || claim.lo === claim.hi || this.#originals.has(claim)) continue;
      const { lo, hi } = claim;
      const isLower = lo > 0 && (hi === Number.POSITIVE_INFINITY || random() < 0.5);
      if (!isLower && (hi === Number.POSITIVE_INFINITY || hi === 0)) continue;
      this.#originals.set(claim, { lo, hi });
      if (isLower) claim.lo++;
      else claim.hi--;
    }
  }

  get claims(): readonly FileClaim[] {
    return [...this.#originals.keys()];
  }

  get size(): number {
    return this.#originals.size;
  }

  /** Returns the changed claims of a file. */
  in({ chunks }: ClaimFile): readonly FileClaim[] {
    return chunks.flat().filter((claim) => this.#originals.has(claim));
  }

  /** Writes the files with changed claims. */
  write(folder: string): void {
    for (const file of this.#files) if (this.in(file).length > 0) writeClaimFile(folder, file);
  }

  [Symbol.dispose](): void {
    for (const [claim, original] of this.#originals) Object.assign(claim, original);
  }
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
    /** Chunks that no visit writes, made of a file's head and claims. */
    const bad: ((head: Buffer, claims: FileClaim[]) => Buffer[])[] = [
      (head, claims) => [withCount(head, 1), encodeClaims(claims)],
      (head, claims) => [withCount(head, -1), encodeClaims(claims)],
      (head, [a, b, ...more]) => [
        head,
        encodeClaims([a, { ...b, key: a?.key }, ...more] as FileClaim[]),
      ],
      (head, claims) => [head, ...halvesOf(claims).reverse()],
      (head, claims) => [head, halvesOf(claims)[0], halvesOf(claims)[0]],
      (head) => [head, Buffer.alloc(1000, 255)],
      (head) => [head, Buffer.alloc(2 ** 19, 1)],
      (_, claims) => [Buffer.alloc(2), encodeClaims(claims)],
    ];
    const copy = copyOf(folder);
    const names = blockFilesIn(copy).slice(0, bad.length);
    for (const [i, make] of bad.entries()) {
      const { name, head, chunks } = readClaimFile(copy, names[i] as string);
      writeChunks(copy, name, [...make(head, chunks.flat()), Buffer.alloc(0)]);
    }
    const { damaged, complete } = await check(game, copy);
    expect(damaged).toEqual(names.map((name) => expect.stringMatching(`^${name} `)));
    expect(complete).toBe(false);
  });
});

/** Adds a number to a head's count of boards. */
function withCount(head: Buffer, more: number): Buffer {
  const changed = Buffer.from(head);
  changed.writeUInt32LE(head.readUInt32LE(0) + more, 0);
  return changed;
}

function halvesOf(claims: readonly FileClaim[]): [Buffer, Buffer] {
  const half = claims.length >> 1;
  return [encodeClaims(claims.slice(0, half)), encodeClaims(claims.slice(half))];
}

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
