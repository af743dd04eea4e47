import { createHash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import {
  type Board,
  type Bound,
  canonical,
  cellCount,
  findFault,
  type Game,
  packBoard,
  packedFromBits,
  parseShape,
  parseTiles,
  placements,
  slides,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";

/** A claim of a file, and the tile sum of its block. */
interface FileClaim extends Bound {
  readonly sum: number;
  readonly board: bigint;
}

/** Throws unless a condition holds. */
function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** Reads a file sentence by sentence as docs/certificate.md says; throws if it is malformed. */
function plainRead(bytes: Buffer): { game: Game; claims: FileClaim[] } {
  const header =
    /^gridlock certificate 2\nshape ([1-9]\d?x[1-9]\d?)\ntiles (2|2,4)\n\n/.exec(
      bytes.toString("latin1", 0, 100),
    ) ?? [];
  must(header[0] !== undefined, "header");
  const shape = parseShape(header[1] as string);
  must(shape.rows <= shape.cols, "shape");
  const claims: FileClaim[] = [];
  let blocks = 0n;
  let before = { sum: 0, count: 16_384, last: -1n };
  for (let at = header[0].length; ; ) {
    must(at + 44 <= bytes.length, "a head");
    const [sum, count, length] = [0, 4, 8].map((i) => bytes.readUInt32LE(at + i)) as Triple;
    const [first, last] = [12, 20].map((i) => bytes.readBigUInt64LE(at + i)) as [bigint, bigint];
    const payload = bytes.subarray(at + 44, at + 44 + length);
    must(payload.length === length, "a whole payload");
    const hash = createHash("sha256")
      .update(bytes.subarray(at, at + 28))
      .update(payload);
    const digest = hash.digest().subarray(0, 16);
    must(digest.equals(bytes.subarray(at + 28, at + 44)), "digest");
    at += 44 + length;
    if (sum === 0) {
      must(count === 0 && length === 16 && first === 0n && last === 0n, "end block");
      must(payload.readBigUInt64LE(0) === BigInt(claims.length), "number of claims");
      must(payload.readBigUInt64LE(8) === blocks, "number of blocks");
      must(at === bytes.length, "the end");
      return { game: { shape, tiles: parseTiles(header[2] as string) }, claims };
    }
    must(count >= 1 && count <= 16_384 && length <= 20 * count + 64, "sizes");
    must(sum >= before.sum, "ascending sums");
    if (sum === before.sum) must(before.count === 16_384 && first > before.last, "full blocks");
    const boards = readBlock(payload, count, first, claims, sum);
    must(boards === last, "last board");
    before = { sum, count, last };
    blocks++;
  }
}

type Triple = [number, number, number];

/** Reads the columns of a block; returns the last board. */
function readBlock(
  payload: Buffer,
  count: number,
  first: bigint,
  claims: FileClaim[],
  sum: number,
): bigint {
  const { buffer, engine } = inflateRawSync(payload, {
    info: true,
    maxOutputLength: 20 * count,
  }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
  must(engine.bytesWritten === payload.length, "nothing after the stream");
  let at = 0;
  const number = (most: number) => {
    let value = 0n;
    for (let i = 0; i < most; i++) {
      must(at < buffer.length, "another byte");
      const byte = buffer[at++] as number;
      value |= BigInt(byte & 127) << BigInt(7 * i);
      if (byte > 127) continue;
      must(i === 0 || byte > 0, "shortest form");
      must(value < (most === 10 ? 2n ** 64n : 2n ** 32n), "range");
      return value;
    }
    throw new Error("too many bytes");
  };
  const boards = [first];
  for (let i = 1; i < count; i++) {
    const difference = number(10);
    must(difference > 0n, "ascending boards");
    boards.push((boards[i - 1] as bigint) + difference);
  }
  const lower = boards.map(() => 4 * Number(number(5)));
  const upper = boards.map(() => 4 * (Number(number(5)) - 1));
  must(at === buffer.length, "nothing after the columns");
  boards.forEach((board, i) => {
    const hi = upper[i] as number;
    claims.push({ sum, board, lo: lower[i] as number, hi: hi < 0 ? UNKNOWN.hi : hi });
  });
  return boards.at(-1) as bigint;
}

/** Checks all claims with the rules of `game`, sentence by sentence as docs/certificate.md says. */
export function plainCheck(bytes: Buffer) {
  const { game, claims } = plainRead(bytes);
  // A claim under another tile sum than its board's is malformed, and no claim for others to follow
  // from.
  const inPlace = claims.filter((claim) => tileSum(boardOf(game, claim)) === claim.sum);
  const byBoard = new Map<bigint, Bound>(inPlace.map((claim) => [claim.board, claim]));
  const claimOf = (Q: Board) => byBoard.get(packBoard(canonical(Q))) ?? UNKNOWN;
  const lowerStep = (P: Board, v: number) =>
    slides(P).some(
      ({ board, score: s }) =>
        v - s <= 0 || placements(board, game.tiles).every((Q) => claimOf(Q.board).lo >= v - s),
    );
  const upperStep = (P: Board, u: number) =>
    slides(P).every(({ board, score: s }) =>
      placements(board, game.tiles).some((Q) => claimOf(Q.board).hi <= u - s),
    );
  const found = { lower: 0, upper: 0, failed: 0 };
  for (const claim of claims) {
    const { lo, hi } = claim;
    if (!isWellFormed(game, claim)) {
      found.failed++;
      continue;
    }
    const P = boardOf(game, claim);
    const failsLower = lo > 0 && !lowerStep(P, lo);
    const failsUpper = Number.isFinite(hi) && !upperStep(P, hi);
    if (lo > 0 && !failsLower) found.lower++;
    if (Number.isFinite(hi) && !failsUpper) found.upper++;
    found.failed += Number(failsLower) + Number(failsUpper);
    if (lo > hi && !failsLower && !failsUpper) found.failed++;
  }
  return found;
}

function boardOf({ shape }: Game, { board }: FileClaim): Board {
  return unpackBoard(shape, packedFromBits(board));
}

function isWellFormed(game: Game, claim: FileClaim): boolean {
  const { board, sum, lo, hi } = claim;
  if (board >> BigInt(4 * cellCount(game.shape)) !== 0n) return false;
  const P = boardOf(game, claim);
  return (
    (lo > 0 || Number.isFinite(hi)) &&
    findFault(P, "slider") === undefined &&
    tileSum(P) === sum &&
    packBoard(canonical(P)) === board
  );
}
