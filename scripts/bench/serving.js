/* Measures `gridlock serve` over HTTP: look-ups in a tabulation of 3×3, moves of games, and requests of nonsense. */
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import {
  formatBoard,
  formatShape,
  parseShape,
  place,
  seededRandom,
  slides,
  starts,
} from "@gridlock/game";
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

/** Sends a request; returns its content and milliseconds. */
function send(url, agent) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const content = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve({ content, ms: performance.now() - began });
        else reject(new Error(`the server answered ${response.statusCode}: ${content}`));
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

/**
 * Plays games against the perfect placer, with slides at random, as the page does: after a slide it asks for the board, makes
 * the placement, and asks for the board again.
 *
 * @returns the milliseconds that the answers of each move took, in ascending order
 */
async function playMoves(addressOf, shape, count) {
  const random = seededRandom(2048);
  const anyOf = (list) => list[Math.floor(random() * list.length)];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  let board = anyOf(starts(shape));
  while (times.length < count) {
    const legal = slides(board);
    if (legal.length === 0) {
      board = anyOf(starts(shape));
      continue;
    }
    const after = anyOf(legal).board;
    const placer = await send(addressOf(after, "placer"), agent);
    const { moves, value } = JSON.parse(placer.content);
    const { place: placement } = anyOf(moves.filter((move) => move.value === value));
    const [tile, row, col] = placement.match(/\d+/g).map(Number);
    board = place(after, (row - 1) * shape.cols + col - 1, tile).board;
    const slider = await send(addressOf(board, "slider"), agent);
    times.push(placer.ms + slider.ms);
  }
  agent.destroy();
  return times.sort((a, b) => a - b);
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
        const { ms } = await send(urls[next++], agent);
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

/** Milliseconds of a tick, the unit of a process's times under Linux. */
const TICK_MS = 10;

/** Returns the milliseconds of processor time that a process has used. */
function processorTimeOf(pid) {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return TICK_MS * (user + system);
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

/** Runs a server on a database while `work`, given its address and its process number, goes on. */
async function whileServing(db, work) {
  const server = new Process(GRIDLOCK, ["serve", "--port", "0", "--quiet", "--db", db]);
  try {
    const url = await until("the server listens", () => {
      if (!server.isRunning) throw new Error(server.stderr);
      return /(http:\S+)/.exec(server.stdout)?.[1];
    });
    return await work(url, server.child.pid);
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

/** Returns a function that gives the address of a board's answer. */
function addresses(url, shape) {
  return (board, turn = "slider") =>
    `${url}/v1/${formatShape(shape)}?board=${formatBoard(board).replaceAll(" ", "_")}&turn=${turn}`;
}

/** Tabulates a shape unless a database already has its tabulation. */
function tabulateOnce(shape, db) {
  const name = formatShape(shape);
  if (existsSync(`${db.replace(/\.db$/, "")}.${name}.expected`)) return;
  runScript(GRIDLOCK, ["tabulate", name, "--json", "--quiet", "--db", db]);
}

/** Times moves in Play on a tabulated shape, including the first one after the server's start. */
export async function benchPlaying(shape, db) {
  tabulateOnce(shape, db);
  return await whileServing(db, async (url) => {
    const times = await playMoves(addresses(url, shape), shape, MOVES);
    return { median: quantile(times, 0.5), p99: quantile(times, 0.99) };
  });
}

export async function benchServing(folder) {
  const game = { shape: parseShape("3x3"), tiles: [2, 4] };
  const db = join(folder, "0/tabulation.db");
  tabulateOnce(game.shape, db);
  const boards = randomPositions(game, db, BOARDS + WARMING);
  return await whileServing(db, async (url, pid) => {
    const address = addresses(url, game.shape);
    await warm(url, boards.slice(BOARDS));
    const [client, before] = [processorTimeOf(process.pid), processorTimeOf(pid)];
    const urls = boards.slice(0, BOARDS).map((board) => address(board));
    const { times, all } = await sendAll(urls, CONNECTIONS);
    const used = (now, then) => (now - then) / BOARDS;
    const processorMs = {
      server: used(processorTimeOf(pid), before),
      client: used(processorTimeOf(process.pid), client),
    };
    const moves = await playMoves(address, game.shape, MOVES);
    const memory = memoryOf(pid);
    return {
      requestsPerSecond: Math.round((1000 * BOARDS) / all),
      median: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      processorMs,
      move: { median: quantile(moves, 0.5), p99: quantile(moves, 0.99) },
      memory,
      nonsense: await sendAllNonsense(url, pid),
    };
  });
}
