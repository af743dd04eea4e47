import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { formatShape, type Shape } from "@gridlock/game";
import { writeWhole } from "@gridlock/report";
import { readPlain, StoreError, type StoreErrorCode } from "@gridlock/store";
import { Network } from "./network.js";

/*
 * A file of weights. All numbers are little-endian.
 *
 *      0  8  magic; its last byte is the version of the format
 *      8  1  rows
 *      9  1  columns
 *     10  2  tuples
 *     12  4  seed of the training
 *     16  8  learning rate, a double
 *     24  4  games
 *     28  4  CRC-32 of all other bytes, in their order
 *     32     the rest, deflated: for each tuple its number of cells and its cells, one byte each; then
 *            the weights of all tuples, floats of four bytes
 */

/** A network and the state of its training. The other numbers determine the weights. */
export interface TrainedNetwork {
  readonly network: Network;
  /** A whole number of 32 bits. */
  readonly seed: number;
  /** The learning rate: the part of an estimate's error by which each of its weights moves. */
  readonly rate: number;
  /** The number of games from which the network has learned. */
  readonly games: number;
}

const MAGIC = Buffer.from("GRLKNTP\x01", "latin1");
const HEAD_BYTES = 32;
const CHECKSUM_AT = 28;
/** Deflating adds less than this share of the bytes to what it cannot compress. */
const MOST_ADDED = 0.01;

/**
 * Returns the name of the file in which `gridlock train` stores the weights of a shape by default.
 */
export function weightsFileOf(shape: Shape): string {
  return `results/players/ntuple-${formatShape(shape)}.weights`;
}

/**
 * Writes the weights of a network and the state of its training, as a whole.
 *
 * @throws the system's error
 */
export function writeWeights(file: string, { network, seed, rate, games }: TrainedNetwork): void {
  const { shape, tuples, weights } = network;
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt8(shape.rows, 8);
  head.writeUInt8(shape.cols, 9);
  head.writeUInt16LE(tuples.length, 10);
  head.writeUInt32LE(seed, 12);
  head.writeDoubleLE(rate, 16);
  head.writeUInt32LE(games, 24);
  const body = deflateRawSync(Buffer.concat([tupleBytes(network), Buffer.from(weights.buffer)]));
  head.writeUInt32LE(checksum(head, body), CHECKSUM_AT);
  writeWhole(file, [head, body]);
}

function tupleBytes({ tuples }: Network): Buffer {
  return Buffer.from(tuples.flatMap((tuple) => [tuple.length, ...tuple]));
}

function checksum(head: Buffer, body: Buffer): number {
  return crc32(body, crc32(head.subarray(0, CHECKSUM_AT)));
}

/**
 * Reads a file of weights of a shape.
 *
 * @throws {StoreError} if the file is missing, damaged, of another version or shape, or not a file
 *   of weights
 */
export function readWeights(file: string, shape: Shape): TrainedNetwork {
  const refused = (code: StoreErrorCode, why: string) => new StoreError(code, `${file} ${why}`);
  const damaged = () => refused("damaged", "is damaged; make it again with gridlock train");
  const ofOtherTuples = () =>
    refused("other-version", "has weights of other tuples; make it again with gridlock train");
  const network = new Network(shape);
  const tuples = tupleBytes(network);
  const most = tuples.length + network.weights.buffer.byteLength;
  let bytes: Buffer;
  try {
    bytes = readPlain(file, Math.ceil((1 + MOST_ADDED) * most) + 2 * HEAD_BYTES);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "missing")) throw error;
    throw refused(
      "missing",
      `does not exist; gridlock train ${formatShape(shape)}, in a clone of Gridlock's repository, makes weights`,
    );
  }
  const magic = bytes.subarray(0, MAGIC.length);
  if (!magic.subarray(0, -1).equals(MAGIC.subarray(0, -1))) {
    throw refused("not-a-database", "was not written by gridlock train");
  }
  if (!magic.equals(MAGIC)) {
    const sentence = "was written by another version of gridlock train; make it again";
    throw refused("other-version", sentence);
  }
  const head = bytes.subarray(0, HEAD_BYTES);
  const body = bytes.subarray(HEAD_BYTES);
  if (head.length < HEAD_BYTES || head.readUInt32LE(CHECKSUM_AT) !== checksum(head, body)) {
    throw damaged();
  }
  const found = { rows: head.readUInt8(8), cols: head.readUInt8(9) };
  if (found.rows !== shape.rows || found.cols !== shape.cols) {
    const [given, expected] = [formatShape(found), formatShape(shape)];
    throw refused("other-game", `has weights of ${given}; expected weights of ${expected}`);
  }
  let contents: Buffer;
  try {
    contents = inflateRawSync(body, { maxOutputLength: most });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ERR_BUFFER_TOO_LARGE" ? ofOtherTuples() : damaged();
  }
  if (!contents.subarray(0, tuples.length).equals(tuples) || contents.length !== most) {
    throw ofOtherTuples();
  }
  contents.copy(Buffer.from(network.weights.buffer), 0, tuples.length);
  const rate = head.readDoubleLE(16);
  if (!(rate > 0 && rate <= 1)) throw damaged();
  return { network, seed: head.readUInt32LE(12), rate, games: head.readUInt32LE(24) };
}
