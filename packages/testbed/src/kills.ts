import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Game, parseShape, seededRandom } from "@gridlock/game";
import { formatCount } from "@gridlock/report";
import { Database, SnapshotFile, snapshotFileOf } from "@gridlock/store";
import { valuesIn } from "./cluster-run.js";
import { GRIDLOCK, hookOf, Process } from "./command.js";
import type { Outcome } from "./command-host.js";
import { TemporaryFolder } from "./folder.js";

/** Number of kills after which a run may finish undisturbed. */
const MOST_KILLS = 12;
/** Seconds between snapshots of a run that is killed at random moments. */
const SNAPSHOT_EVERY = "0.05";

/**
 * Ways to kill a solve: SIGKILL to the process; the sudden end of one of its threads, after which
 * the process must end by itself; both; and SIGKILL while a snapshot is being written.
 */
export const KILL_KINDS = ["process", "thread", "both", "snapshot"] as const;
/** One of the {@link KILL_KINDS}. */
export type KillKind = (typeof KILL_KINDS)[number];

/** Options of a series of killed solves. */
export interface KillOptions {
  readonly shape: string;
  /** Number of solves, each of which is killed repeatedly until it is done. */
  readonly runs: number;
  readonly seed: number;
  /** Seconds after which each process is killed. Default: random moments, in all ways. */
  readonly killEvery?: number | undefined;
  /** The command's `--memory`. */
  readonly memory?: string | undefined;
  /** The command's `--snapshot-every`. */
  readonly snapshotEvery?: string | undefined;
}

/** The undisturbed solve, with which the others are compared. */
type Undisturbed = Awaited<ReturnType<KillTrial["undisturbed"]>>;

class KillTrial {
  /** Number of kills that hit a running process, by kind. */
  readonly kills: Record<KillKind, number> = { process: 0, thread: 0, both: 0, snapshot: 0 };
  /** Wrong values, damaged files and unexpected exits, as sentences. */
  readonly failures: string[] = [];
  /** Number of kills while a snapshot was being written. */
  midway = 0;
  readonly #options: KillOptions;
  readonly #game: Game;
  readonly #random: () => number;
  readonly #tell: (line: string) => void;

  constructor(options: KillOptions, tell: (line: string) => void) {
    this.#options = options;
    this.#game = { shape: parseShape(options.shape), tiles: [2, 4] };
    this.#random = seededRandom(options.seed);
    this.#tell = tell;
  }

  /** Solves without kills; returns the values, the duration in milliseconds, and the nodes. */
  async undisturbed(db: string) {
    const began = performance.now();
    await using solve = this.#solve(db);
    const { code, stdout, stderr } = await solve.ended;
    if (code !== 0) throw new Error(stderr);
    const span = performance.now() - began;
    const { positions, afterstates } = JSON.parse(stdout).nodes;
    return { values: valuesIn(stdout), span, nodes: positions + afterstates };
  }

  /** Kills and resumes a solve until it is done. */
  async run(run: number, db: string, undisturbed: Undisturbed): Promise<void> {
    const { killEvery } = this.#options;
    for (let kill = 0; ; kill++) {
      const isLast = killEvery === undefined && kill >= MOST_KILLS;
      const kind = killEvery === undefined ? this.#anyKind() : "process";
      const end = isLast ? await this.#finish(db) : await this.#kill(db, kind, undisturbed.span);
      const faults = this.#faultsOf(db);
      if (faults.length > 0) {
        this.failures.push(`run ${run}, after kill ${kill}: ${faults.join("; ")}`);
      }
      if (end.code === 0) {
        if (valuesIn(end.stdout) !== undisturbed.values) {
          this.failures.push(`run ${run}: wrong values`);
        }
        break;
      }
      if (isLast || (end.code !== 1 && end.signal !== "SIGKILL")) {
        this.failures.push(`run ${run}: exit ${end.code}, ${end.stderr}`);
        break;
      }
      if (end.code === 1 && !/thread/.test(end.stderr)) {
        this.failures.push(`run ${run}: ${end.stderr}`);
      }
      this.kills[kind]++;
      if (killEvery !== undefined) this.#tell(`killed ${kill + 1} times`);
    }
    if (killEvery !== undefined) this.#tellNodes(db, undisturbed.nodes);
  }

  #solve(db: string, env: Record<string, string> = {}): Process {
    const { shape, memory, killEvery, snapshotEvery } = this.#options;
    const every = snapshotEvery ?? (killEvery === undefined ? SNAPSHOT_EVERY : undefined);
    const args = [
      ...["solve", shape, "--json", "--quiet", "--db", db],
      ...(memory === undefined ? [] : ["--memory", memory]),
      ...(every === undefined ? [] : ["--snapshot-every", every]),
    ];
    const node = ["--import", hookOf("kill-thread")];
    return new Process(GRIDLOCK, args, { node, env: { ...process.env, ...env } });
  }

  async #finish(db: string): Promise<Outcome> {
    await using solve = this.#solve(db);
    return await solve.ended;
  }

  /** Kills a solve at a random moment within `span` milliseconds, unless it ends first. */
  async #kill(db: string, kind: KillKind, span: number): Promise<Outcome> {
    const { killEvery } = this.#options;
    const at = killEvery === undefined ? this.#random() * span : 1000 * killEvery;
    const killsThread = kind === "thread" || kind === "both";
    await using solve = this.#solve(db, killsThread ? { KILL_THREAD_AFTER: String(at) } : {});
    if (kind !== "thread") {
      const deadline = performance.now() + (kind === "both" ? at + this.#random() * 50 : at);
      while (solve.isRunning && performance.now() < deadline) await sleep(1);
      if (kind === "snapshot" && solve.isRunning && this.#isBeingWritten(db, span)) this.midway++;
      solve.child.kill("SIGKILL");
    }
    return await solve.ended;
  }

  #anyKind(): KillKind {
    return KILL_KINDS[Math.floor(this.#random() * KILL_KINDS.length)] as KillKind;
  }

  /**
   * Waits for up to `patience` milliseconds until the snapshot's journal is not empty, which means
   * that batches are being written; returns whether they are.
   */
  #isBeingWritten(db: string, patience: number): boolean {
    const journal = `${snapshotFileOf(db, this.#game)}-journal`;
    const deadline = performance.now() + patience;
    while (performance.now() < deadline) {
      if ((statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0) return true;
    }
    return false;
  }

  /**
   * Lists the faults of a run's files. An empty file is intact: the kill came before the first
   * write.
   */
  #faultsOf(db: string): string[] {
    return [
      faultsIn(db, (file) => Database.open(file, { readOnly: true })),
      faultsIn(snapshotFileOf(db, this.#game), (file) =>
        SnapshotFile.open(file, { readOnly: true }),
      ),
    ].flat();
  }

  /**
   * Reports the nodes of all solves on a database. A killed solve logged its nodes up to a second
   * earlier.
   */
  #tellNodes(db: string, undisturbed: number): void {
    using database = Database.open(db, { readOnly: true });
    let nodes = 0;
    for (const { positions, afterstates, seconds, outcome } of database.runs.all()) {
      const logged = positions + afterstates;
      nodes += logged + (outcome === "unfinished" && seconds > 0 ? logged / seconds : 0);
    }
    const times = (nodes / undisturbed).toFixed(3);
    this.#tell(`${formatCount(nodes)} nodes in all, at most: ${times} times the undisturbed run's`);
  }
}

function faultsIn(
  file: string,
  open: (file: string) => { faults(): readonly string[] } & Disposable,
): readonly string[] {
  if (!existsSync(file)) return [];
  try {
    using opened = open(file);
    return opened.faults();
  } catch (error) {
    return [(error as Error).message];
  }
}

/**
 * Repeatedly kills and resumes solves until they are done. Checks that all values are those of an
 * undisturbed solve, and that no file is ever damaged.
 *
 * @param tell receives progress lines
 */
export async function killAndResume(
  options: KillOptions,
  tell: (line: string) => void,
): Promise<Pick<KillTrial, "kills" | "midway" | "failures">> {
  using folder = new TemporaryFolder();
  const trial = new KillTrial(options, tell);
  const undisturbed = await trial.undisturbed(join(folder.path, "calm.db"));
  const { span, nodes } = undisturbed;
  tell(`${options.shape}: undisturbed ${(span / 1000).toFixed(2)} s, ${formatCount(nodes)} nodes`);
  for (let run = 1; run <= options.runs; run++) {
    await trial.run(run, join(folder.path, `run${run}.db`), undisturbed);
  }
  return trial;
}
