import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseShape, seededRandom } from "@gridlock/game";
import { layersFolderOf } from "@gridlock/layers";
import { ClusterRun, valuesIn, valuesOf } from "./cluster-run.js";
import type { Process } from "./command.js";
import { proofFiles } from "./proof-files.js";
import { until } from "./until.js";

/** Milliseconds for which a folder is inaccessible. */
const AWAY_MS = 20_000;

/** Faults of a proof by layers on two workers. */
const FAULTS = [
  "a worker is killed",
  "the coordinator is killed",
  "Redis is killed",
  "the folder is read-only",
  "the folder is not mounted",
] as const;

export interface LayersFaultOptions {
  readonly shape: string;
  /** Number of runs, each disturbed once. */
  readonly runs: number;
  readonly seed: number;
}

/** A run whose folder of the proof, `shared`, is mounted from the folder `disk`. */
class MountedRun implements AsyncDisposable {
  readonly #run: ClusterRun;
  readonly #shape: string;
  readonly shared: string;
  readonly #disk: string;
  #isMounted = false;

  constructor(shape: string) {
    this.#run = new ClusterRun({ shape });
    this.#shape = shape;
    this.shared = join(this.#run.folder, "shared");
    this.#disk = join(this.#run.folder, "disk");
    for (const folder of [this.shared, this.#disk]) mkdirSync(folder);
  }

  async begin(): Promise<void> {
    this.#mount();
    await this.#run.startRedis({ keep: true });
    this.#run.worker("second");
  }

  /** Starts the worker that may be killed. */
  worker(name: string): Process {
    return this.#run.worker(name);
  }

  solve(): Process {
    return this.#run.start([
      ...["solve", this.#shape, "--method", "layers", "--json", "--quiet", "--log-level", "info"],
      ...["--redis", this.#run.redis.url, "--data", "shared", "--db", "solve.db"],
    ]);
  }

  /** Solves on this machine alone. */
  solveHere(): Process {
    const method = ["--method", "layers", "--json", "--quiet"];
    return this.#run.start(["solve", this.#shape, ...method, "--db", "here.db"]);
  }

  /** Lists the files of a proof made here or by the workers. */
  files(where: "here" | "shared"): string[] {
    return proofFiles(this.#layers(where));
  }

  #layers(where: "here" | "shared"): string {
    const db = where === "here" ? "here.db" : "shared/solve.db";
    const game = { shape: parseShape(this.#shape), tiles: [2, 4] } as const;
    return layersFolderOf(join(this.#run.folder, db), game);
  }

  /** Inflicts a fault; returns the solve that must finish. */
  async disturb(
    fault: (typeof FAULTS)[number],
    { first, solving }: { first: Process; solving: Process },
  ): Promise<Process> {
    // A worker that did not find the folder at its start would have ended.
    if (fault.startsWith("the folder")) {
      await until("a worker is at work", () => this.#hasVisits());
    }
    switch (fault) {
      case "a worker is killed":
        await first.kill();
        return solving;
      case "the coordinator is killed":
        await solving.kill();
        return this.solve();
      case "Redis is killed": {
        const { port } = this.#run.redis;
        await this.#run.redis.stop("SIGKILL");
        await sleep(1000);
        await this.#run.startRedis({ port });
        return solving;
      }
      case "the folder is read-only":
        // This fails while a file is open for writing.
        await until("the folder is read-only", () =>
          tryTo(() => mount("-o", "remount,ro,bind", this.shared)),
        );
        await sleep(AWAY_MS);
        mount("-o", "remount,rw,bind", this.shared);
        return solving;
      case "the folder is not mounted":
        this.#unmount();
        await sleep(AWAY_MS);
        this.#mount();
        return solving;
    }
  }

  /** Returns whether a worker has written the file of a block. */
  #hasVisits(): boolean {
    const folder = this.#layers("shared");
    return (
      existsSync(folder) && readdirSync(folder).some((name) => /^[0-9a-e].*\.block$/.test(name))
    );
  }

  #mount(): void {
    mount("--bind", this.#disk, this.shared);
    this.#isMounted = true;
  }

  #unmount(): void {
    // Lazily, since files in it may be open.
    execFileSync("umount", ["-l", this.shared]);
    this.#isMounted = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isMounted) this.#unmount();
    await this.#run[Symbol.asyncDispose]();
  }
}

/** Returns whether an action succeeds. */
function tryTo(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

function mount(...args: string[]): void {
  execFileSync("mount", args, { stdio: ["ignore", "ignore", "pipe"] });
}

/**
 * Disturbs proofs by layers on two workers at random moments, and checks that the final values and
 * files are those of a proof on this machine alone. Mounting the folder needs root.
 *
 * @param tell receives a line for each run
 * @returns the failures, as sentences
 */
export async function disturbLayers(
  { shape, runs, seed }: LayersFaultOptions,
  tell: (line: string) => void,
): Promise<string[]> {
  const random = seededRandom(seed);
  const failures: string[] = [];
  let span = 0;
  for (let number = 0; number <= runs; number++) {
    await using run = new MountedRun(shape);
    await run.begin();
    const first = run.worker("first");
    const began = performance.now();
    const solving = run.solve();
    const fault = FAULTS[(number - 1) % FAULTS.length];
    let last = solving;
    const at = 0.8 * random() * span; // runs are rarely much faster than the undisturbed one
    if (fault !== undefined) {
      await sleep(at);
      if (!solving.isRunning) tell(`run ${number}: over before ${fault}`);
      else last = await run.disturb(fault, { first, solving });
    }
    const outcome = await last.ended;
    const told = fault === undefined ? "undisturbed" : `${fault} after ${(at / 1000).toFixed(1)} s`;
    const seconds = (performance.now() - began) / 1000;
    // The first run measures the duration of a run.
    if (fault === undefined) span = 1000 * seconds;
    const here = await valuesOf(run.solveHere());
    const wrong =
      outcome.code !== 0
        ? `exit ${outcome.code ?? outcome.signal}: ${outcome.stderr.slice(-1000)}`
        : valuesIn(outcome.stdout) !== here
          ? "other values"
          : run.files("shared").join() !== run.files("here").join()
            ? "other files"
            : undefined;
    tell(`run ${number}: ${told}: ${wrong ?? "right"}, ${seconds.toFixed(1)} s`);
    if (wrong !== undefined) failures.push(`run ${number}, ${told}: ${wrong}`);
  }
  return failures;
}
