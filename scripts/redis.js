/*
 * A Redis server of one's own, for tests and trials: on this machine alone, with nothing kept unless asked for.
 *
 *     npm run redis                          prints its URL, and runs until Ctrl-C
 *     npm run redis -- --port 6390
 *     npm run redis -- --appendonly DIR      keeps what it is given in DIR
 *
 * Where REDIS_URL is set, only that is printed. Where no server is installed and apt-get may be used, it
 * installs one.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** How long a server may take until it answers, in milliseconds; longer where it has much to read. */
const START_MS = 30_000;
/** How often another port is tried, when one that was free is taken before the server has it. */
const TRIES = 5;

/** The path of a program, or nothing. */
function find(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

const findServer = () => find("redis-server", "valkey-server");

/*
 * One process at a time, and only if none before it has: test files run side by side. The policy keeps the
 * package from starting a service of its own.
 */
const INSTALL = `
command -v redis-server && exit
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod +x $policy
fi
install() { apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 redis-server; }
install || { apt-get update -q && install; }
`;

/**
 * The path of a server's program, which is installed if need be and possible.
 *
 * @throws {Error} when there is none, with what to do
 */
export function findRedisServer() {
  const found = findServer();
  if (found) return found;
  let said = "";
  if (process.getuid?.() === 0 && find("apt-get") && find("flock")) {
    console.error("no Redis server is installed: installing redis-server with apt-get");
    const { stdout, stderr } = spawnSync(
      "flock",
      [join(tmpdir(), "gridlock-redis-install.lock"), "sh", "-c", INSTALL],
      { encoding: "utf8", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } },
    );
    const installed = findServer();
    if (installed) return installed;
    said = `\n${stdout}${stderr}`;
  }
  throw new Error(
    `no Redis server was found; expected redis-server or valkey-server on the PATH (apt-get install redis-server), or the URL of one in REDIS_URL${said}`,
  );
}

/** A port that nobody listens on now. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Whether a process takes commands on a port, and no other server that had it before; all it had kept is read. */
function answers(pid, port, password) {
  const login = password === undefined ? "" : `AUTH ${JSON.stringify(password)}\r\n`;
  const commands = `${login}INFO server\r\nPING\r\nQUIT\r\n`;
  return new Promise((resolve) => {
    let reply = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(commands));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on("data", (data) => {
      reply += data;
    });
    socket.on("error", () => {});
    socket.on("close", () =>
      resolve(reply.includes(`process_id:${pid}\r`) && reply.includes("+PONG")),
    );
  });
}

/**
 * Starts a server on 127.0.0.1 and waits until it answers.
 *
 * @param options `port`, a free one unless given; `appendOnly`, a folder to keep everything in; `password`;
 *   `extra`, further arguments of redis-server
 * @returns its `url` and `port`, the `process`, and `stop(signal)`, which resolves when it has ended
 * @throws {Error} when there is no server, or it ends at once, with what it said
 */
export async function startRedis({ port, appendOnly, password, extra = [] } = {}) {
  const server = findRedisServer();
  for (let tries = 1; ; tries++) {
    const chosen = port ?? (await freePort());
    try {
      return await start(server, chosen, { appendOnly, password, extra });
    } catch (error) {
      const taken = /Address already in use/.test(error.message);
      if (port !== undefined || !taken || tries === TRIES) throw error;
    }
  }
}

async function start(server, port, { appendOnly, password, extra }) {
  const folder = appendOnly ?? mkdtempSync(join(tmpdir(), "gridlock-redis-"));
  // The kernel ends the server when this thread is gone, however it went.
  const setpriv = find("setpriv");
  const [program, ...before] = setpriv ? [setpriv, "--pdeathsig", "KILL", server] : [server];
  const child = spawn(
    program,
    [
      ...before,
      ...["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
      ...["--appendonly", appendOnly === undefined ? "no" : "yes", "--appendfsync", "everysec"],
      ...["--maxmemory-policy", "noeviction", "--loglevel", "warning"],
      ...(password === undefined ? [] : ["--requirepass", password]),
      ...extra,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      said = `${said}${data}`.slice(-4_000);
    });
  }
  const clean = () => {
    if (appendOnly === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const abandon = () => {
    child.kill("SIGKILL");
    clean();
  };
  process.once("exit", abandon);
  const ended = once(child, "close").finally(() => {
    process.off("exit", abandon);
    clean();
  });
  ended.catch(() => {}); // told by the waiting below

  const stop = async (signal = "SIGTERM") => {
    child.kill(signal);
    child.kill("SIGCONT"); // one that was stopped hears only SIGKILL
    await ended;
  };
  const deadline = Date.now() + START_MS;
  while (!(await answers(child.pid, port, password))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await ended;
      throw new Error(`${server} did not start on port ${port}: ${said.trim()}`);
    }
    if (Date.now() > deadline) {
      await stop("SIGKILL");
      throw new Error(`${server} did not answer on port ${port} within ${START_MS} ms: ${said}`);
    }
    await sleep(10);
  }
  const secret = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
  return { url: `redis://${secret}127.0.0.1:${port}`, port, process: child, stop };
}

async function main() {
  const { values: flags } = parseArgs({
    options: { port: { type: "string" }, appendonly: { type: "string" } },
  });
  if (process.env.REDIS_URL) {
    console.log(process.env.REDIS_URL);
    return;
  }
  const port = flags.port === undefined ? undefined : Number(flags.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new Error(`--port ${flags.port} is no port; expected a number from 1 to 65535`);
  }
  const redis = await startRedis({ port, appendOnly: flags.appendonly });
  console.log(redis.url);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => redis.stop());
  await once(redis.process, "exit");
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
