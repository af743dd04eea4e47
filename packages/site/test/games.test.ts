import { join } from "node:path";
import { answerAsJson, Library, type LibraryOptions } from "@gridlock/answers";
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
import { tabulate } from "@gridlock/tablebase";
import { randomGames, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { SiteAnswers } from "../src/answers.js";
import { readModule } from "./modules.js";

const TILES = [2, 4] as const;
/** Bytes of a table, and seconds for a board on the slowest machine; each takes a part of them. */
const MEMORY = 2 ** 26;
const SECONDS = 300;

const site = new SiteAnswers(readModule, MEMORY);

let server: Library;
beforeAll(() => {
  server = openLibrary({
    db: join(temporaryFolder(afterAll), "none.db"),
    tableBytes: () => MEMORY,
    whenDone: afterAll,
  });
});

/** Opens a library that knows no published values, until the test or the file is done. */
function openLibrary({
  whenDone,
  ...options
}: Pick<LibraryOptions, "db" | "tableBytes"> & { whenDone: (close: () => void) => void }): Library {
  const library = new Library({ ...options, published: false, warn: () => {} });
  whenDone(() => library[Symbol.dispose]());
  return library;
}

/** Tabulates a game; opens a library that knows the tabulation alone, until the test is done. */
async function openTabulation(game: Game): Promise<Library> {
  const db = join(temporaryFolder(), "tabulated.db");
  await tabulate(game, undefined, { threads: 1, memory: 2 ** 24, db });
  return openLibrary({ db, tableBytes: () => undefined, whenDone: onTestFinished });
}

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
function ask(library: Library, node: Node): Answer {
  return answerAsJson(library.answer({ ...node, tiles: TILES, budget: SECONDS }));
}

/** Returns the values in an answer: the board's, and each move's, with what the move gives away. */
function valuesOf({ value, moves }: Answer) {
  return {
    value,
    moves: moves.map((move) => {
      const name = "move" in move ? move.move : move.place;
      return { name, value: move.value, cost: "by" in move ? move.by : 0 };
    }),
  };
}

describe("the costs of the moves of random games", () => {
  const exact = "are exact on a site and on a server: %s";
  const areExact = async (shape: string, count: number, isTabulated: boolean) => {
    const game: Game = { shape: parseShape(shape), tiles: TILES };
    const tabulation = isTabulated ? await openTabulation(game) : undefined;
    const games = randomGames(game, 2048);
    for (let i = 0; i < count; i++) {
      const nodes = games.next().value as Node[];
      let worth = 0;
      // From the end back, as a game is reviewed.
      for (let at = nodes.length - 2; at >= 0; at--) {
        const [before, after] = nodes.slice(at, at + 2) as [Node, Node];
        const { name, score } = moveBetween(before, after);
        const { value, moves } = valuesOf(ask(server, before));
        expect({ before, ...valuesOf(await askSite(before)) }).toEqual({ before, value, moves });
        if (tabulation) {
          const tabulated = ask(tabulation, before);
          expect(tabulated.source).toBe("tabulation");
          expect({ before, value, moves }).toEqual({ before, ...valuesOf(tabulated) });
        }
        const cost = Math.abs((value as number) - score - worth);
        const made = moves.find((move) => move.name === name);
        expect({ before, made }).toEqual({ before, made: { name, value: worth, cost } });
        worth = value as number;
        const published = publishedBound(before, TILES);
        if (published) expect(published).toMatchObject({ lo: worth, hi: worth });
      }
    }
  };
  it.each([
    ["2x3", 30, true],
    ["2x4", 20, true],
    ["3x3", 5, false],
  ] as const)(exact, areExact);
  // Tabulating 3×3 takes half a minute of processor time.
  it.each([
    ["2x4", 100, true],
    ["3x3", 100, true],
  ] as const)(exact, { tags: ["long"], timeout: 600_000 }, areExact);
});
