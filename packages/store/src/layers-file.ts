import {
  formatShape,
  formatTiles,
  type Game,
  mostPointsToCome,
  normalShape,
  starts,
} from "@gridlock/game";
import { quoted, StoreError } from "./errors.js";
import { orDisposed } from "./or-disposed.js";
import type { FileKind } from "./schema.js";
import { type OpenOptions, SqliteFile } from "./sqlite-file.js";

/** Digits of a step in the name of a file. */
const STEP_DIGITS = 15;
const FILE = `[0-9a-f]{1,16}\\.\\d{1,${STEP_DIGITS}}`;
/**
 * The names of the files of a proof, and the numbers of its blocks. Names in files that somebody else made are accepted
 * only if they have one of these forms, so that they lead nowhere else.
 */
export const LAYERS_NAMES = {
  block: /^[0-9a-f]{1,16}$/,
  blockFile: new RegExp(`^${FILE}\\.block$`),
  lettersFile: new RegExp(`^${FILE}\\.letters$`),
};

/** A block of a proof by layers after its last visit. */
export interface LayersBlock {
  readonly block: string;
  /** The step and the round of the last visit. */
  readonly step: number;
  readonly round: number;
  /** Boards with bounds; nodes, which are demanded and not settled; nodes left to expand. */
  readonly boards: number;
  readonly live: number;
  readonly waiting: number;
  /** True if that visit only wrote a whole file of the block. */
  readonly isMerged: boolean;
}

/** A file of letters that a block has not read yet. */
export interface LayersLetters {
  /** The block that they are addressed to. */
  readonly to: string;
  readonly file: string;
  /** Number of letters. */
  readonly items: number;
}

/** The progress of a proof by layers. */
export interface LayersProgress {
  readonly round: number;
  readonly step: number;
  /** The thresholds asked in this round, in points, one for each start; 0: not asked. */
  readonly thresholds: readonly number[];
  /**
   * Nodes expanded, nodes looked at again, bounds looked up, and seconds spent, in all runs.
   */
  readonly expanded: number;
  readonly lookedAgain: number;
  readonly looks: number;
  readonly seconds: number;
  /**
   * Times that blocks on which stored values rest were forgotten, since all values were last
   * proven.
   */
  readonly losses: number;
}

/** The state that one commit saves. */
export interface LayersState {
  readonly progress: LayersProgress;
  readonly blocks: readonly LayersBlock[];
  readonly letters: readonly LayersLetters[];
}

/** Options for opening a file of a proof by layers. */
export interface LayersFileOptions extends Pick<OpenOptions, "readOnly"> {
  /** The number of blocks into which a hash splits one, if the file is new (default: 1). */
  readonly split?: number;
}

const LAYERS: FileKind = {
  name: "progress file of a proof by layers",
  maker: "gridlock solve --method layers",
  remedy: "delete its folder to start over",
  links: false,
  applicationId: 0x47524c4c, // "GRLL"
  pageBytes: 4096,
  journal: "WAL",
  migrations: [
    (sqlite) =>
      sqlite.exec(`
        CREATE TABLE identity (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          shape TEXT NOT NULL,
          tiles TEXT NOT NULL,
          version TEXT NOT NULL
        ) STRICT;
        CREATE TABLE progress (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          round INTEGER NOT NULL,
          step INTEGER NOT NULL,
          thresholds TEXT NOT NULL,
          expanded INTEGER NOT NULL,
          lookedAgain INTEGER NOT NULL,
          looks INTEGER NOT NULL,
          seconds REAL NOT NULL
        ) STRICT;
        CREATE TABLE block (
          block TEXT PRIMARY KEY,
          step INTEGER NOT NULL,
          round INTEGER NOT NULL,
          boards INTEGER NOT NULL,
          live INTEGER NOT NULL,
          waiting INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE letters (
          "to" TEXT NOT NULL,
          file TEXT NOT NULL,
          items INTEGER NOT NULL,
          PRIMARY KEY ("to", file)
        ) STRICT, WITHOUT ROWID;
      `),
    (sqlite) => sqlite.exec("ALTER TABLE progress ADD COLUMN losses INTEGER NOT NULL DEFAULT 0"),
    (sqlite) => sqlite.exec("ALTER TABLE block ADD COLUMN isMerged INTEGER NOT NULL DEFAULT 0"),
  ],
};

/**
 * Returns a version as it is stored. Builds that know no splits refuse the files of a split proof,
 * but can use all others.
 */
function versionOf(version: string, split: number): string {
  return split === 1 ? version : `${version}/${split}`;
}

/** A row as it is read: in a file that somebody else made, its columns may have any values. */
type Row = Readonly<Record<string, unknown>> &
  Partial<
    Record<"block" | "isMerged" | "to" | "file" | "step" | "thresholds" | "seconds", unknown>
  >;

const BLOCK_COUNTS = ["step", "round", "boards", "live", "waiting", "isMerged"];
const PROGRESS_COUNTS = ["round", "step", "expanded", "lookedAgain", "looks", "losses"];

/** Returns whether a value is a count that a proof can have. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 10 ** STEP_DIGITS;
}

/** Parses a list of numbers; returns undefined if it is not a list. */
function thresholdsIn(text: unknown): readonly number[] | undefined {
  try {
    const list: unknown = JSON.parse(String(text));
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** The state of a proof by layers, in an SQLite file beside the layers' files. */
export class LayersFile extends SqliteFile {
  readonly #game: Game;
  /** The number of blocks into which a hash splits one. */
  readonly split: number;

  /**
   * Opens the file of a proof.
   *
   * @param version of the layers' files
   * @throws {StoreError} if the file cannot be used, or belongs to another game or version
   */
  constructor(
    file: string,
    game: Game,
    version: string,
    { split = 1, ...options }: LayersFileOptions = {},
  ) {
    super(file, LAYERS, options);
    this.#game = game;
    this.split = orDisposed(this, () => this.#identify(version, split));
  }

  /**
   * Gives a new file its identity, or checks that it has this one but for the split; returns the
   * split.
   */
  #identify(version: string, split: number): number {
    const { shape, tiles } = this.#game;
    const wanted = { shape: formatShape(normalShape(shape)), tiles: formatTiles(tiles) };
    const found = this.get<typeof wanted & { version: string }>(
      "SELECT shape, tiles, version FROM identity",
    );
    if (found === undefined) {
      const row = { ...wanted, version: versionOf(version, split) };
      if (!this.readOnly)
        this.run("INSERT INTO identity VALUES (1, :shape, :tiles, :version)", row);
      return split;
    }
    if (found.shape !== wanted.shape || found.tiles !== wanted.tiles) {
      throw new StoreError(
        "other-game",
        `${this.file} belongs to ${quoted(found.shape)}, tiles ${quoted(found.tiles)}; expected ${wanted.shape}, tiles ${wanted.tiles}`,
      );
    }
    const known = Number(String(found.version).split("/")[1] ?? 1);
    if (found.version === versionOf(version, known) && isCount(known)) return known;
    throw new StoreError(
      "other-version",
      `${this.file} was written by another version of the proofs by layers (${quoted(found.version)}; this is ${version}); delete its folder to start over`,
    );
  }

  /**
   * Returns the state that was last saved, or that of a proof that has not begun.
   *
   * @throws {StoreError} `damaged` if it is not a state that a proof has
   */
  load(): LayersState {
    const [progress, blocks, letters] = ["progress", "block", "letters"].map((table) =>
      this.all<Row>(`SELECT * FROM ${table} ORDER BY 1, 2`),
    ) as [Row[], Row[], Row[]];
    // Each saved file was written in an earlier step than the next one.
    const last = Number(progress[0]?.step ?? -1);
    return {
      progress: progress[0] ? this.#progressOf(progress[0]) : this.#nothing(),
      blocks: blocks.map((row) => {
        const isPossible = LAYERS_NAMES.block.test(String(row.block)) && Number(row.step) <= last;
        this.#expect(row, isPossible, BLOCK_COUNTS);
        return { ...(row as unknown as LayersBlock), isMerged: row.isMerged === 1 };
      }),
      letters: letters.map((row) => {
        const { to, file } = row;
        const isNamed =
          LAYERS_NAMES.block.test(String(to)) && LAYERS_NAMES.lettersFile.test(String(file));
        return this.#expect(row, isNamed, ["items"]) as unknown as LayersLetters;
      }),
    };
  }

  /** Returns the progress of a proof that has not begun. */
  #nothing(): LayersProgress {
    const thresholds = starts(this.#game.shape).map(() => 0);
    const counts = { expanded: 0, lookedAgain: 0, looks: 0, seconds: 0, losses: 0 };
    return { round: 0, step: 0, thresholds, ...counts };
  }

  #progressOf(row: Row): LayersProgress {
    const thresholds = thresholdsIn(row.thresholds);
    const boards = starts(this.#game.shape);
    const isPossible =
      thresholds?.length === boards.length &&
      boards.every((board, i) => {
        const points = thresholds[i];
        return isCount(points) && points <= mostPointsToCome(board) + 4;
      });
    this.#expect(row, isPossible && Number.isFinite(row.seconds), PROGRESS_COUNTS);
    return { ...(row as unknown as LayersProgress), thresholds: thresholds ?? [] };
  }

  /** Returns a row whose counts are counts; whatever else it must be, it is. */
  #expect(row: Row, isPossible: boolean, counts: readonly string[]): Row {
    if (isPossible && counts.every((name) => isCount(row[name]))) return row;
    throw new StoreError(
      "damaged",
      `${this.file} has contents that no version of this program writes: ${quoted(row)}; ${LAYERS.remedy}`,
    );
  }

  /** Saves the proof's state in one transaction. */
  save({ progress, blocks, letters }: LayersState): void {
    this.atOnce(() => {
      this.run(
        `INSERT OR REPLACE INTO progress VALUES
         (1, :round, :step, :thresholds, :expanded, :lookedAgain, :looks, :seconds, :losses)`,
        { ...progress, thresholds: JSON.stringify(progress.thresholds) },
      );
      this.sqlite.exec("DELETE FROM block; DELETE FROM letters");
      const putBlock =
        "INSERT INTO block VALUES (:block, :step, :round, :boards, :live, :waiting, :isMerged)";
      for (const block of blocks)
        this.run(putBlock, { ...block, isMerged: block.isMerged ? 1 : 0 });
      const putLetters = "INSERT INTO letters VALUES (:to, :file, :items)";
      for (const each of letters) this.run(putLetters, each);
    });
  }
}
