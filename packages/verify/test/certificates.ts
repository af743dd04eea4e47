import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import {
  type Board,
  type Bound,
  canonical,
  type Game,
  mergeBounds,
  type PackedBoard,
  packBoard,
  parseShape,
  placements,
  slides,
  starts,
  type Tiles,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import { ascending, encodeCertificate, Oracle, temporaryFolder } from "@gridlock/testbed";
import { CertificateFile, type Claim } from "@gridlock/verify";
import { onTestFinished } from "vitest";

export function gameOf(shape: string, tiles: Tiles = [2, 4]): Game {
  return { shape: parseShape(shape), tiles };
}

type NeedOf = (position: Board, bound: Partial<Bound>) => void;

/** The values of all positions of a game, and claims about them. */
export class ClaimOracle extends Oracle {
  constructor(game: Game) {
    super(game);
    this.valueAll();
  }

  /** Returns the board of a packed number. */
  boardOf(packed: PackedBoard): Board {
    return unpackBoard(this.game.shape, packed);
  }

  /** Returns claims of the values of all positions that play can reach. */
  full(): Claim[] {
    return ascending(
      [...this.positions].map(([board, value]) => ({ board, lo: value, hi: value })),
    );
  }

  /**
   * Returns the claims that one proof of all starts takes: one best slide and one best placement
   * everywhere, and no more claimed than needed.
   */
  lean(): Claim[] {
    const needed = new Map<PackedBoard, Claim>();
    const open: Board[] = [];
    const need = (position: Board, bound: Partial<Bound>) => {
      const board = packBoard(canonical(position));
      const before = needed.get(board);
      if (before === undefined) open.push(canonical(position));
      const { lo = 0, hi = Number.POSITIVE_INFINITY } = bound;
      needed.set(board, { board, ...mergeBounds(before ?? UNKNOWN, { lo, hi }) });
    };
    for (const start of starts(this.game.shape)) {
      need(start, { lo: this.position(start), hi: this.position(start) });
    }
    while (open.length > 0) {
      // From the smallest sum up, so that all that a position must claim is known before its turn.
      open.sort((a, b) => tileSum(b) - tileSum(a));
      const position = open.pop() as Board;
      const claim = needed.get(packBoard(position)) as Claim;
      if (claim.lo > 0) this.#lower(position, claim.lo, need);
      if (claim.hi < Number.POSITIVE_INFINITY) this.#upper(position, claim.hi, need);
    }
    return ascending([...needed.values()]);
  }

  #lower(position: Board, v: number, need: NeedOf): void {
    const best = slides(position).find(({ board, score }) => score + this.afterstate(board) >= v);
    if (best === undefined || best.score >= v) return;
    for (const { board } of placements(best.board, this.game.tiles)) {
      need(board, { lo: v - best.score });
    }
  }

  #upper(position: Board, u: number, need: NeedOf): void {
    for (const { board, score } of slides(position)) {
      const all = placements(board, this.game.tiles);
      const best = all.find((next) => score + this.position(next.board) <= u);
      if (best !== undefined) need(best.board, { hi: u - score });
    }
  }

  /** Returns whether a claim is true. */
  isTrue({ board, lo, hi }: Claim): boolean {
    const value = this.position(this.boardOf(board));
    return lo <= value && value <= hi;
  }
}

/** Writes bytes to a file and opens it; the running test closes it when it ends. */
export function opened(bytes: Uint8Array, file = freshFile()): CertificateFile {
  writeFileSync(file, bytes);
  const certificate = CertificateFile.open(file);
  onTestFinished(() => certificate[Symbol.dispose]());
  return certificate;
}

/** Makes a certificate of claims. */
export async function certify(game: Game, claims: readonly Claim[]): Promise<CertificateFile> {
  return opened(await encodeCertificate(game, claims));
}

/** Returns a path for a file of the running test, which is removed when the test ends. */
export function freshFile(): string {
  return join(temporaryFolder(), "test.certificate");
}

/** Writes a number as docs/certificate.md says: 7 bits a byte, lowest first. */
function varint(number: bigint | number): number[] {
  const rest = BigInt(number) >> 7n;
  const byte = Number(BigInt(number) & 127n);
  return rest === 0n ? [byte] : [byte | 128, ...varint(rest)];
}

/** The contents of a block, whether they fit each other or not. */
export interface RawBlock {
  readonly sum: number;
  readonly count: number;
  readonly first: bigint;
  readonly last: bigint;
  readonly payload: Uint8Array;
}

/** Encodes a block as docs/certificate.md says, with a digest that fits. */
export function rawBlock({ sum, count, first, last, payload }: RawBlock): Buffer {
  const head = Buffer.alloc(28);
  head.writeUInt32LE(sum, 0);
  head.writeUInt32LE(count, 4);
  head.writeUInt32LE(payload.length, 8);
  head.writeBigUInt64LE(first, 12);
  head.writeBigUInt64LE(last, 20);
  const digest = createHash("sha256").update(head).update(payload).digest().subarray(0, 16);
  return Buffer.concat([head, digest, payload]);
}

/** A claim as its numbers in the file: the board, lo / 4, and hi / 4 + 1. */
export type Row = readonly [board: bigint, lower: number, upper: number];

/** Returns a block of rows, as docs/certificate.md describes it. */
export function blockOfRows(sum: number, rows: readonly Row[]): RawBlock {
  const [first] = rows[0] as Row;
  const [last] = rows.at(-1) as Row;
  const payload = deflateRawSync(Buffer.from(columnsOf(rows)));
  return { sum, count: rows.length, first, last, payload };
}

export function columnsOf(rows: readonly Row[]): number[] {
  const differences = rows.slice(1).map(([board], i) => board - (rows[i] as Row)[0]);
  const numbers = [...differences, ...rows.map((row) => row[1]), ...rows.map((row) => row[2])];
  return numbers.flatMap(varint);
}

/** Splits the bytes of a whole file into its header and its blocks, the end block included. */
export function partsOf(bytes: Buffer): Buffer[] {
  const header = bytes.indexOf("\n\n") + 2;
  const parts = [bytes.subarray(0, header)];
  for (let at = header; at < bytes.length; ) {
    const next = at + 44 + bytes.readUInt32LE(at + 8);
    parts.push(bytes.subarray(at, next));
    at = next;
  }
  return parts;
}
