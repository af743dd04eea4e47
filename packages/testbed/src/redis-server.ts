import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { TemporaryFolder, whenProcessEnds } from "./folder.js";
import { findProgram, findRedisServer } from "./redis-program.js";
import { atMost } from "./until.js";

/** Milliseconds within which a server must accept connections, including loading its data. */
const START_MS = 30_000;
/** Number of attempts to find a port: another program may take it before the server does. */
const TRIES = 5;

/** Options of a Redis server. */
export interface StartOptions {
  /** The port to listen on. Default: a free port. */
  readonly port?: number | undefined;
  /** A folder in which to store all data. Default: nothing is stored. */
  readonly appendOnly?: string | undefined;
  readonly password?: string | undefined;
  /** Further arguments of redis-server. */
  readonly extra?: readonly string[] | undefined;
}

/**
 * A Redis server on 127.0.0.1, which is stopped when it is disposed of or when this process ends.
 */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** Stops the server, by default with SIGTERM; resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * The largest port of a node of a Redis Cluster, which also listens on a port 10,000 higher. macOS
 * hands out larger ones, Linux rarely.
 */
const MOST_PORT = 55_535;

/** Asks the system for a free port of at most {@link MOST_PORT}. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    if (port <= MOST_PORT) return port;
  }
}

/** Sends a command to a server over a connection of its own. */
export async function tellRedis(
  url: string,
  command: string,
  ...args: readonly string[]
): Promise<unknown> {
  const { Redis } = await import("ioredis");
  const client = new Redis(url, { maxRetriesPerRequest: 0 });
  client.on("error", () => {}); // the command reports it
  try {
    return await client.call(command, ...args);
  } finally {
    client.disconnect();
  }
}

/**
 * Starts a server on 127.0.0.1 and waits until it accepts connections.
 *
 * @throws {Error} if there is no server program, or if the server ends at once, with its output
 */
export async function startRedis(options: StartOptions = {}): Promise<RedisServer> {
  const program = findRedisServer();
  for (let tries = 1; ; tries++) {
    const port = options.port ?? (await freePort());
    try {
      return await start(program, port, options);
    } catch (error) {
      const isTaken = /Address already in use/.test((error as Error).message);
      if (options.port !== undefined || !isTaken || tries === TRIES) throw error;
    }
  }
}

async function start(
  server: string,
  port: number,
  { appendOnly, password, extra = [] }: StartOptions,
): Promise<RedisServer> {
  const folder = appendOnly === undefined ? new TemporaryFolder() : undefined;
  if (appendOnly !== undefined) mkdirSync(appendOnly, { recursive: true });
  // With setpriv, the system ends the server when this thread ends for any reason.
  const setpriv = findProgram("setpriv");
  const [program = server, ...before] = setpriv ? [setpriv, "--pdeathsig", "KILL", server] : [];
  const child = spawn(
    program,
    [
      ...before,
      ...["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder?.path ?? `${appendOnly}`],
      ...["--save", "", "--appendonly", folder ? "no" : "yes", "--appendfsync", "everysec"],
      ...["--maxmemory-policy", "noeviction", "--loglevel", "notice"],
      ...(password === undefined ? [] : ["--requirepass", password]),
      ...extra,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  const forget = whenProcessEnds(() => child.kill("SIGKILL"));
  const ended = once(child, "close").finally(() => {
    forget();
    folder?.[Symbol.dispose]();
  });
  // It says so itself: another program may answer on the port.
  const ready = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        output = `${output}${data}`.slice(-4_000);
        if (output.includes("Ready to accept connections")) resolve(true);
      });
    }
    ended.catch(() => {}).finally(() => resolve(false));
  });

  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    child.kill("SIGCONT"); // a server that was stopped reacts only to SIGKILL
    await ended;
  };
  const isReady = await atMost(START_MS, ready);
  if (isReady === undefined) await stop("SIGKILL");
  if (!isReady) throw new Error(`${server} did not start on port ${port}: ${output.trim()}`);
  const secret = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
  return {
    url: `redis://${secret}127.0.0.1:${port}`,
    port,
    process: child,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
