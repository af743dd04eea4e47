import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFileSync,
  spawn,
} from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Outcome, runHosted } from "./command-host.js";
import { whenProcessEnds } from "./folder.js";

/** The path of the `gridlock` command's script. */
export const GRIDLOCK = fileURLToPath(new URL("../../cli/bin/gridlock.js", import.meta.url));

/** The modules of this package to preload into a command, `NAME-hook.ts`. */
export type Hook = "interrupt" | "kill-thread" | "other-kernel" | "plug-n-play" | "slow" | "stuck";

/** Returns the address of a module to preload. */
export function hookOf(name: Hook): string {
  return new URL(`./${name}-hook.js`, import.meta.url).href;
}

/** Options of a process. */
export interface ProcessOptions {
  readonly cwd?: string;
  /** Default: this process's environment. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  /** A module to preload. */
  readonly hook?: Hook | undefined;
  /** The SLOW_MS of `slow-hook.ts`, which then slows the process down. */
  readonly slowed?: number | undefined;
}

/**
 * A running process whose output is collected. It is killed when it is disposed of, or when this
 * process ends.
 */
export class Process implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process has ended and all its output has been read. */
  readonly ended: Promise<Outcome>;
  #stdout = "";
  #stderr = "";

  /** Starts a script with Node. */
  constructor(
    script: string,
    args: readonly string[],
    { cwd, env = process.env, node = [], hook, slowed }: ProcessOptions = {},
  ) {
    const isSlowed = slowed !== undefined;
    const hooks: Hook[] = [...(hook ? [hook] : []), ...(isSlowed ? (["slow"] as const) : [])];
    const preloaded = hooks.flatMap((name) => ["--import", hookOf(name)]);
    this.child = spawn(process.execPath, [...node, ...preloaded, script, ...args], {
      cwd,
      env: isSlowed ? { ...env, SLOW_MS: String(slowed) } : env,
    });
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    const forget = whenProcessEnds(() => this.child.kill("SIGKILL"));
    this.child.stdin.on("error", () => {}); // a process that rejects its arguments reads nothing
    this.ended = new Promise((resolve, reject) => {
      this.child.on("error", reject);
      this.child.on("close", (code, signal) => {
        forget();
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
    this.ended.catch(() => {}); // reported to whoever awaits it
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends a signal and waits until the process has ended. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<Outcome> {
    this.child.kill(signal);
    return await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) await this.kill();
  }
}

/**
 * Runs the command in a folder, as a user would, to its end: in a process that may have run others
 * before, or with any of the options in a new one.
 *
 * @param options `input` is its standard input; `during` may send it signals; `interrupt` sends it
 *   SIGINT as soon as it handles that, and once more after `again` milliseconds, or while it reads:
 *   at the STUCK_AT of `stuck-hook.ts`; `slowed` is the SLOW_MS of `slow-hook.ts`
 */
export async function gridlock(
  folder: string,
  args: readonly string[],
  options: {
    input?: string;
    during?: (child: ChildProcess) => void;
    interrupt?: true | { readonly again?: number; readonly at?: string };
    slowed?: number;
  } = {},
): Promise<Outcome> {
  if (Object.keys(options).length === 0) return await runHosted(folder, args);
  const { input = "", during, interrupt, slowed } = options;
  const { again, at } = interrupt === true ? {} : { ...interrupt };
  const env = { ...process.env, AGAIN_MS: again?.toString(), STUCK_AT: at };
  const hook = interrupt && (at === undefined ? "interrupt" : "stuck");
  const command = new Process(GRIDLOCK, args, { cwd: folder, env, hook, slowed });
  command.child.stdin.end(input);
  during?.(command.child);
  return await command.ended;
}

/**
 * Runs the command and parses the JSON that it prints.
 *
 * @throws {Error} if the command fails
 */
export async function json(folder: string, args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await gridlock(
    folder,
    args,
    input === undefined ? {} : { input },
  );
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/**
 * Runs the command for a script, which shows its standard error.
 *
 * @returns the JSON that the command prints, or null if it prints nothing
 * @throws {Error} if the command fails
 */
export function runGridlock(folder: string, ...args: string[]) {
  const output = execFileSync(process.execPath, [GRIDLOCK, ...args], {
    cwd: folder,
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output.toString() || "null");
}
