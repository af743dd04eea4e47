/* Longer than other files, since looking up, refreshing and saving all work on the same shelves. */
import { describeGame, type Game, isExact, type Node, normalShape } from "@gridlock/game";
import { createTable, Kernel } from "@gridlock/kernel";
import { publishedBound } from "@gridlock/published";
import {
  type Analysis,
  Analyst,
  certificateFileOf,
  isQuick,
  loadEntries,
  type Source,
  type StoredBounds,
  saveCostlyBounds,
  whyNoKernel,
} from "@gridlock/solver";
import { type BoundEntry, BRIEF_MS, type Database, StoreError } from "@gridlock/store";
import { type Tabulation, valueOfNode, valuesOfNode } from "@gridlock/tablebase";
import { explainMemory, isOutOfMemory } from "@gridlock/threads";
import {
  type CertificateFile,
  fileIdentity,
  type VerifyOptions,
  verifyCertificate,
} from "@gridlock/verify";
import {
  type Answer,
  type AnswerSource,
  answerOfAnalysis,
  type Worth,
  withReason,
} from "./answer.js";
import { openCertificate, recordCheck } from "./certificates.js";
import type { LibraryOptions, Query } from "./library-options.js";
import { openToRead } from "./open-to-read.js";
import { answerWithPublished, withPublished } from "./published-bounds.js";
import { tabulatedAnswer } from "./tabulated-answer.js";
import { TabulationShelf } from "./tabulation-shelf.js";
import { verifiedBounds } from "./verified-bounds.js";

/** The sources of answers for one game. */
interface Shelf {
  readonly game: Game;
  readonly analyst: Analyst;
  /** Proven bounds that are still to be saved, since the database was locked. */
  readonly unsaved: BoundEntry[];
  readonly kernel: Kernel | undefined;
  /** The reason why there is no kernel, unless the library is not to search. */
  readonly unsearched: string | undefined;
  readonly tabulation: Tabulation | undefined;
}

/** A game's checked certificate, `undefined` without a file, and the bounds that it proves. */
interface Verified {
  readonly certificate: CertificateFile | undefined;
  readonly bounds: StoredBounds;
}

/** Boards that a library remembers before it starts afresh with {@link Library.refresh}. */
const MOST_REMEMBERED = 300_000;
/** Seconds to search beside a published value or bound, which took hours to prove. */
const BRIEF_SEARCH_S = 0.15;
/** Milliseconds between two looks for changes of the files. */
const REFRESH_MS = 200;
/** Milliseconds for which a library that is disposed of waits for a lock of the database. */
const LAST_SAVE_MS = 5000;

/**
 * Answers queries about boards of any game, from a database, the tabulations beside it, and
 * searches within a budget. Saves what it proves when it is disposed of, unless the database is
 * read-only or lists nothing of the game: a search alone must not make a game appear there. While
 * another process writes to the database, it warns that what it proves is saved later.
 */
export class Library implements Disposable {
  readonly #options: LibraryOptions;
  readonly #database: Database;
  /** By {@link keyOf}. */
  readonly #shelves = new Map<number, Shelf>();
  readonly #tabulations: TabulationShelf;
  /** The certificates that have been checked, by game; used with `verified` alone. */
  readonly #verified = new Map<number, Verified>();
  /** The kernels whose tables have the entries that a solve has kept. */
  readonly #warmed = new WeakSet<Kernel>();
  /**
   * True while another process has locked the database, so that nothing can be saved, as a warning
   * has said.
   */
  #isLocked = false;
  #version: number;
  #refreshed = Number.NEGATIVE_INFINITY;

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#tabulations = new TabulationShelf(options);
    this.#database = options.database ?? openToRead(options);
    this.#version = this.#database.version();
  }

  #warnOfLock(consequence: string): void {
    const { db, warn } = this.#options;
    warn(`${db} is locked by another process: ${consequence}`);
  }

  /**
   * Checks the certificate of a game, unless {@link Library.hasVerified}, or the database says that
   * this very file was checked. With `verified`, call this before each query of the game. Without a
   * certificate, answers come from search alone, as a warning says.
   *
   * @throws {Error} if a claim of the certificate does not follow
   * @throws {CertificateError} if its file is damaged
   */
  async verify(game: Game, options: VerifyOptions): Promise<void> {
    if (this.hasVerified(game)) return;
    const { db, warn } = this.#options;
    const certificate = openCertificate(db, game);
    if (certificate === undefined) {
      const file = certificateFileOf(db, game);
      warn(`there is no ${file}: boards of ${describeGame(game)} are searched`);
    } else if (this.#database.checkedCertificate(game) !== certificate.identity) {
      await checkClaims(certificate, options);
      recordCheck(db, certificate);
    }
    const key = keyOf(game);
    this.#verified.get(key)?.certificate?.[Symbol.dispose]();
    this.#verified.set(key, { certificate, bounds: verifiedBounds(certificate) });
    const shelf = this.#shelves.get(key);
    if (shelf) this.#shelves.set(key, this.#makeShelf(shelf));
  }

  /**
   * Returns whether {@link Library.verify} has checked the certificate of a game that is beside the
   * database. After it was replaced, it has not; until it has, answers come from the certificate
   * that was checked before.
   */
  hasVerified(game: Game): boolean {
    const verified = this.#verified.get(keyOf(game));
    if (verified === undefined) return false;
    const file = certificateFileOf(this.#options.db, game);
    return fileIdentity(file) === verified.certificate?.identity;
  }

  /**
   * Returns a node's value: looked up or, within the budget, searched.
   *
   * @throws {Error} with `verified`, unless {@link Library.verify} has checked a certificate of the
   *   game
   * @throws {StoreError} if the database or a tabulation is damaged or cannot be read; a locked
   *   database is a warning
   */
  worth(query: Query): Worth {
    const shelf = this.#shelfOf(query);
    return this.#worthWithin(this.#budgetOf(shelf, query), shelf, query);
  }

  /**
   * Returns a node's value, those of its moves and a line of best play: looked up or, within the
   * budget, searched.
   *
   * @throws as {@link Library.worth}
   */
  answer(query: Query): Answer {
    const shelf = this.#shelfOf(query);
    const node = nodeOf(query);
    const tabulated = shelf.tabulation && tabulatedAnswer(shelf.tabulation, node);
    if (tabulated) return tabulated;
    const budget = this.#budgetOf(shelf, query);
    const analysis = shelf.analyst.analyse(node, budget, query.isStopped, query.enough);
    const answer = this.#answerOf(shelf, analysis);
    const known = this.#usesPublished
      ? answerWithPublished(answer, query.tiles, this.#options.warn)
      : answer;
    return withReason(known, shelf.unsearched);
  }

  get #usesPublished(): boolean {
    const { published = true, verified } = this.#options;
    return published && !verified;
  }

  /** Returns the seconds to search for a query: few if its board is published and slow to solve. */
  #budgetOf({ analyst, game }: Shelf, { budget, tiles, wholeBudget, ...node }: Query): number {
    if (budget <= BRIEF_SEARCH_S || wholeBudget || !this.#usesPublished) return budget;
    if (isQuick(game.shape)) return budget;
    const isPublished = publishedBound(node, tiles) !== undefined;
    return isPublished && !isExact(analyst.value(node, 0)) ? BRIEF_SEARCH_S : budget;
  }

  /** Returns the source of a bound: with `verified`, a checked certificate replaces a database. */
  #sourceOf(source: Source): AnswerSource {
    return source === "database" && this.#options.verified ? "certificate" : source;
  }

  /** Returns a node's tabulated or published value, or else the bound proven in some seconds. */
  #worthWithin(seconds: number, shelf: Shelf, query: Query): Worth {
    const { analyst, tabulation, unsearched } = shelf;
    const { board, turn, tiles, isStopped } = query;
    const values = tabulation && valuesOfNode(tabulation, ["minimax", "expected"], { board, turn });
    const [minimax, expected] = values ?? [];
    const isTabulated = minimax !== undefined;
    const bound = isTabulated
      ? { lo: minimax, hi: minimax }
      : analyst.value(query, seconds, isStopped);
    const source = isTabulated ? "tabulation" : this.#sourceOf(analyst.sourceOf({ board, turn }));
    const worth = { board, turn, bound, source, tabulated: tabulation !== undefined, expected };
    const known = this.#usesPublished ? withPublished(worth, tiles, this.#options.warn) : worth;
    return withReason(known, unsearched);
  }

  /** Makes an answer of an analysis. */
  #answerOf({ tabulation }: Shelf, analysis: Analysis): Answer {
    const expectedOf = tabulation && ((of: Node) => valueOfNode(tabulation, "expected", of));
    return answerOfAnalysis(analysis, this.#sourceOf(analysis.source), expectedOf);
  }

  /**
   * Returns a node's value if it can be looked up; `undefined` if it takes a search.
   *
   * @throws as {@link Library.worth}
   */
  lookUpWorth(query: Query): Worth | undefined {
    const worth = this.#worthWithin(0, this.#shelfOf(query), query);
    return isExact(worth.bound) ? worth : undefined;
  }

  /**
   * Returns a node's answer if all of it can be looked up; `undefined` if it takes a search.
   *
   * @throws as {@link Library.worth}
   */
  lookUp(query: Query): Answer | undefined {
    const shelf = this.#shelfOf(query);
    const node = nodeOf(query);
    const tabulated = shelf.tabulation && tabulatedAnswer(shelf.tabulation, node);
    if (tabulated) return tabulated;
    const analysis = shelf.analyst.lookUp(node);
    return analysis && this.#answerOf(shelf, analysis);
  }

  /**
   * Looks for values that others have stored and for tabulations made since the last look; forgets
   * what is remembered if it has become too much. Looks a few times a second at most.
   */
  refresh(): void {
    const now = performance.now();
    if (now < this.#refreshed + REFRESH_MS) return;
    this.#refreshed = now;
    const changed = this.#tabulations.refresh();
    const version = this.#database.version();
    const shelves = [...this.#shelves.values()];
    const remembered = shelves.reduce((sum, { analyst }) => sum + analyst.remembered, 0);
    if (!changed && version === this.#version && remembered <= MOST_REMEMBERED) return;
    this.#version = version;
    this.save();
    for (const [key, shelf] of this.#shelves) {
      this.#shelves.set(key, this.#makeShelf(shelf, shelf.unsaved));
    }
  }

  #shelfOf({ board, tiles }: Query): Shelf {
    const game = { shape: normalShape(board), tiles };
    const key = keyOf(game);
    let shelf = this.#shelves.get(key);
    if (shelf === undefined) {
      shelf = this.#makeShelf({ game, ...this.#makeKernel(game) });
      this.#shelves.set(key, shelf);
    }
    return shelf;
  }

  /** Makes a kernel; without memory for one, warns that answers come only from what is stored. */
  #makeKernel(game: Game): Pick<Shelf, "kernel" | "unsearched"> {
    const { tableBytes, warn } = this.#options;
    try {
      const bytes = tableBytes(game);
      if (bytes === undefined) return { kernel: undefined, unsearched: whyNoKernel(game) };
      return { kernel: new Kernel(createTable(game, bytes, 1), 0), unsearched: undefined };
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      const unsearched = explainMemory(error.message);
      warn(`answers come from stored values alone: ${unsearched}`);
      return { kernel: undefined, unsearched };
    }
  }

  #makeShelf(
    { game, kernel, unsearched }: Pick<Shelf, "game" | "kernel" | "unsearched">,
    unsaved: BoundEntry[] = [],
  ): Shelf {
    if (this.#options.verified) {
      const verified = this.#verified.get(keyOf(game));
      if (verified === undefined)
        throw new Error("the game has not been verified before its query");
      const analyst = new Analyst(game, verified.bounds, kernel);
      return { game, unsaved, kernel, unsearched, tabulation: undefined, analyst };
    }
    const tabulation = this.#tabulations.of(game);
    const tabulated = (node: Node) => tabulation && valueOfNode(tabulation, "minimax", node);
    const analyst = new Analyst(game, this.#storedBounds(game), kernel, tabulated);
    return { game, unsaved, kernel, unsearched, tabulation, analyst };
  }

  #storedBounds(game: Game): StoredBounds {
    const table = this.#database.bounds(game);
    return {
      get: (node) => table.get(node),
      all: () => table.all(),
      count: () => table.count(),
      warm: (kernel) => {
        // Once: the table keeps them, while a change of the database makes a new shelf.
        if (this.#warmed.has(kernel)) return;
        loadEntries(game, this.#database, kernel);
        this.#warmed.add(kernel);
      },
    };
  }

  /** Makes the next {@link Library.refresh} read all values; for callers that know of a change. */
  expectChanges(): void {
    this.#refreshed = Number.NEGATIVE_INFINITY;
    this.#version = Number.NaN;
  }

  /**
   * Saves what has been proven since the last call, of games that the database lists, unless it is
   * read-only. If another process has locked it, keeps that for the next call.
   */
  save(): void {
    if (this.#isSaved(BRIEF_MS)) return;
    if (!this.#isLocked) this.#warnOfLock("search results are saved once it is free");
    this.#isLocked = true;
  }

  /** Saves results; returns false if the database is locked for over `patience` milliseconds. */
  #isSaved(patience: number, alsoCostly = false): boolean {
    for (const { analyst, unsaved } of this.#shelves.values()) {
      for (const entry of analyst.drainFresh()) unsaved.push(entry);
      if (this.#database.readOnly) unsaved.length = 0;
    }
    if (this.#database.readOnly) return true;
    this.#database.patience = patience;
    try {
      for (const { game, analyst, kernel, unsaved } of this.#shelves.values()) {
        const searched = alsoCostly && analyst.hasSearched ? kernel : undefined;
        if (unsaved.length === 0 && searched === undefined) continue;
        if (this.#database.has(game)) {
          const bounds = this.#database.bounds(game);
          bounds.merge(unsaved);
          if (searched) saveCostlyBounds(searched, game, bounds);
        }
        unsaved.length = 0;
      }
      this.#isLocked = false;
      return true;
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "locked")) throw error;
      return false;
    } finally {
      this.#database.patience = LAST_SAVE_MS;
    }
  }

  /** Saves all that is proven of games in the database, including by-products of searches. */
  [Symbol.dispose](): void {
    using _database = this.#options.database ? undefined : this.#database;
    using _tabulations = this.#tabulations;
    for (const { certificate } of this.#verified.values()) certificate?.[Symbol.dispose]();
    this.#verified.clear();
    if (!this.#isSaved(LAST_SAVE_MS, true)) this.#warnOfLock("search results are not saved");
  }
}

/** Checks all claims of a certificate, and closes it if they do not hold. */
async function checkClaims(certificate: CertificateFile, options: VerifyOptions): Promise<void> {
  try {
    const { failed } = await verifyCertificate(certificate, undefined, options);
    if (failed === 0) return;
    throw new Error(`${certificate.name} does not hold; gridlock verify prints why`);
  } catch (error) {
    certificate[Symbol.dispose]();
    throw error;
  }
}

/** Returns a number for a game in normal shape: a text takes longer to make than many look-ups. */
function keyOf({ shape, tiles }: Game): number {
  return 1000 * shape.rows + 10 * shape.cols + tiles.length;
}

function nodeOf({ board, turn }: Query): Node {
  return { board, turn };
}
