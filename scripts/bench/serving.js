/*
 * Measures `gridlock serve` over HTTP: look-ups in a tabulation of 3×3, batches, moves of games,
 * idle connections.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { formatBoard, formatShape, parseShape } from "@gridlock/game";
import { memoryOf, randomGames, whileServing } from "@gridlock/testbed";

const CONNECTIONS = 32;
const IDLE = 1000;
/** Milliseconds after which a server that nobody asks has tidied its memory. */
const SETTLED_MS = 2000;
/** Boards of a batch, in one request. */
const BATCH = 100_000;
const BOARDS = 10_000;
const MOVES = 300;

/**
 * Opens a connection that is kept, with one request at a time: a client of Node would take longer
 * than the server.
 *
 * @returns `get`, which returns the body of a path, of Latin characters, and `close`
 */
async function connectTo(url) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding("latin1");
  await once(socket, "connect");
  const get = (path) =>
    new Promise((resolve, reject) => {
      let received = "";
      const take = (text) => {
        received += text;
        const body = received.indexOf("\r\n\r\n") + 4;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
        if (body < 4 || received.length < body + length) return;
        socket.off("data", take).off("error", reject);
        if (received.startsWith("HTTP/1.1 200 ")) resolve(received.slice(body));
        else reject(new Error(`the server answered: ${received}`));
      };
      socket.on("data", take).on("error", reject);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    });
  return { get, close: () => socket.destroy() };
}

/**
 * Plays games, with slides and placements at random, as the page does: after a slide it asks for
 * the board, makes the placement, and asks for the board again.
 *
 * @returns the milliseconds that the answers of each move took
 */
async function playMoves(url, shape) {
  const connection = await connectTo(url);
  const times = [];
  for (const nodes of randomGames({ shape: parseShape(shape), tiles: [2, 4] }, 2048)) {
    for (let i = 1; i < nodes.length && times.length < MOVES; i += 2) {
      const began = performance.now();
      await connection.get(pathOf(nodes[i].board, "placer"));
      await connection.get(pathOf(nodes[i + 1].board));
      times.push(performance.now() - began);
    }
    if (times.length === MOVES) break;
  }
  connection.close();
  return times;
}

/** Gets paths over a number of connections; returns the milliseconds of each, and of all. */
async function getAll(url, paths, count) {
  const times = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: count }, async () => {
      const connection = await connectTo(url);
      while (next < paths.length) {
        const sent = performance.now();
        await connection.get(paths[next++]);
        times.push(performance.now() - sent);
      }
      connection.close();
    }),
  );
  return { times, all: performance.now() - began };
}

/**
 * Has boards answered in one request, as lines.
 *
 * @returns boards a second, and the memory that the server gained, at its most
 */
async function sendBatch(url, pid, boards, parameters) {
  const body = boards.map((board) => `${JSON.stringify(formatBoard(board))}\n`).join("");
  const before = memoryOf(pid);
  const began = performance.now();
  const reply = await fetch(`${url}/v1/query${parameters}`, { method: "POST", body });
  let lines = 0;
  let most = before;
  for await (const chunk of reply.body) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    most = Math.max(most, memoryOf(pid));
  }
  const ms = performance.now() - began;
  if (lines !== boards.length) throw new Error(`${lines} answers to ${boards.length} boards`);
  return { boards: (1000 * lines) / ms, gained: most - before };
}

/** Returns the bytes that a server's memory grows by while connections are open and idle. */
async function memoryOfIdle(url, pid) {
  await sleep(SETTLED_MS);
  const before = memoryOf(pid);
  const connections = [];
  while (connections.length < IDLE) connections.push(await connectTo(url));
  for (const { get } of connections) await get("/health");
  const gained = memoryOf(pid) - before;
  for (const { close } of connections) close();
  return gained;
}

/** Returns the median of times in milliseconds, and the one that 99 % of them stay below. */
function quantilesOf(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const [median, p99] = [0.5, 0.99].map((part) => sorted[Math.floor(part * times.length)]);
  return { median, p99 };
}

/** Returns the milliseconds of processor time of a process, which Linux counts in 10 ms ticks. */
function processorTimeOf(pid) {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13).map(Number);
  return 10 * (user + system);
}

function pathOf(board, turn = "slider") {
  return `/v1/${formatShape(board)}?board=${formatBoard(board).replaceAll(" ", "_")}&turn=${turn}`;
}

/** Times moves in Play on a tabulated shape, including the first one after the server's start. */
export async function benchPlaying(shape, db) {
  return await whileServing(db, async (url) => quantilesOf(await playMoves(url, shape)));
}

/**
 * Measures a server on a tabulated shape. All boards are asked for twice: the first time reads the
 * blocks of the tabulation and has the server compiled, the second time is measured.
 *
 * @param boardsOf returns a number of random boards
 */
export async function benchServing(db, boardsOf) {
  const boards = boardsOf(BATCH);
  const paths = boards.slice(0, BOARDS).map((board) => pathOf(board));
  return await whileServing(db, async (url, { child: { pid } }) => {
    const idle = await memoryOfIdle(url, pid);
    await getAll(url, paths, CONNECTIONS);
    const before = processorTimeOf(pid);
    const { times, all } = await getAll(url, paths, CONNECTIONS);
    const each = (processorTimeOf(pid) - before) / BOARDS;
    const moves = await playMoves(url, "3x3");
    await sendBatch(url, pid, boards, "");
    const batch = await sendBatch(url, pid, boards, "");
    const values = await sendBatch(url, pid, boards, "?values=true");
    return {
      requests: (1000 * BOARDS) / all,
      ...quantilesOf(times),
      each,
      batch: batch.boards,
      gained: batch.gained,
      values: values.boards,
      move99: quantilesOf(moves).p99,
      idle,
    };
  });
}
