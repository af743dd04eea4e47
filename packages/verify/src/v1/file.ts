import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Game } from "@gridlock/game";
import { CertificateError } from "../errors.js";
import { ClaimTable, RECORD_BYTES } from "./claims.js";
import { formatHeader, MOST_HEADER_BYTES, parseHeader } from "./header.js";

/** A list of claims that is meant to prove the values of a game's starts. */
export interface Certificate {
  /** The game, its shape with no more rows than columns. */
  readonly game: Game;
  /** The proof effort W: the most positions that the search for one claim may expand. */
  readonly effort: number;
  readonly claims: ClaimTable;
}

const CHECKSUM_BYTES = 32;
/** Bytes read or written at a time, a multiple of a record. */
const CHUNK_BYTES = 2 ** 20;

/** Encodes a certificate as a file, in pieces: the header, records in chunks, the checksum. */
export function* encodeCertificate(certificate: Certificate): Generator<Uint8Array> {
  const { game, effort, claims } = certificate;
  const hash = createHash("sha256");
  const header = Buffer.from(formatHeader({ game, effort, claims: claims.size }));
  hash.update(header);
  yield header;
  const records = new Uint8Array(claims.records);
  for (let from = 0; from < records.length; from += CHUNK_BYTES) {
    const chunk = records.slice(from, from + CHUNK_BYTES);
    hash.update(chunk);
    yield chunk;
  }
  yield hash.digest();
}

/**
 * Reads a certificate and checks that it is intact. Only `verify` checks whether its claims follow.
 *
 * @throws {CertificateError} `missing` or `unreadable` (no such file, or it cannot be read),
 *   `not-a-certificate`, `other-version`, `bad-header` (unexpected shape, tiles, effort or number
 *   of claims), `wrong-length` (truncated or extended), `bad-checksum`, `disorder`.
 */
export function readCertificate(file: string): Certificate {
  const handle = openToRead(file);
  try {
    return readOpen(file, handle);
  } catch (error) {
    if (error instanceof CertificateError) throw error;
    throw new CertificateError(
      "unreadable",
      `${file} cannot be read; expected a file of claims (${reasonOf(error)})`,
      { cause: error },
    );
  } finally {
    closeSync(handle);
  }
}

function openToRead(file: string): number {
  let handle: number;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for someone to write into it.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new CertificateError(
      missing ? "missing" : "unreadable",
      missing
        ? `${file} does not exist; expected a certificate written by gridlock export`
        : `cannot open ${file} (${reasonOf(error)}); expected a file that can be read`,
      { cause: error },
    );
  }
  if (fstatSync(handle).isFile()) return handle;
  closeSync(handle);
  throw new CertificateError("unreadable", `cannot read ${file}: it is not a regular file`);
}

/** Returns the system's reason in words. */
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/^E[A-Z0-9]+: (.+?), .*/, "$1");
}

function readOpen(file: string, handle: number): Certificate {
  const start = Buffer.alloc(MOST_HEADER_BYTES);
  const started = readSync(handle, start, 0, start.length, 0);
  const header = parseHeader(file, start.toString("latin1", 0, started));
  const { game, effort, claims: count } = header;
  const bytes = formatHeader(header).length;
  const expected = bytes + count * RECORD_BYTES + CHECKSUM_BYTES;
  const found = fstatSync(handle).size;
  if (found !== expected) {
    throw new CertificateError(
      "wrong-length",
      `${file} has ${found} bytes; expected ${expected} for ${count} claims: it was ${found < expected ? "cut short" : "added to"} and proves nothing`,
    );
  }
  const hash = createHash("sha256").update(start.subarray(0, bytes));
  const records = new Uint8Array(new SharedArrayBuffer(count * RECORD_BYTES));
  for (let from = 0; from < records.length; from += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, records.length - from);
    const chunk = readExactly(file, handle, bytes + from, length);
    hash.update(chunk);
    records.set(chunk, from);
  }
  const checksum = readExactly(file, handle, expected - CHECKSUM_BYTES, CHECKSUM_BYTES);
  if (!hash.digest().equals(checksum)) {
    throw new CertificateError(
      "bad-checksum",
      `${file} does not have the SHA-256 written at its end; it is damaged and proves nothing: get or export it again`,
    );
  }
  const claims = new ClaimTable(records.buffer as SharedArrayBuffer);
  const disorder = claims.firstDisorder();
  if (disorder >= 0) {
    throw new CertificateError("disorder", `${file}: ${claims.describeDisorder(disorder)}`);
  }
  return { game, effort, claims };
}

function readExactly(file: string, handle: number, from: number, length: number): Buffer {
  const chunk = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(handle, chunk, filled, length - filled, from + filled);
    if (read === 0) {
      throw new CertificateError(
        "wrong-length",
        `${file} was cut short while it was read; expected ${length} bytes from byte ${from} on`,
      );
    }
    filled += read;
  }
  return chunk;
}
