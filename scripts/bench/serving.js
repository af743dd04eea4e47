/* Measures `gridlock serve` over HTTP: look-ups in a tabulation of 3×3, moves of a game, and requests of nonsense. */
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { formatBoard, parseShape } from "@gridlock/game";
import { GRIDLOCK, nonsense, Process, sendNonsense, until } from "@gridlock/testbed";
import fc from "fast-check";
import { runScript } from "./command.js";
import { randomPositions } from "./tabulation.js";

const CONNECTIONS = 32;
const BOARDS = 10_000;
const MOVES = 300;
/** Positions looked up beforehand, many in a request, so that the blocks of the tabulation are in memory. */
const WARMING = 400_000;
const WARMING_AT_ONCE = 50_000;
const NONSENSE = 10_000;

/** Sends a request; returns its status and milliseconds. */
function send(url, agent) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.on("end", () =>
        resolve({ status: response.statusCode, ms: performance.now() - began }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Sends requests over a number of connections; returns the milliseconds of each, in ascending order, and of all. */
async function sendAll(urls, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < urls.length) {
        const { status, ms } = await send(urls[next++], agent);
        if (status !== 200) throw new Error(`the server answered ${status}`);
        times.push(ms);
      }
    }),
  );
  const all = performance.now() - began;
  agent.destroy();
  return { times: times.sort((a, b) => a - b), all };
}

/** Has the values of positions looked up. */
async function warm(url, boards) {
  for (let i = 0; i < boards.length; i += WARMING_AT_ONCE) {
    const lines = boards
      .slice(i, i + WARMING_AT_ONCE)
      .map((board) => JSON.stringify({ board: formatBoard(board) }));
    const reply = await fetch(`${url}/v1/query?values=true`, {
      method: "POST",
      body: lines.join("\n"),
    });
    await reply.text();
  }
}

/** Returns the time that a part of the requests stays below. */
function quantile(times, part) {
  return times[Math.min(times.length - 1, Math.floor(part * times.length))];
}

/** Returns a process's memory in bytes. */
function memoryOf(pid) {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

/** Sends nonsense; returns the number of answers of 500 or more, and the memory that was gained in the second half. */
async function sendAllNonsense(url, pid) {
  const requests = fc.sample(nonsense, { seed: 2048, numRuns: NONSENSE });
  let failures = 0;
  let before = 0;
  for (let i = 0; i < requests.length; i += CONNECTIONS) {
    if (before === 0 && i >= requests.length / 2) before = memoryOf(pid);
    const batch = requests.slice(i, i + CONNECTIONS);
    const found = await Promise.all(batch.map((one) => sendNonsense(url, one)));
    failures += found.filter((status) => status >= 500).length;
  }
  return { requests: NONSENSE, failures, gained: memoryOf(pid) - before };
}

export async function benchServing(folder) {
  const game = { shape: parseShape("3x3"), tiles: [2, 4] };
  const db = join(folder, "0/tabulation.db");
  if (!existsSync(`${join(folder, "0/tabulation")}.3x3.positions`)) {
    runScript(GRIDLOCK, ["tabulate", "3x3", "--json", "--quiet", "--db", db], { folder });
  }
  const boards = randomPositions(game, db, BOARDS + MOVES + WARMING);
  const server = new Process(GRIDLOCK, ["serve", "--port", "0", "--quiet", "--db", db]);
  try {
    const url = await until("the server listens", () => {
      if (!server.isRunning) throw new Error(server.stderr);
      return /(http:\S+)/.exec(server.stdout)?.[1];
    });
    const address = (board) => `${url}/v1/3x3?board=${formatBoard(board).replaceAll(" ", "_")}`;
    const urls = boards.slice(0, BOARDS + MOVES).map(address);
    await warm(url, boards.slice(BOARDS + MOVES));
    const { times, all } = await sendAll(urls.slice(0, BOARDS), CONNECTIONS);
    const moves = await sendAll(urls.slice(BOARDS), 1);
    const memory = memoryOf(server.child.pid);
    return {
      requestsPerSecond: Math.round((1000 * BOARDS) / all),
      median: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      move: { median: quantile(moves.times, 0.5), p99: quantile(moves.times, 0.99) },
      memory,
      nonsense: await sendAllNonsense(url, server.child.pid),
    };
  } finally {
    await server[Symbol.asyncDispose]();
  }
}
