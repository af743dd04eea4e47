/*
 * Does to a run over several processes what machines and networks do to it, and checks that nothing is lost: that
 * it comes to its end, and that all values are those of a run on one machine.
 *
 *     npm run faults                             every fault, on 2×5 in hundreds of small jobs
 *     npm run faults -- 2x6 --budget 1000000     the same on 2×6
 *     npm run faults -- 2x5 --only redis         the faults whose names have this in them
 *
 * All processes are real, and so is Redis; connections are cut by a TCP proxy between the two.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { StatusReader } from "@gridlock/cluster";
import { startRedis } from "./redis.js";

const BIN = fileURLToPath(new URL("../packages/cli/bin/gridlock.js", import.meta.url));
/** A run that takes longer than this is taken to hang, in milliseconds. */
const PATIENCE_MS = 15 * 60_000;
/** How long a lost worker's job may wait until it runs elsewhere, in milliseconds. */
const TAKEN_OVER_MS = 15_000;

/** Waits until something is so. */
export async function until(what, condition, patience = PATIENCE_MS) {
  const deadline = performance.now() + patience;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(20);
  }
}

/** A port that leads to another, until it is cut. */
class CuttablePort {
  #target;
  #sockets = new Set();
  #cut = false;
  #server = createServer((client) => {
    if (this.#cut) return client.destroy();
    const server = connect(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      this.#sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });

  static async open(target) {
    const proxy = new CuttablePort();
    proxy.#target = target;
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url() {
    return `redis://127.0.0.1:${this.#server.address().port}`;
  }

  /** Cuts all connections and lets no new ones through for so many milliseconds. */
  async cut(milliseconds) {
    this.#cut = true;
    for (const socket of this.#sockets) socket.destroy();
    await sleep(milliseconds);
    this.#cut = false;
  }

  close() {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** A run under test: a server, workers, a coordinator, each a process that can be killed. */
export class Run {
  folder = mkdtempSync(join(tmpdir(), "gridlock-faults-"));
  #options;
  #processes = new Set();
  #proxies = [];
  #reader;
  redis;

  constructor(options) {
    this.#options = options;
  }

  async startRedis({ keep = true, port, extra } = {}) {
    const folder = join(this.folder, "redis");
    mkdirSync(folder, { recursive: true });
    this.redis = await startRedis({
      ...(keep ? { appendOnly: folder } : {}),
      ...(port === undefined ? {} : { port }),
      ...(extra === undefined ? {} : { extra }),
    });
    return this.redis;
  }

  /** A way to the server that can be cut. */
  async proxy() {
    const proxy = await CuttablePort.open(this.redis.port);
    this.#proxies.push(proxy);
    return proxy;
  }

  /** Starts the command; `node` are options of the runtime. */
  start(name, args, node = []) {
    const child = spawn(process.execPath, [...node, BIN, ...args], { cwd: this.folder });
    this.#processes.add(child);
    const process_ = { name, child, stdout: "", stderr: "" };
    child.stdout.on("data", (data) => {
      process_.stdout += data;
    });
    child.stderr.on("data", (data) => {
      process_.stderr += data;
    });
    process_.ended = new Promise((resolve) => {
      child.on("close", (code, signal) => {
        this.#processes.delete(child);
        resolve({ code, signal });
      });
    });
    process_.kill = async (signal = "SIGKILL") => {
      child.kill(signal);
      await process_.ended;
    };
    return process_;
  }

  worker(name, url = this.redis.url) {
    return this.start(name, [
      ...["worker", "--redis", url, "--threads", "1", "--db", `${name}.db`],
      ...(this.#options.memory ? ["--memory", this.#options.memory] : []),
    ]);
  }

  solve(url = this.redis.url) {
    const { shape, budget } = this.#options;
    return this.start("coordinator", [
      ...["solve", shape, "--redis", url, "--db", "solve.db", "--json", "--quiet"],
      ...["--log-level", "info", "--budget", String(budget)],
    ]);
  }

  async status() {
    this.#reader ??= new StatusReader({ url: this.redis.url, prefix: "gridlock", cluster: false });
    return await this.#reader.read().catch(() => ({ run: undefined, workers: [], queue: {} }));
  }

  /** Waits until a worker, or one but those named, works on a job; returns what it says of itself. */
  async working({ but = [], on, patience } = {}) {
    const isMeant = ({ worker, state, job }) =>
      state === "working" && !but.includes(worker) && (on === undefined || job === on);
    return await until(
      `a worker has ${on ?? "a job"}`,
      async () => (await this.status()).workers.find(isMeant),
      patience,
    );
  }

  /** Waits until so many questions more have been answered. */
  async progress(questions) {
    const asked = async () => (await this.status()).run?.questions ?? 0;
    const before = await asked();
    await until("some more was answered", async () => (await asked()) >= before + questions);
  }

  async close() {
    await this.#reader?.close();
    for (const child of this.#processes) child.kill("SIGKILL");
    for (const proxy of this.#proxies) proxy.close();
    await this.redis?.stop("SIGKILL").catch(() => {});
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Waits for the end of a solve, and returns its values. */
export async function valuesOf(solve) {
  const timer = setTimeout(() => solve.kill(), PATIENCE_MS);
  const { code, signal } = await solve.ended;
  clearTimeout(timer);
  if (code !== 0)
    throw new Error(`the solve ended with ${code ?? signal}: ${solve.stderr.slice(-2000)}`);
  return JSON.stringify(JSON.parse(solve.stdout).starts.map(({ board, value }) => [board, value]));
}

async function restartRedis(run, keep) {
  run.worker("first");
  run.worker("second");
  const solve = run.solve();
  await run.working();
  await run.progress(3);
  const { port } = run.redis;
  await run.redis.stop("SIGKILL");
  await sleep(2000);
  await run.startRedis({ port, keep });
  return { solve };
}

/** Each fault: does it to a run, and returns the solve that is to come to its end. */
export const FAULTS = {
  async "a worker killed in mid-job"(run) {
    const first = run.worker("first");
    const solve = run.solve();
    await run.working();
    run.worker("second");
    await until("there are two workers", async () => (await run.status()).workers.length === 2);
    await first.kill();
    return { solve };
  },

  async "a worker stopped, and woken after its lock is gone"(run, { pause }) {
    const first = run.worker("first");
    const solve = run.solve();
    await run.working();
    run.worker("second");
    first.child.kill("SIGSTOP");
    await sleep(pause);
    first.child.kill("SIGCONT");
    return { solve };
  },

  async "the coordinator killed and started again"(run) {
    run.worker("first");
    const solve = run.solve();
    await run.working();
    await run.progress(3);
    await solve.kill();
    return { solve: run.solve() };
  },

  "redis killed and restarted, its data kept": (run) => restartRedis(run, true),
  "redis killed and restarted, its data lost": (run) => restartRedis(run, false),

  async "the connection of a worker cut"(run, { pause }) {
    const proxy = await run.proxy();
    run.worker("first", proxy.url);
    const solve = run.solve();
    await run.working();
    run.worker("second");
    await proxy.cut(pause);
    return { solve };
  },

  async "the connection of the coordinator cut"(run, { pause }) {
    const proxy = await run.proxy();
    run.worker("first");
    const solve = run.solve(proxy.url);
    await run.working();
    await proxy.cut(pause);
    return { solve };
  },

  async "all killed at once, five times in a row"(run) {
    for (let time = 0; time < 5; time++) {
      const processes = [run.worker("first"), run.worker("second"), run.solve()];
      await run.working();
      await sleep(1500);
      const { port } = run.redis;
      const gone = [...processes.map((process_) => process_.kill()), run.redis.stop("SIGKILL")];
      await Promise.all(gone);
      await run.startRedis({ port });
    }
    run.worker("first");
    return { solve: run.solve() };
  },

  async "a worker that joins late, and one that leaves politely"(run) {
    const first = run.worker("first");
    const solve = run.solve();
    const { worker } = await run.working();
    run.worker("second");
    await until("there are two workers", async () => (await run.status()).workers.length === 2);
    first.child.kill("SIGTERM");
    const began = performance.now();
    await run.working({ but: [worker] });
    const seconds = (performance.now() - began) / 1000;
    if (seconds > 5) throw new Error(`its job came back after ${seconds.toFixed(1)} s`);
    const { code } = await first.ended;
    if (code !== 0) throw new Error(`the worker that left ended with ${code}: ${first.stderr}`);
    return { solve, told: `the job went on after ${seconds.toFixed(1)} s` };
  },
};

/** How long it takes until a question of some minutes runs elsewhere after its worker was killed, in seconds. */
export async function takeOver() {
  const run = new Run({ shape: "2x6", budget: Number.MAX_SAFE_INTEGER });
  try {
    await run.startRedis();
    const first = run.worker("first");
    run.solve();
    const { worker, job } = await run.working();
    run.worker("second");
    await until("there are two workers", async () => (await run.status()).workers.length === 2);
    await first.kill();
    const began = performance.now();
    await run.working({ but: [worker], on: job });
    const took = (performance.now() - began) / 1000;
    if (1000 * took > TAKEN_OVER_MS) throw new Error(`${job} waited ${took.toFixed(1)} s`);
    return took;
  } finally {
    await run.close();
  }
}

/** Does a fault to a run; throws when anything is lost. Returns what there is to tell. */
export async function endure(name, options) {
  const run = new Run(options);
  try {
    await run.startRedis();
    const { solve, told } = await FAULTS[name](run, options);
    const values = await valuesOf(solve);
    if (values !== options.values) throw new Error(`other values: ${values}`);
    return told;
  } finally {
    await run.close();
  }
}

/** The values of a shape, from a run on this machine alone. */
export async function valuesHere(shape, { memory, tiles = "2,4" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-faults-"));
  try {
    const args = ["solve", shape, "--db", join(folder, "here.db"), "--json", "--quiet"];
    args.push("--tiles", tiles, ...(memory ? ["--memory", memory] : []));
    const child = spawn(process.execPath, [BIN, ...args]);
    const solve = { stdout: "", stderr: "", kill: () => child.kill() };
    child.stdout.on("data", (data) => {
      solve.stdout += data;
    });
    solve.ended = new Promise((resolve) => {
      child.on("close", (code, signal) => resolve({ code, signal }));
    });
    return await valuesOf(solve);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      budget: { type: "string", default: "2000" },
      only: { type: "string", default: "" },
      memory: { type: "string" },
      pause: { type: "string", default: "30" },
    },
  });
  const shape = positionals[0] ?? "2x5";
  const values = await valuesHere(shape, { memory: flags.memory });
  const pause = 1000 * Number(flags.pause);
  const options = { shape, values, pause, memory: flags.memory, budget: Number(flags.budget) };
  if (flags.only === "") {
    console.log(
      `a job whose worker was killed runs elsewhere after ${(await takeOver()).toFixed(1)} s`,
    );
  }
  for (const name of Object.keys(FAULTS)) {
    if (!name.includes(flags.only)) continue;
    const began = performance.now();
    try {
      const told = await endure(name, options);
      console.log(`${name}: ${seconds(began)} s, all values right${told ? `; ${told}` : ""}`);
    } catch (error) {
      console.log(`FAILED ${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

const seconds = (began) => ((performance.now() - began) / 1000).toFixed(1);

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
