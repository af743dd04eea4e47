/* Runs every command of the package that users install, as it lies in an installation. */
import { spawn } from "node:child_process";
import { startRedis, until } from "@gridlock/testbed";
import { type CommandOptions, outputOf, runCommand } from "./package.js";

/**
 * Commands that end by themselves, and what they print: on standard output, and then on standard
 * error, where npx may print warnings.
 */
const ENDING: readonly (readonly [line: string, prints: RegExp, code?: number])[] = [
  ["help solve", /^Usage: gridlock solve /],
  ["solve 2x3 --db all.db", /^2 2 0\/0 0 0 +44 /m],
  ["status --db all.db", /^2x3 +20 +20 /m],
  ["query 2_2_0/0_0_0 --db all.db --player emr", /^2x3, slider to move, value 44$/m],
  ["query 8_2_4/2_16_0 --db all.db --budget 60", /value \d+/],
  ["prove 2x3 --db all.db", /^2x3: a certificate of /m],
  ["verify 2x3 --db all.db", /^2x3: the values of all 20 starts follow$/m],
  ["tabulate 2x2 --db all.db", /^2 2\/0 0 +12 /m],
  ["analyze 2x2 --db all.db --out pages", /^2x2: 110 positions/],
  ["variants 2x2 game --out pages", /^value +12 /m],
  ["export 2x3 --db all.db --format csv", /^start,value,/],
  ["play 2x2 --player emr --games 2", /^ +2 +16\.00 /m],
  ["play 2x2 --player ntuple", /ntuple-2x2\.weights .* in a clone of .*, makes weights$/m, 2],
  [
    "site public --db all.db --base-url https://example.org/2048/",
    /^wrote \d+ files, .*, to public\n(.*\n)*50 files$/m,
  ],
  ["completion bash", /^# Completion of gridlock for bash/],
];

/** Commands that run until they are stopped. */
const LASTING = ["serve", "worker"];

/** The words that call the command of an installation. */
type Call = readonly [program: string, ...args: string[]];

/**
 * Runs every command that the help of an installed command lists. Charts need ECharts in the same
 * project.
 *
 * @param call the words that call the command
 * @throws {Error} if a command is not tried here, or does not do what is expected
 */
export async function tryCommands(call: Call, options: CommandOptions): Promise<void> {
  const [program, ...before] = call;
  const help = outputOf(program, [...before, "--help"], options.cwd, options.env);
  const [, listed = ""] = help.split("Commands:\n");
  const names = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
  const tried = new Set([...ENDING.map(([line]) => line.split(" ")[0]), ...LASTING]);
  const untried = names.filter((name) => !tried.has(name));
  if (names.length === 0 || untried.length > 0)
    throw new Error(`expected commands that are tried here, not ${untried}\n${help}`);
  for (const [line, prints, expected = 0] of ENDING) {
    const { code, stdout, stderr } = runCommand(program, [...before, ...line.split(" ")], options);
    if (code !== expected || !prints.test(stdout + stderr))
      throw new Error(`gridlock ${line}: exit ${code}\n${stdout}${stderr}`);
  }
  await tryServer(call, options);
  await tryWorker(call, options);
}

/** Asks a server for what its threads and the files of the package answer. */
async function tryServer(call: Call, options: CommandOptions): Promise<void> {
  await using redis = await startRedis();
  const args = ["serve", "--port", "0", "--db", "all.db", "--redis", redis.url];
  await using served = new Started(call, args, options);
  const url = await until("it serves", () => /http:\S+/.exec(served.output("stdout"))?.[0]);
  for (const [path, expected] of [
    ["/v1/2x2?board=2_0/0_4", /"value":8,/],
    ["/v1/2x2/play?by=emr&board=2_0/0_4", /"by":"emr"/],
    ["/v1/runs", /"runs":\[/],
    ["/site/app.js", /^var /],
    ["/results/3x3", /184/],
    ["/docs/glossary", /afterstate/],
    ["/docs/library", /openSolver/],
    ["/v1/files/docs/schemas/query.json", /"A line of the output of gridlock query --json"/],
  ] as const) {
    const response = await fetch(url + path);
    const text = await response.text();
    if (!(response.ok && expected.test(text)))
      throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  }
  await served.interrupt();
}

/** Has a worker search for a solve over Redis. */
async function tryWorker(call: Call, options: CommandOptions): Promise<void> {
  await using redis = await startRedis();
  const args = ["worker", "--redis", redis.url, "--db", "worker.db", "--metrics", "0"];
  await using worker = new Started(call, args, options);
  await using solve = new Started(
    call,
    ["solve", "2x3", "--db", "cluster.db", "--redis", redis.url, "--json", "--quiet"],
    options,
  );
  await solve.end();
  if (!/"value":44,/.test(solve.output("stdout"))) throw new Error(solve.output("stdout"));
  await worker.interrupt();
}

/** A command in a process group of its own, as in a terminal. The group is killed at the end. */
class Started implements AsyncDisposable {
  readonly #args: readonly string[];
  readonly #isWrapped: boolean;
  readonly #child;
  readonly #ended: Promise<number | null>;
  readonly #output = { stdout: "", stderr: "" };

  constructor([program, ...before]: Call, args: readonly string[], options: CommandOptions) {
    this.#args = args;
    this.#isWrapped = before.length > 0;
    this.#child = spawn(program, [...before, ...args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const name of ["stdout", "stderr"] as const) {
      this.#child[name].setEncoding("utf8").on("data", (text: string) => {
        this.#output[name] += text;
      });
    }
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", resolve);
    });
  }

  /** Returns what the command has printed, unless it failed. */
  output(name: "stdout" | "stderr"): string {
    if (this.#child.exitCode) throw this.#failure();
    return this.#output[name];
  }

  /** Sends SIGINT to the group, as Ctrl-C does; waits for its end; throws if the command failed. */
  async interrupt(): Promise<void> {
    this.#kill("SIGINT");
    const code = await this.#ended;
    // A program that runs the command, such as npx, ends by the signal itself.
    if (code !== 0 && !(code === null && this.#isWrapped)) throw this.#failure();
  }

  /** Waits until the command has ended; throws if it failed. */
  async end(): Promise<void> {
    if ((await this.#ended) !== 0) throw this.#failure();
  }

  #failure(): Error {
    const { stdout, stderr } = this.#output;
    return new Error(
      `gridlock ${this.#args.join(" ")}: exit ${this.#child.exitCode}\n${stdout}${stderr}`,
    );
  }

  #kill(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#kill("SIGKILL");
    await this.#ended;
  }
}
