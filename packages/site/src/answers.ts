import {
  answerAsJson,
  answerOfAnalysis,
  answerWithPublished,
  withReason,
} from "@gridlock/answers/json";
import {
  describeGame,
  formatShape,
  type Game,
  isExact,
  normalShape,
  parseTiles,
  readBoard,
} from "@gridlock/game";
import { createTable, Kernel, kernelFiles } from "@gridlock/kernel/web";
import type { Answer as AnswerJson } from "@gridlock/schemas";
import { Analyst, NOTHING_STORED, searchMemory, whyNoKernel } from "@gridlock/solver/analyst";
import { tableOf } from "./tables.js";

/** Reads a file beside the worker: `kernel/3x3.solo.wasm`; `undefined` if the site lacks it. */
export type ReadFile = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/**
 * Seconds of the pieces of a search: between two of them, the worker hears that nobody waits for it
 * any more. Each piece goes on from what the table has.
 */
const PIECE = 0.03;
/** Games whose tables are kept. */
const MOST_GAMES = 2;

/** Reasons why a browser searches nothing. */
const NO_WEBASSEMBLY = "this browser has no WebAssembly, which the search needs";
const NO_MEMORY = "this device did not provide the memory that the search needs";

/** A game's searches. */
interface GameSearch {
  readonly analyst: Analyst;
  /** The reason why the game cannot be searched, if it cannot. */
  readonly unsearched?: string;
}

/**
 * Answers boards as the HTTP API does (`v1/3x3?board=…&turn=…&tiles=…`), with the search of this
 * thread, without shared memory.
 */
export class SiteAnswers {
  readonly #read: ReadFile;
  readonly #memory: number;
  readonly #searches = new Map<string, Promise<GameSearch>>();

  /** @param memory most bytes of a table */
  constructor(read: ReadFile, memory: number) {
    this.#read = read;
    this.#memory = memory;
  }

  /**
   * Answers an address as `GET /v1/{shape}` does: what is known at once with a budget of 0, and
   * otherwise after a search.
   *
   * @param isCancelled returns true to stop the search; called every few hundredths of a second,
   *   between events of the thread
   * @throws {Error} if the address does not ask for a board
   * @throws {GameError} if it names no board
   */
  async answer(address: string, isCancelled: () => boolean = () => false): Promise<AnswerJson> {
    const { node, game, budget } = readAddress(address);
    // The files of a search may be late or missing.
    const isKnown = this.#searches.has(describeGame(game));
    const search = budget > 0 || isKnown ? await this.#searchOf(game) : searchOf(game);
    const { analyst, unsearched } = search;
    let analysis = analyst.analyse(node, 0);
    const until = performance.now() + 1000 * (unsearched === undefined ? budget : 0);
    for (let left = until - performance.now(); left > 0 && !isCancelled(); ) {
      analysis = analyst.analyse(node, Math.min(PIECE, left / 1000));
      const { bound, moves, line } = analysis;
      if (line && isExact(bound) && moves.every((move) => isExact(move.bound))) break;
      await new Promise((resolve) => setTimeout(resolve));
      left = until - performance.now();
    }
    const known = answerWithPublished(answerOfAnalysis(analysis), game.tiles, console.warn);
    return answerAsJson(withReason(known, unsearched));
  }

  async #searchOf(game: Game): Promise<GameSearch> {
    const name = describeGame(game);
    const known = this.#searches.get(name);
    if (known) return known;
    if (this.#searches.size >= MOST_GAMES)
      this.#searches.delete([...this.#searches.keys()][0] as string);
    const search = this.#kernelOf(game).then((kernel) => searchOf(game, kernel));
    this.#searches.set(name, search);
    // A file that could not be read may be there the next time, and memory too.
    const forget = () => this.#searches.delete(name);
    search.then(({ unsearched }) => unsearched === NO_MEMORY && forget(), forget);
    return search;
  }

  /** Makes a kernel, or returns the reason why the game cannot be searched. */
  async #kernelOf(game: Game): Promise<Kernel | string> {
    const reason = whyNoKernel(game);
    if (reason !== undefined) return reason;
    if (typeof WebAssembly === "undefined") return NO_WEBASSEMBLY;
    const shape = formatShape(game.shape);
    const names = ["sizes.json", `${shape}.solo.wasm`, `${shape}.small.wasm`, "records.wasm"];
    const need = async (name: string) => {
      const file = await this.#read(`kernel/${name}`);
      if (file === undefined) throw new Error(`This site has no file kernel/${name}.`);
      return [name, file] as const;
    };
    kernelFiles.provide(await Promise.all(names.map(need)));
    const bytes = searchMemory(game, this.#memory) as number;
    let kernel: Kernel;
    try {
      kernel = new Kernel(createTable(game, bytes, 1, { shared: false }), 0);
    } catch (error) {
      if (error instanceof RangeError) return NO_MEMORY;
      throw error;
    }
    const solution = await this.#solutionOf(game);
    if (solution) kernel.records.unpack([solution]);
    return kernel;
  }

  /** Reads a game's solution, which only saves time; `undefined` if missing or another file. */
  async #solutionOf(game: Game): Promise<Uint8Array | undefined> {
    const name = tableOf(game);
    const file = name === undefined ? undefined : await this.#read(name);
    if (file === undefined) return undefined;
    try {
      const plain = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
      return new Uint8Array(await new Response(plain).arrayBuffer());
    } catch (error) {
      console.warn(`site/${name} is not the file that was written: ${error}`);
      return undefined;
    }
  }
}

/** Makes the searches of a game that has a kernel, or a reason for having none. */
function searchOf(game: Game, kernel?: Kernel | string): GameSearch {
  if (typeof kernel !== "string") return { analyst: new Analyst(game, NOTHING_STORED, kernel) };
  return { analyst: new Analyst(game, NOTHING_STORED, undefined), unsearched: kernel };
}

/** Reads the address of a board's answer. */
function readAddress(address: string) {
  const [path = "", query = ""] = address.split("?");
  const shape = /^v1\/([^/]+)$/.exec(path)?.[1];
  const parameters = new URLSearchParams(query);
  const board = parameters.get("board");
  if (shape === undefined || board === null) {
    throw new Error(`this site answers boards alone, not ${address}`);
  }
  const turn = parameters.get("turn") === "placer" ? "placer" : "slider";
  const read = readBoard(board, { turn });
  const tiles = parseTiles(parameters.get("tiles") ?? "2,4");
  return {
    node: { board: read.board, turn: read.turn },
    game: { shape: normalShape(read.board), tiles },
    budget: Number(parameters.get("budget") ?? 0),
  };
}
