import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "./errors.js";
import { reasonOf } from "./reason.js";

/*
 * Opens files that somebody else may have made. A file whose name Gridlock chooses may be a link to
 * any other file, a named pipe, or a folder: it is not written through a link, and nobody waits for
 * it. Windows has neither of these flags.
 */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/** The flags for each use of a file. */
const FLAGS = {
  read: constants.O_RDONLY,
  /** Reads and writes a file, and creates it if it is missing. */
  update: constants.O_RDWR | constants.O_CREAT | O_NOFOLLOW,
  /** Creates a file that must not exist. */
  create: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
};

/**
 * Opens a regular file; returns its descriptor. It is read through a link, but not written.
 *
 * @throws {StoreError} `missing`, or `unusable` with the reason
 */
export function openPlain(file: string, use: keyof typeof FLAGS): number {
  expectPlain(file, use === "read");
  let descriptor: number;
  try {
    descriptor = openSync(file, FLAGS[use] | O_NONBLOCK, 0o666);
  } catch (error) {
    throw cannotOpen(file, error);
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return descriptor;
  closeSync(descriptor);
  throw new StoreError("unusable", `cannot open ${file}: it is ${fileTypeOf(stats)}`);
}

/**
 * Reads a regular file.
 *
 * @param most the most bytes that it may have
 * @throws {StoreError} `missing`, or `unusable` with the reason
 */
export function readPlain(file: string, most: number): Buffer {
  const descriptor = openPlain(file, "read");
  try {
    const { size } = fstatSync(descriptor);
    if (size <= most) return readFileSync(descriptor);
    throw new StoreError("unusable", `${file} has ${size} bytes; expected at most ${most}`);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError("unusable", `cannot read ${file} (${reasonOf(error)})`, { cause: error });
  } finally {
    closeSync(descriptor);
  }
}

/** Reads an open file's bytes from a place on, as many as fit into `into`; returns their number. */
export function readBytes(descriptor: number, into: Uint8Array, at: number): number {
  let done = 0;
  while (done < into.length) {
    const read = readSync(descriptor, into, done, into.length - done, at + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

/** Writes all bytes at a place of an open file. */
export function writeBytes(descriptor: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
  }
}

/**
 * Checks that a file is regular or does not exist; returns whether it exists.
 *
 * @param links whether it may be a link to a regular file
 * @throws {StoreError} `unusable` if it is anything else
 */
export function expectPlain(file: string, links: boolean): boolean {
  const stats = statOf(lstatSync, file);
  const target = stats?.isSymbolicLink() && links ? statOf(statSync, file) : stats;
  if (stats === undefined || target?.isFile()) return target !== undefined;
  throw new StoreError(
    "unusable",
    `cannot open ${file}: it is ${fileTypeOf(target ?? stats)}; expected a regular file`,
  );
}

/**
 * Checks that a folder in which Gridlock writes files is not a link, or does not exist.
 *
 * @throws {StoreError} `unusable` if it is anything else
 */
export function expectFolder(folder: string): void {
  const stats = statOf(lstatSync, folder);
  if (stats === undefined || stats.isDirectory()) return;
  throw new StoreError(
    "unusable",
    `cannot use ${folder}: it is ${fileTypeOf(stats)}; expected a folder`,
  );
}

/**
 * Makes a folder, and those above it that are missing.
 *
 * @throws the system's error
 */
export function makeFolders(folder: string): void {
  // With its option `recursive`, Node.js tries for ever in a folder that accepts no others, such as
  // /proc.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(folder);
  if (above !== folder) makeFolders(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Returns the attributes of a file, or `undefined` if it does not exist.
 *
 * @throws {StoreError} `unusable` with the reason
 */
export function statsOf(file: string): Stats | undefined {
  return statOf(statSync, file);
}

function statOf(stat: typeof statSync, file: string): Stats | undefined {
  try {
    return stat(file, { throwIfNoEntry: false });
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

function fileTypeOf(stats: Stats): string {
  if (stats.isFile()) return "a file";
  if (stats.isSymbolicLink()) return "a link to another file";
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}

function cannotOpen(file: string, error: unknown): StoreError {
  const code = (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "unusable";
  return new StoreError(code, `cannot open ${file} (${reasonOf(error)})`, { cause: error });
}
