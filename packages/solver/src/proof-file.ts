import { closeSync, fstatSync, ftruncateSync, renameSync, rmSync, write } from "node:fs";
import { promisify } from "node:util";
import type { Game } from "@gridlock/game";
import { openPlain, pathBeside, readBytes, reasonOf, StoreError } from "@gridlock/store";
import { CLAIM_WORDS, encodeEnd, encodeHeader } from "@gridlock/verify";
import { DemandRuns, type RunCounts } from "./demand-runs.js";

const writeAt = promisify(write);

/** How far a proof has come, between two tile sums. */
export interface ProofState {
  /** The tile sum to prove next. */
  readonly tileSum: number;
  /** Demands on boards of that tile sum, and of the next one. */
  readonly near: number;
  readonly far: number;
  /** Demands in files. */
  readonly runs: RunCounts;
}

/** What has been made of a certificate. */
export interface ProofCounts {
  readonly claims: number;
  readonly lower: number;
  readonly upper: number;
  readonly blocks: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Of earlier runs that this one resumes, until they were last saved. */
  readonly nodes: number;
  readonly seconds: number;
}

/** The first line of a saved state, before its claims. */
interface SavedProof extends ProofState, ProofCounts {
  /** What the proof depends on; another one cannot resume it. */
  readonly identity: string;
}

const NOTHING: ProofCounts = {
  claims: 0,
  lower: 0,
  upper: 0,
  blocks: 0,
  bytes: 0,
  nodes: 0,
  seconds: 0,
};
/** The most bytes of the first line. */
const MOST_LINE = 4096;

/** Returns the path of a game's certificate beside a database. */
export function certificateFileOf(databaseFile: string, game: Game): string {
  return pathBeside(databaseFile, game, "certificate");
}

/**
 * A certificate that is being made: `X.certificate.part`, which becomes `X.certificate` in the end,
 * and `X.certificate.state`, from which an interrupted proof goes on. The state has a line of JSON,
 * and the demands on two tile sums in the form that claims have in memory.
 */
export class ProofFile implements Disposable {
  readonly #file: string;
  readonly #identity: string;
  readonly #part: number;
  #stateFile: number | undefined;
  #read = 0;
  #counts: ProofCounts = NOTHING;
  /** The state to go on from; `undefined` at the beginning. */
  readonly state: ProofState | undefined;
  /** Demands for which memory has no room. */
  readonly runs: DemandRuns;

  /**
   * Opens the certificate that a proof begins or goes on with.
   *
   * @param file of the certificate
   * @param identity of everything that the claims depend on
   * @throws {StoreError} if a file cannot be opened
   */
  constructor(file: string, game: Game, identity: string) {
    this.#file = file;
    this.#identity = identity;
    this.#part = openPlain(this.#partFile, "update");
    try {
      const saved = this.#openState();
      if (saved && fstatSync(this.#part).size >= saved.bytes) {
        this.state = saved;
        const { claims, lower, upper, blocks, bytes, nodes, seconds } = saved;
        this.#counts = { claims, lower, upper, blocks, bytes, nodes, seconds };
      }
      ftruncateSync(this.#part, this.#counts.bytes);
      this.runs = new DemandRuns(file, this.state?.runs);
      if (this.state === undefined) this.#header = encodeHeader(game);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  #header: Uint8Array | undefined;

  get #partFile(): string {
    return `${this.#file}.part`;
  }

  get #statePath(): string {
    return `${this.#file}.state`;
  }

  /** What has been made so far. */
  get counts(): ProofCounts {
    return this.#counts;
  }

  /** Opens the saved state, if there is one that this proof can resume; reads its first line. */
  #openState(): SavedProof | undefined {
    try {
      this.#stateFile = openPlain(this.#statePath, "read");
    } catch (error) {
      if (error instanceof StoreError && error.code === "missing") return undefined;
      throw error;
    }
    const start = Buffer.alloc(MOST_LINE);
    const length = start.subarray(0, readBytes(this.#stateFile, start, 0)).indexOf("\n");
    if (length < 0) return undefined;
    this.#read = length + 1;
    try {
      const saved = JSON.parse(start.toString("utf8", 0, length)) as SavedProof;
      return saved.identity === this.#identity ? saved : undefined;
    } catch {
      return undefined;
    }
  }

  /** Reads the next claims of the state. */
  readClaims(into: Uint8Array): void {
    const read = readBytes(this.#stateFile as number, into, this.#read);
    this.#read += read;
    if (read === into.length) return;
    throw new StoreError(
      "damaged",
      `${this.#statePath} was cut short; delete it to begin the proof again`,
    );
  }

  /** Appends blocks with claims. */
  async append(claims: Uint32Array, blocks: readonly Uint8Array[]): Promise<void> {
    let { lower, upper } = this.#counts;
    for (let i = 0; i < claims.length; i += CLAIM_WORDS) {
      if (claims[i + 2] !== 0) lower++;
      if (claims[i + 3] !== 0) upper++;
    }
    await this.#append(this.#header ? [this.#header, ...blocks] : blocks);
    this.#header = undefined;
    const made = { lower, upper, claims: this.#counts.claims + claims.length / CLAIM_WORDS };
    this.#counts = { ...this.#counts, ...made, blocks: this.#counts.blocks + blocks.length };
  }

  async #append(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) {
      await writeAll(this.#part, part, this.#counts.bytes);
      this.#counts = { ...this.#counts, bytes: this.#counts.bytes + part.length };
    }
  }

  /**
   * Saves the state in place of the one before.
   *
   * @param lists the demands on the two tile sums; each is written before the next one is asked for
   * @param cost of the proof so far
   */
  async save(
    state: ProofState,
    cost: Pick<ProofCounts, "nodes" | "seconds">,
    lists: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const saved: SavedProof = { identity: this.#identity, ...state, ...this.#counts, ...cost };
    const next = `${this.#statePath}.next`;
    rmSync(next, { force: true });
    const file = openPlain(next, "create");
    try {
      const line = Buffer.from(`${JSON.stringify(saved)}\n`);
      await writeAll(file, line, 0);
      let at = line.length;
      for await (const list of lists) {
        await writeAll(file, list, at);
        at += list.length;
      }
    } finally {
      closeSync(file);
    }
    renameSync(next, this.#statePath);
  }

  /** Removes what has been saved, so that the next proof begins anew. */
  discard(): void {
    rmSync(this.#statePath, { force: true });
  }

  /** Ends the certificate, and puts it in its place. */
  async finish(): Promise<void> {
    const { claims, blocks } = this.#counts;
    await this.#append([encodeEnd(claims, blocks)]);
    renameSync(this.#partFile, this.#file);
    rmSync(this.#statePath, { force: true });
  }

  [Symbol.dispose](): void {
    this.runs?.[Symbol.dispose]();
    closeSync(this.#part);
    if (this.#stateFile !== undefined) closeSync(this.#stateFile);
  }
}

/** Writes bytes at a place of a file. */
async function writeAll(file: number, bytes: Uint8Array, at: number): Promise<void> {
  try {
    for (let written = 0; written < bytes.length; ) {
      const rest = bytes.subarray(written);
      written += (await writeAt(file, rest, 0, rest.length, at + written)).bytesWritten;
    }
  } catch (error) {
    throw new StoreError("full", `cannot write the certificate (${reasonOf(error)})`, {
      cause: error,
    });
  }
}
