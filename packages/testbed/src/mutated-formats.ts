import { existsSync } from "node:fs";
import { join } from "node:path";
import { packBoard, parseShape, starts } from "@gridlock/game";
import { defaultMemory, LocalPool, poolThreads, warmTable } from "@gridlock/solver";
import { Database, snapshotFileOf } from "@gridlock/store";
import { runHosted } from "./command-host.js";
import { resealCertificate, resealColumn, resealWeights } from "./reseal.js";

/* The formats of files that `mutations.ts` changes, and the commands that read them. */

/** A command that reads a format. */
export interface Reader {
  /** Its words, with a blank between two. */
  readonly command: string;
  /**
   * Returns whether its JSON is right; it is whatever it is after a change that its checksums hide
   * (default: any is right).
   */
  readonly isRight?: (json: never) => boolean;
  /** True if it must be right after any change. */
  readonly isChecker?: true;
}

/** A format: how its files are made, changed and read. */
export interface Format {
  make(folder: string): Promise<void> | void;
  /** The files to change, in the folder. */
  readonly files: RegExp;
  readonly readers: readonly Reader[];
  /** The tables whose rows are changed, of SQLite files (default: all). */
  readonly tables?: readonly string[];
  /** Computes the checksums of a file anew. */
  reseal?(bytes: Buffer): void;
}

const VALUES_2X2 = [12, 12, 8, 8, 8, 8];
const SMALL = "--workers 1 --memory 64M";

interface Values {
  readonly starts: readonly { readonly value: number | null }[];
}
const has2x2 = ({ starts }: Values) =>
  String(starts.map(({ value }) => value)) === String(VALUES_2X2);
const has2x3 = ({ starts }: Values) => starts.every(({ value }) => value === 40 || value === 44);

const SOLVED: readonly string[] = ["solve 2x2 --quiet", "prove 2x2"];
const VERIFY: Reader = {
  command: "verify 2x2 --workers 1 --json",
  isRight: has2x2,
  isChecker: true,
};
const QUERY: Reader = {
  command: "query 2_2/0_0 --json",
  isRight: ({ value }: { value: number }) => value === 12,
};
const STATUS: Reader = { command: "status --json" };
const CLEAN: Reader = { command: "clean --yes" };

/** The formats of files that are changed at random, by name. */
export const FORMATS: Readonly<Record<string, Format>> = {
  database: {
    make: (folder) => made(folder, SOLVED),
    files: /\.db$/,
    readers: [
      ...[VERIFY, QUERY, STATUS, CLEAN],
      { command: `solve 2x2 ${SMALL} --quiet --json`, isRight: has2x2 },
      { command: "export 2x2 --format csv" },
      { command: "prove 2x2" },
    ],
  },
  certificate: {
    make: (folder) => made(folder, SOLVED),
    files: /\.certificate$/,
    readers: [
      VERIFY,
      STATUS,
      { command: "query 2_2/0_0 --verified --json", isRight: QUERY.isRight as never },
      {
        ...VERIFY,
        command: "verify --certificate results/gridlock.2x2.certificate --workers 1 --json",
      },
    ],
    reseal: resealCertificate,
  },
  snapshot: {
    make: makeSnapshot,
    files: /\.snapshot$/,
    readers: [
      { command: `solve 2x3 ${SMALL} --quiet --json`, isRight: has2x3 },
      ...[STATUS, CLEAN],
    ],
  },
  tabulation: {
    make: (folder) => made(folder, ["solve 2x2 --quiet", "tabulate 2x2 --quiet"]),
    files: /\.(positions|minimax|expected)$/,
    readers: [
      { command: `tabulate 2x2 ${SMALL} --quiet --json` },
      { command: "analyze 2x2 --workers 1 --quiet" },
      ...[QUERY, STATUS, CLEAN],
    ],
    reseal: resealColumn,
  },
  weights: {
    make: (folder) => made(folder, ["train 2x2 --games 20 --output w.weights --quiet"]),
    files: /\.weights$/,
    readers: [
      { command: "play 2x2 --player ntuple:w.weights --games 2 --workers 1 --json" },
      { command: "train 2x2 --games 22 --output w.weights --quiet --json" },
    ],
    reseal: resealWeights,
  },
};

/** Makes files by commands. */
async function made(folder: string, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const { code, stderr } = await runHosted(folder, command.split(" "));
    if (code !== 0) throw new Error(`${command} failed: ${stderr}`);
  }
}

const GAME_2X3 = { shape: parseShape("2x3"), tiles: [2, 4] } as const;

/** Begins to solve 2×3, and leaves a snapshot. */
async function makeSnapshot(folder: string): Promise<void> {
  const databaseFile = join(folder, "results/gridlock.db");
  const snapshotFile = snapshotFileOf(databaseFile, GAME_2X3);
  using database = Database.open(databaseFile);
  const [start] = starts(GAME_2X3.shape);
  if (start === undefined) throw new Error("2x3 has no starts");
  const memory = defaultMemory(GAME_2X3, poolThreads(1), 2 ** 26);
  await using pool = new LocalPool(GAME_2X3, { workers: 1, memory });
  await warmTable(pool, GAME_2X3, database);
  const options = { databaseFile, snapshotFile, every: 3600, effort: 1 };
  const snapshots = pool.keep(options);
  await pool.ask({ turn: "slider", board: packBoard(start), threshold: 40 });
  await snapshots.finish({ boundsOnly: false });
  if (!existsSync(snapshotFile)) throw new Error("there is no snapshot");
}
