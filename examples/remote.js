// Solves a shape without searching: its questions are answered elsewhere, by answer.js on any number of machines. A
// solve asks a `JobPort`, and this is one.
//
//     node remote.js 2x4 http://127.0.0.1:8048
//
import { formatBoard, parseShape, parseTiles } from "@gridlock/game";
import { solve } from "@gridlock/solver";
import { Database } from "@gridlock/store";

/** @import { JobPort, Question } from "@gridlock/solver" */

/** @implements {JobPort} */
class RemotePort {
  #stop = new AbortController();
  #free;

  /** @param {readonly string[]} urls the machines that answer, one question each at a time */
  constructor(urls) {
    this.slots = urls.length;
    this.#free = [...urls];
  }

  /** @param {Question} question */
  async ask({ turn, board, threshold }) {
    const url = this.#free.pop();
    if (url === undefined) throw new Error("more questions than slots");
    const body = JSON.stringify({ turn, board: String(board), threshold });
    const { signal } = this.#stop;
    try {
      const response = await fetch(url, { method: "POST", body, signal });
      const bound = /** @type {{ lo: number, hi: number | null } | null} */ (await response.json());
      return bound === null
        ? undefined
        : { lo: bound.lo, hi: bound.hi ?? Number.POSITIVE_INFINITY };
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      this.#free.push(url);
    }
  }

  stop() {
    this.#stop.abort();
  }

  counts() {
    return { positions: 0, afterstates: 0 };
  }
}

const [shape = "2x4", ...urls] = process.argv.slice(2);
const game = { shape: parseShape(shape), tiles: parseTiles("2,4") };
const port = new RemotePort(urls);
const database = Database.open("remote.db");
try {
  for (const { board, bound } of await solve(game, database, port)) {
    console.log(`${formatBoard(board)}: ${bound.lo}`);
  }
} finally {
  database[Symbol.dispose]();
}
