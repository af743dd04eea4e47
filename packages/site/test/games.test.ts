import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answerAsJson, Library } from "@gridlock/answers";
import type { Answer } from "@gridlock/explorer";
import {
  formatBoard,
  type Game,
  type Node,
  parseShape,
  placements,
  seededRandom,
  slides,
  starts,
} from "@gridlock/game";
import { publishedBound } from "@gridlock/published";
import { Oracle, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SiteAnswers } from "../src/answers.js";

const TILES = [2, 4] as const;
/** Bytes of a table, and seconds for a board on the slowest machine: each takes a fraction of them. */
const MEMORY = 2 ** 26;
const SECONDS = 300;

const MODULES = new URL("../../kernel/wasm/", import.meta.url);
const site = new SiteAnswers(async (name) => {
  const [, module] = name.split("kernel/");
  return module ? new Uint8Array(readFileSync(new URL(module, MODULES))) : undefined;
}, MEMORY);

let library: Library;
beforeAll(() => {
  library = new Library({
    db: join(temporaryFolder(afterAll), "none.db"),
    published: false,
    tableBytes: () => MEMORY,
    warn: () => {},
  });
  afterAll(() => library[Symbol.dispose]());
});

/** A move of a game: the node before it, its name, and its points. */
interface Made {
  readonly before: Node;
  readonly name: string;
  readonly score: number;
}

/** Plays a game with random moves on both sides. */
function randomGame(game: Game, random: () => number): Made[] {
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
  const made: Made[] = [];
  let board = pick(starts(game.shape)) as Node["board"];
  for (;;) {
    const slid = pick(slides(board));
    if (slid === undefined) return made;
    const slider: Node = { board, turn: "slider" };
    const placer: Node = { board: slid.board, turn: "placer" };
    made.push({ before: slider, name: slid.direction, score: slid.score });
    const placed = pick(placements(slid.board, game.tiles)) as ReturnType<typeof placements>[0];
    const { tile, cell } = placed;
    const name = `${tile}@${Math.floor(cell / board.cols) + 1},${(cell % board.cols) + 1}`;
    board = placed.board;
    made.push({ before: placer, name, score: 0 });
  }
}

/** Answers a board as a site does. */
async function askSite({ board, turn }: Node): Promise<Answer> {
  const text = formatBoard(board).replaceAll(" ", "_");
  const address = `v1/${board.rows}x${board.cols}?board=${text}&turn=${turn}`;
  return await site.answer(`${address}&budget=${SECONDS}`);
}

/** Answers a board as a thread of a server does. */
function askServer(node: Node): Answer {
  return answerAsJson(library.answer({ ...node, tiles: TILES, budget: SECONDS }));
}

/** Returns what an answer says of a move: the value after it, and what it gives away. */
function movesOf({ moves }: Answer) {
  return moves.map((move) => {
    const name = "move" in move ? move.move : move.place;
    return { name, value: move.value, cost: "by" in move ? move.by : 0 };
  });
}

describe("the costs of the moves of random games", () => {
  it.each([
    ["2x3", 120],
    ["2x4", 50],
    ["3x3", 30],
  ])("are exact on a site and on a server: %s", async (shape, count) => {
    const game: Game = { shape: parseShape(shape), tiles: TILES };
    const random = seededRandom(2048);
    // Plain minimax of larger shapes takes too long: there, the starts have their published values.
    const oracle = shape === "2x3" ? new Oracle(game) : undefined;
    for (let i = 0; i < count; i++) {
      let worth = 0;
      // From the end back, as a game is reviewed.
      for (const { before, name, score } of randomGame(game, random).reverse()) {
        const answer = await askSite(before);
        const asked = askServer(before);
        expect([answer.value, movesOf(answer)]).toEqual([asked.value, movesOf(asked)]);
        const made = movesOf(answer).find((move) => move.name === name);
        const cost = Math.abs((answer.value as number) - score - worth);
        expect({ before, made }).toEqual({ before, made: { name, value: worth, cost } });
        worth = answer.value as number;
        if (before.turn === "slider" && oracle) expect(oracle.position(before.board)).toBe(worth);
        const published = publishedBound(before, TILES);
        if (published) expect(published).toMatchObject({ lo: worth, hi: worth });
      }
    }
  });
});
