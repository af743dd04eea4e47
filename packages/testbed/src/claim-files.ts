import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/*
 * Reads and writes the claims in the files of a proof, with correct checksums, whether the claims
 * are true or not. Written only from the comments of `block-file.ts` and `assembly/saving.ts`.
 */

/** A claim about an afterstate; points are divided by 4. */
export interface FileClaim {
  readonly key: bigint;
  lo: number;
  hi: number;
  readonly isGuest: boolean;
  /** The byte of flags, and the bytes of the board's node. */
  readonly rest: Buffer;
}

/** A block's file, chunk by chunk. */
export interface ClaimFile {
  readonly name: string;
  readonly head: Buffer;
  readonly chunks: FileClaim[][];
}

/** A file as it was read, with the bytes of its chunks. */
export interface ReadClaimFile extends ClaimFile {
  readonly bytes: readonly Buffer[];
}

/** Returns the names of the blocks' files, except that of the starts. */
export function blockFilesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".block"));
  return names.filter((name) => !name.startsWith("fffffffffffffffe")).sort();
}

/** Returns the chunks of a file, without checking them; in a block's file the last one is empty. */
export function readChunks(folder: string, name: string): Buffer[] {
  const bytes = readFileSync(join(folder, name));
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    chunks.push(bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return chunks;
}

/** Reads a file of claims. */
export function readClaimFile(folder: string, name: string): ReadClaimFile {
  const [head, ...bytes] = readChunks(folder, name).slice(0, -1) as [Buffer, ...Buffer[]];
  return { name, head, chunks: bytes.map(decode), bytes };
}

/** Writes a file of claims. */
export function writeClaimFile(folder: string, { name, head, chunks }: ClaimFile): void {
  writeChunks(folder, name, [head, ...chunks.map(encodeClaims), Buffer.alloc(0)]);
}

/** Writes a file of chunks with their checksums. */
export function writeChunks(folder: string, name: string, chunks: readonly Buffer[]): void {
  const parts = chunks.flatMap((chunk) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(chunk.length, 0);
    head.writeUInt32LE(crc32(chunk), 4);
    return [head, chunk];
  });
  writeFileSync(join(folder, name), Buffer.concat(parts));
}

function decode(bytes: Buffer): FileClaim[] {
  const claims: FileClaim[] = [];
  let at = 0;
  const next = () => bytes.readUInt8(at++); // throws at the end
  const number = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = next();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const fixed = (length: number) => {
    let value = 0n;
    for (let i = 0; i < length; i++) value |= BigInt(next()) << BigInt(8 * i);
    return value;
  };
  const width = Number(fixed(1));
  for (let key = fixed(8); at < bytes.length; ) {
    key += fixed(width);
    const form = Number(fixed(2));
    if (form !== 0) {
      const [lo, hi] = boundsOfForm(form);
      const isGuest = (form & 4) !== 0;
      claims.push({ key, lo, hi, isGuest, rest: Buffer.of(isGuest ? 1 : 0) });
      continue;
    }
    const code = Number(number());
    const lo = code & 1 ? code >> 2 : 0;
    const hi = code & 2 ? (code >> 2) + ((code & 3) === 3 ? Number(number()) : 0) : Infinity;
    const from = at;
    const kind = next();
    const isGuest = (kind & 1) !== 0;
    if (kind & 2) {
      for (let i = 0; i < 2; i++) number();
      if (!isGuest) {
        number();
        if (kind & 8) fixed(4); // the slide to the watched board, and bits of its key
        for (let demands = 2n * number(); demands > 0n; demands--) number();
      }
    }
    claims.push({ key, lo, hi, isGuest, rest: bytes.subarray(from, at) });
  }
  return claims;
}

function boundsOfForm(form: number): [lo: number, hi: number] {
  if (form & 1) return form & 2 ? [0, form >> 3] : [form >> 3, Infinity];
  return [form >> 8, (form >> 8) + ((form >> 3) & 31)];
}

/** Encodes the bounds of a board of the block in two bytes; `undefined` if they do not fit. */
function formOf(lo: number, hi: number): number | undefined {
  if (lo > 0 && hi < Infinity) {
    return lo < 256 && hi >= lo && hi - lo < 32 ? 256 * lo + 8 * (hi - lo) : undefined;
  }
  const value = hi < Infinity ? hi : lo;
  return value < 2 ** 13 ? 8 * value + (hi < Infinity ? 3 : 1) : undefined;
}

/** Encodes the claims of a chunk. */
export function encodeClaims(claims: readonly FileClaim[]): Buffer {
  const bytes: number[] = [];
  const number = (value: bigint) => {
    for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
    bytes.push(Number(value));
  };
  const fixed = (value: bigint, length: number) => {
    for (let i = 0; i < length; i++) bytes.push(Number((value >> BigInt(8 * i)) & 255n));
  };
  const keys = claims.map(({ key }) => key);
  const differences = keys.map((key, i) => (i === 0 ? 1n : key - (keys[i - 1] as bigint)));
  const most = differences.reduce((a, b) => (a > b ? a : b), 0n);
  const width = Math.ceil(most.toString(2).length / 8);
  fixed(BigInt(width), 1);
  fixed((keys[0] ?? 1n) - 1n, 8);
  for (const [i, { lo, hi, rest }] of claims.entries()) {
    fixed(differences[i] as bigint, width);
    const form = rest.length === 1 ? formOf(lo, hi) : undefined;
    fixed(BigInt(form === undefined ? 0 : form + 4 * ((rest[0] as number) & 1)), 2);
    if (form !== undefined) continue;
    const has = (lo > 0 ? 1 : 0) + (hi < Infinity ? 2 : 0);
    number(BigInt(has === 0 ? 0 : (has & 1 ? lo : hi) * 4 + has));
    if (has === 3) number(BigInt(hi - lo));
    bytes.push(...rest);
  }
  return Buffer.from(bytes);
}
