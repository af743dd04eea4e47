import {
  type Board,
  DIRECTIONS,
  formatBoard,
  isEnd,
  largestTileSum,
  mostPointsToCome,
  parseBoard,
  parseShape,
  place,
  slide,
  starts,
  tileSum,
} from "@gridlock/game";
import { Oracle } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer, MoveAnswer } from "../src/data.js";
import {
  exploreAddress,
  firstAddress,
  firstSpot,
  readEntered,
  readExploreAddress,
} from "../src/logic/address.js";
import { boundOf, gradeMoves, gradeOf } from "../src/logic/grade.js";
import { nextScene, type Scene, sceneOf } from "../src/logic/motion.js";
import { applyMove } from "../src/logic/moves.js";
import {
  formatBound,
  formatGiven,
  formatShortBound,
  gradeWords,
  literatureWords,
  sourceWords,
  totalWords,
} from "../src/logic/words.js";
import { earnedIn, givenBy, nodeAt, replay, takeBack, toCome, withMove } from "../src/play/game.js";
import { chooseMove, playerWords } from "../src/play/seats.js";
import { accountOf, hintWords } from "../src/play/words.js";
import { answerFor, anyBoard } from "./boards.js";

/** Returns the tiles that a scene shows once everything has come to rest. */
function shownBy({ board, sprites }: Scene): Board {
  const cells = board.cells.map(() => 0);
  for (const { cell, tile, state } of sprites) if (state !== "gone") cells[cell] = tile;
  return { rows: board.rows, cols: board.cols, cells };
}

describe("tiles on the screen", () => {
  it("show the board after every slide and placement, and keep their elements", () => {
    fc.assert(
      fc.property(anyBoard, fc.array(fc.nat(99), { maxLength: 12 }), (board, choices) => {
        let scene = sceneOf(board);
        let now = board;
        for (const [i, choice] of choices.entries()) {
          const before = new Set(scene.sprites.map(({ id }) => id));
          const slid = slide(now, DIRECTIONS[choice % 4] as (typeof DIRECTIONS)[number]);
          const empty = now.cells.flatMap((tile, cell) => (tile === 0 ? [cell] : []));
          const cell = empty[choice % Math.max(1, empty.length)];
          if (i % 2 === 0 && slid) now = slid.board;
          else if (i % 2 === 1 && cell !== undefined) now = place(now, cell, 2).board;
          else continue;
          scene = nextScene(scene, now);
          expect(shownBy(scene)).toEqual(now);
          const ids = scene.sprites.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          // Only merged and placed tiles are new: all others move.
          const fresh = scene.sprites.filter(({ id }) => !before.has(id));
          expect(fresh.every(({ state }) => state === "merged" || state === "placed")).toBe(true);
        }
      }),
    );
  });

  it("slide two equal tiles below the one that they become", () => {
    const scene = nextScene(sceneOf(parseBoard("2 0 2 4/").board), parseBoard("4 4 0 0/").board);
    expect(scene.sprites.map(({ id, cell, tile, state }) => [id, cell, tile, state])).toEqual([
      [0, 0, 2, "gone"],
      [1, 0, 2, "gone"],
      [2, 1, 4, "still"],
      [3, 0, 4, "merged"],
    ]);
  });

  it("start afresh on a board that no single move leads to", () => {
    const scene = nextScene(sceneOf(parseBoard("2 0/0 2").board), parseBoard("8 0/0 8").board);
    expect(scene.sprites.map(({ state }) => state)).toEqual(["still", "still"]);
  });
});

describe("addresses", () => {
  it("name the first start of each game", () => {
    const expected = "explore/2x3/?board=2_2_0/0_0_0&turn=slider&tiles=2";
    expect(firstAddress({ shape: "2x3", tiles: [2] })).toBe(expected);
    for (const shape of ["1x2", "2x1", "2x2", "2x3", "3x2", "3x3", "2x7", "7x2", "3x5", "4x4"]) {
      const [first] = starts(parseShape(shape));
      expect(firstSpot(shape, [2, 4]).node).toEqual({ board: first, turn: "slider" });
    }
  });

  it("name every board, and are read back", () => {
    fc.assert(
      fc.property(anyBoard, fc.boolean(), fc.boolean(), (board, placer, twos) => {
        const turn = placer && board.cells.includes(0) ? "placer" : "slider";
        const spot = { node: { board, turn }, tiles: twos ? ([2] as const) : ([2, 4] as const) };
        const address = exploreAddress({ ...spot, node: { board, turn } });
        fc.pre(board.cells.every((tile) => tile <= 2 ** (board.cells.length + 1)));
        fc.pre(tileSum(board) <= largestTileSum(board));
        const [pathname = "", search = ""] = address.split("?");
        expect(readExploreAddress({ pathname, search: `?${search}` })).toMatchObject(spot);
      }),
    );
  });

  it("may have all cells in a row, and name the player in the board", () => {
    const spot = (pathname: string, search: string) => readExploreAddress({ pathname, search });
    const board = { rows: 2, cols: 2, cells: [2, 0, 0, 4] };
    expect(spot("/explore/2x2", "?board=2+0+0+4")?.node).toEqual({ board, turn: "slider" });
    expect(spot("/explore/2x2", "?board=2_0/0_4_placer")?.node.turn).toBe("placer");
    expect(() => spot("/explore/2x2", "?board=2_0/0_4_placer&turn=slider")).toThrow(/to agree/);
  });
});

describe("entered boards", () => {
  const page = parseBoard("2 0 0/0 4 0 placer");

  it("keep the player to move unless they name one, and may have another shape", () => {
    expect(readEntered("2 2\n0 0\n", page).node).toEqual(parseBoard("2 2/0 0 placer"));
    expect(readEntered("2 2/0 0 slider", page).node).toEqual(parseBoard("2 2/0 0"));
    expect(readEntered("0 0 2 4 0 0", page).node).toEqual(parseBoard("0 0 2/4 0 0 placer"));
    expect(() => readEntered("2 4/4 2", page)).toThrow(/no empty cell/);
  });

  it("may be a shape alone, of which they are the first start", () => {
    expect(readEntered("3x4", page)).toEqual({
      node: parseBoard("2 2 0 0/0 0 0 0/0 0 0 0"),
      notes: [],
    });
    expect(readEntered(" 2 × 2\n", page).node).toEqual(parseBoard("2 2/0 0"));
    expect(() => readEntered("9x9", page)).toThrow(/9x9 has 81 cells/);
  });

  it("come with notes on how they were read, but not on small tiles", () => {
    expect(readEntered("2 2/0 0", page).notes).toEqual([]);
    expect(readEntered("1 2/0 0", page).notes).toEqual([expect.stringMatching(/exponents/)]);
  });
});

describe("grades", () => {
  it("follow the verdicts, and rank moves by them", () => {
    fc.assert(
      fc.property(
        anyBoard,
        fc.array(fc.nat(5), { minLength: 32, maxLength: 32 }),
        (board, dice) => {
          for (const turn of ["slider", "placer"] as const) {
            if (turn === "placer" && !board.cells.includes(0)) continue;
            let next = 0;
            const answer = answerFor({ board, turn }, () => {
              const lo = 4 * (dice[next++ % 32] as number);
              return [lo, lo + (dice[next++ % 32] === 0 ? 4 * (dice[next++ % 32] as number) : 0)];
            });
            const graded = gradeMoves({ board, turn }, answer);
            expect(graded).toHaveLength(answer.moves.length);
            const order = ["best", "open", "as good", "worse"];
            const ranks = graded.map(({ verdict }) => order.indexOf(verdict));
            expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
            for (const move of graded) {
              const { verdict, by = 0 } = move.answer;
              expect(move.verdict).toBe(verdict);
              expect(move.cost.lo).toBe(by);
              if (verdict === "best") expect(move.cost).toEqual({ lo: 0, hi: 0 });
              if (verdict === "open" || verdict === "as good") expect(gradeOf(move)).toBe("open");
              if (verdict === "worse") expect(gradeWords(turn, move)).toMatch(/^gives .*\d/);
            }
          }
        },
      ),
    );
  });

  it("say what a move gives away, from the side of whoever makes it", () => {
    const slider = parseBoard("2 2 0/0 0 0");
    const values = (lo: number) => [lo, lo] as const;
    const slides = gradeMoves(
      slider,
      answerFor(slider, ({ cells }) => values(cells[0] === 4 ? 8 : 4)),
    );
    expect(slides.map((move) => [move.step.name, gradeWords("slider", move)])).toEqual([
      ["left", "best"],
      ["right", "gives away 4"],
      ["down", "gives away 8"],
    ]);
    const placer = parseBoard("2 4/8 0 placer");
    const places = gradeMoves(
      placer,
      answerFor(placer, ({ cells }) => values(cells[3] === 4 ? 12 : 0)),
    );
    expect(places.map((move) => [move.step.name, gradeWords("placer", move)])).toEqual([
      ["2@2,2", "best"],
      ["4@2,2", "gives the slider 12 more"],
    ]);
  });
});

/** A start of 4×4 with bounds of its slides and, where no search found one, those of the rules. */
const START = parseBoard("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0");
const BY_RULES = 3_932_164;

type Slide = Extract<MoveAnswer, { readonly move: string }>;

function openAnswer(moves: Slide[]): Answer {
  const board = formatBoard(START.board);
  const bound = { lo: 448, hi: BY_RULES, value: null };
  return { board, turn: "slider", ...bound, source: "search", moves, line: [], end: null };
}

function openMove(
  move: Slide["move"],
  score: number,
  lo: number,
  hi: number,
  verdict: Slide["verdict"],
  by?: number,
): Slide {
  return { move, score, lo, hi, value: null, verdict, ...(by !== undefined && { by }) };
}

const OPEN_MOVES = [
  openMove("left", 4, 444, BY_RULES - 4, "open"),
  openMove("down", 0, 0, BY_RULES - 8, "open"),
  openMove("right", 4, 0, 400, "worse", 44),
];

describe("an upper bound that the rules alone give", () => {
  const { board } = START;

  it("is not shown: only what is proven is", () => {
    for (const hi of [BY_RULES, BY_RULES - 4]) {
      expect(formatBound(boundOf({ lo: 448, hi }, board))).toBe("at least 448");
      expect(formatShortBound(boundOf({ lo: 448, hi }, board))).toBe("≥448");
      expect(formatBound(boundOf({ lo: 0, hi }, board))).toBe("not known");
      expect(formatShortBound(boundOf({ lo: 0, hi }, board))).toBe("?");
    }
    expect(formatBound(boundOf({ lo: 448, hi: 1000 }, board))).toBe("448 … 1,000");
    const end = parseBoard("2 4/4 2").board;
    expect(boundOf({ lo: 0, hi: 0 }, end)).toEqual({ lo: 0, hi: 0 });
  });

  it("is not shown of moves either, whose verdicts stay", () => {
    const moves = gradeMoves(START, openAnswer(OPEN_MOVES));
    expect(
      moves.map((move) => [
        move.step.name,
        totalWords(move.total),
        gradeWords("slider", move),
        gradeOf(move),
      ]),
    ).toEqual([
      ["left", "448 points or more in all", "may be better", "open"],
      ["down", "total not known", "may be better", "open"],
      ["right", "4 … 404 points in all", "gives away at least 44", "costly"],
    ]);
    const [first] = moves;
    expect(first && gradeWords("slider", { ...first, verdict: "as good" })).toBe("no better");
  });

  it("leaves hints and counts of mistakes to what is proven", () => {
    const moves = gradeMoves(START, openAnswer(OPEN_MOVES));
    expect(hintWords(moves)).toBe(
      "No move is proven best. May be best: slide left, slide down. Gives points away: slide right (at least 44).",
    );
    const [left, , right] = moves;
    if (left === undefined || right === undefined) throw new Error("there are three slides");
    expect(hintWords([{ ...left, verdict: "best" }])).toBe(
      "Best: slide left. At least 448 points from here.",
    );
    const seats = { slider: "you", placer: "perfect" };
    const worth = boundOf(openAnswer([]), board);
    const begun = replay(START, [2, 4], []);
    expect(accountOf(begun, seats)).toBe("No move was made.");
    const good = withMove(begun, left, worth, moves);
    expect(formatGiven(givenBy(good, "slider"))).toBe("none proven");
    expect(accountOf(good, seats)).toBe(
      "The start was worth at least 448: no mistake of yours is proven, the placer gave nothing away.",
    );
    const poor = withMove(begun, right, worth, moves);
    expect(formatGiven(givenBy(poor, "slider"))).toBe("at least 44");
    expect(accountOf(poor, seats)).toMatch(/: you gave at least 44 away,/);
  });

  it("leaves the opponent the strongest known reply, and does not call it perfect", () => {
    const moves = gradeMoves(START, openAnswer(OPEN_MOVES));
    expect(chooseMove("perfect", "slider", moves, undefined, () => 0.99)?.step.name).toBe("left");
    // The bound of the rules is lower after a 4, which makes it no stronger.
    const placer = parseBoard("4 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0 placer");
    const places = answerFor(placer, ({ cells }) => [
      cells[1] ? 8 : 4,
      mostPointsToCome({ ...START.board, cells }),
    ]);
    const chosen = [0, 0.99].map((chance) =>
      chooseMove("perfect", "placer", gradeMoves(placer, places), undefined, () => chance),
    );
    expect(chosen.map((move) => move?.step.name)).toEqual(["2@1,3", "4@4,4"]);
    // Of equals it takes none that a slide can merge at once.
    for (let chance = 0; chance < 1; chance += 0.01) {
      const grades = gradeMoves(placer, places);
      const { step } = chooseMove("perfect", "placer", grades, undefined, () => chance) ?? {};
      expect(step?.name).not.toMatch(/^4@(1,|.,1)/);
    }
    expect(playerWords("placer", "perfect", false)).toBe("the strong placer");
    expect(playerWords("placer", "perfect", true)).toBe("the perfect placer");
    expect(playerWords("placer", "evil", false)).toBe("the evil placer");
  });
});

describe("sources", () => {
  const published = (...kinds: ("certificate" | "second-search" | "tabulation")[]) =>
    sourceWords({
      ...openAnswer([]),
      source: "published",
      published: {
        source: "results/3x4.json",
        madeBy: "gridlock solve 3x4",
        version: null,
        confirmations: kinds.map((kind) => ({
          kind,
          says: "",
          command: "",
          source: "",
          date: null,
        })),
      },
    });

  it("are named in words, with what confirms published values", () => {
    expect(published()).toBe("published in results/3x4.json, found by one search");
    expect(published("second-search")).toBe(
      "published in results/3x4.json, confirmed by a second search",
    );
    expect(published("certificate", "second-search", "tabulation")).toBe(
      "published in results/3x4.json, confirmed by a checked certificate, a second search and a tabulation",
    );
    expect(sourceWords({ ...openAnswer([]), source: "database" })).toBe("from this database");
    const found = { ...openAnswer([]), source: "search" as const };
    expect(sourceWords(found)).toBe("found by a search");
    expect(sourceWords({ ...found, unsearched: "no memory" })).toBe("from the rules alone");
    expect(literatureWords({ bound: 1536, citation: "I. Slizkov, arXiv 2303.07266 (2023)" })).toBe(
      "at least 1,536 by the literature (I. Slizkov, arXiv 2303.07266 (2023); not checked here)",
    );
  });
});

describe("games", () => {
  it("add up: the start's value, less the slider's mistakes, plus the placer's, is the score", () => {
    const oracle = new Oracle({ shape: { rows: 2, cols: 3 }, tiles: [2, 4] });
    const start = parseBoard("2 0 0/0 0 4");
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        let state = seed >>> 0;
        const random = () => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
          return state / 2 ** 32;
        };
        let game = replay(start, [2, 4], []);
        for (;;) {
          const at = nodeAt(game);
          if (at.turn === "slider" && isEnd(at.board)) break;
          const answer = answerFor(at, (after) => {
            const value = at.turn === "slider" ? oracle.afterstate(after) : oracle.position(after);
            return [value, value];
          });
          const moves = gradeMoves(at, answer);
          const name = random() < 0.7 ? "perfect" : "random";
          const chosen =
            name === "random" && at.turn === "slider"
              ? moves[Math.floor(random() * moves.length)]
              : chooseMove(name, at.turn, moves, undefined, random);
          if (chosen === undefined) throw new Error("no move was chosen");
          game = withMove(game, chosen, boundOf(answer, at.board), moves);
          const left = toCome(game)?.lo as number;
          expect(
            earnedIn(game) + left + givenBy(game, "slider").lo - givenBy(game, "placer").lo,
          ).toBe(oracle.position(start.board));
        }
        expect(toCome(game)).toEqual({ lo: 0, hi: 0 });
      }),
      { numRuns: 30 },
    );
  });

  it("take back to the last move of whoever asks", () => {
    let game = replay(parseBoard("2 2/0 0"), [2, 4], []);
    for (const name of ["left", "2@1,2", "down"]) {
      const at = nodeAt(game);
      const moves = gradeMoves(
        at,
        answerFor(at, () => [0, 0]),
      );
      const chosen = moves.find(({ step }) => step.name === name);
      if (chosen === undefined)
        throw new Error(`${name} is not a move on ${formatBoard(at.board)}`);
      game = withMove(game, chosen, { lo: 0, hi: 0 }, moves);
    }
    expect(takeBack(game, ["slider"]).plies).toHaveLength(2);
    expect(takeBack(game, ["placer"]).plies).toHaveLength(1);
    expect(takeBack(takeBack(game, []), []).plies).toHaveLength(1);
  });

  it("refuse moves that are not legal", () => {
    const placer = parseBoard("2 0/0 0 placer");
    for (const name of ["2@1,1", "2@3,1", "2@1,3", "2@0,1", "left", ""]) {
      expect(applyMove(placer, name)).toBeUndefined();
    }
    expect(applyMove(parseBoard("2 0/4 0"), "left")).toBeUndefined();
  });
});

describe("short bounds", () => {
  it("are rounded outwards, so that they stay true", () => {
    const short = (lo: number, hi: number) => formatShortBound({ lo, hi });
    expect(short(184, 184)).toBe("184");
    expect(short(180, 9996)).toBe("180 … 9996");
    expect(short(4, 180_228)).toBe("4 … 181k");
    expect(short(10_996, 3_932_164)).toBe("10k … 4M");
    expect(short(1_999_996, 2_000_000)).toBe("1M … 2M");
    expect(short(0, 96)).toBe("≤96");
  });

  it("is contained in the words for it", () => {
    const open = Number.POSITIVE_INFINITY;
    const words = (lo: number, hi: number) => totalWords({ lo, hi });
    expect(words(0, 0)).toBe("0 points in all");
    expect(words(0, 96)).toBe("96 points or fewer in all");
    expect(words(10_996, open)).toBe("10k points or more in all");
    expect(words(180, 9996)).toBe("180 … 9996 points in all");
  });
});
