import { join } from "node:path";
import { answerAsJson, Library } from "@gridlock/answers";
import type { Answer } from "@gridlock/explorer";
import {
  type Board,
  formatBoard,
  formatPlacement,
  type Game,
  type Node,
  type Placement,
  parseShape,
  placements,
  type Slide,
  sameBoard,
  slides,
} from "@gridlock/game";
import { publishedBound } from "@gridlock/published";
import { Oracle, randomGames, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SiteAnswers } from "../src/answers.js";
import { readModule } from "./modules.js";

const TILES = [2, 4] as const;
/** Bytes of a table, and seconds for a board on the slowest machine: each takes a fraction of them. */
const MEMORY = 2 ** 26;
const SECONDS = 300;

const site = new SiteAnswers(readModule, MEMORY);

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

/** Returns the name and the points of the move that leads from one node of a game to the next. */
function moveBetween({ board, turn }: Node, after: Node) {
  const leads = (move: { readonly board: Board }) => sameBoard(move.board, after.board);
  if (turn === "slider") {
    const { direction, score } = slides(board).find(leads) as Slide;
    return { name: direction as string, score };
  }
  return {
    name: formatPlacement(board, placements(board, TILES).find(leads) as Placement),
    score: 0,
  };
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
    const games = randomGames(game, 2048);
    // Plain minimax of larger shapes takes too long: there, the starts have their published values.
    const oracle = shape === "2x3" ? new Oracle(game) : undefined;
    for (let i = 0; i < count; i++) {
      const nodes = games.next().value as Node[];
      let worth = 0;
      // From the end back, as a game is reviewed.
      for (let at = nodes.length - 2; at >= 0; at--) {
        const [before, after] = nodes.slice(at, at + 2) as [Node, Node];
        const { name, score } = moveBetween(before, after);
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
