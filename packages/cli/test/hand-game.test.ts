import { applyMove, earnedIn, type Game, givenBy, nodeAt, takeBack } from "@gridlock/explorer/play";
import {
  type Board,
  type Bound,
  formatBoard,
  formatPlacement,
  isEnd,
  type Node,
  parseShape,
  placements,
  seededRandom,
  slides,
  starts,
  type Verdict,
  verdictsOn,
} from "@gridlock/game";
import type { BoardAnswer } from "@gridlock/gridlock";
import { Oracle } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  beginGame,
  type HandGame,
  isPerfect,
  lastMoves,
  pointsToCome,
  withProven,
  withSlide,
} from "../src/hand-game.js";
import { endNote, handGameScreen, moveNote } from "../src/output/hand-game-screen.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const oracle = new Oracle(GAME);

/** Returns an interval around a value, wider by up to `slack` fours on each side. */
function around(value: number, slack: number, random: () => number): Bound {
  const fours = () => 4 * Math.floor(random() * (slack + 1));
  return { lo: Math.max(0, value - fours()), hi: value + fours() };
}

/** Returns the answer for a node whose own value and moves have these bounds. */
function answerWith({ board, turn }: Node, bound: Bound, boundOf: (after: Board) => Bound) {
  const moves =
    turn === "slider"
      ? slides(board).map((slide) => ({ name: slide.direction, ...slide }))
      : placements(board, GAME.tiles).map((placement) => ({
          name: formatPlacement(board, placement),
          score: 0,
          ...placement,
        }));
  const bounded = moves.map((move) => ({ score: move.score, bound: boundOf(move.board) }));
  const verdicts = verdictsOn(turn, bound, bounded);
  const answered = moves.map(({ name, score }, i) => ({
    [turn === "slider" ? "move" : "place"]: name,
    score,
    ...bounded[i]?.bound,
    value: null,
    ...(verdicts[i] as Verdict),
  }));
  const best = moves.filter((_, i) => verdicts[i]?.verdict === "best").map(({ name }) => name);
  const rest = { value: null, source: "search", line: [], end: null };
  const answer = { board: formatBoard(board), turn, ...bound, moves: answered, best, ...rest };
  return answer as unknown as BoardAnswer;
}

/** Answers a node with intervals around the values. */
function answerTo(node: Node, slack: number, random: () => number): BoardAnswer {
  const worthOf = ({ board, turn }: Node) =>
    turn === "slider" ? oracle.position(board) : oracle.afterstate(board);
  const turn = node.turn === "slider" ? "placer" : "slider";
  return answerWith(node, around(worthOf(node), slack, random), (board) =>
    around(worthOf({ board, turn }), slack, random),
  );
}

const isIn = (value: number, { lo, hi }: Bound) => lo <= value && value <= hi;

describe("a game by hand", () => {
  it("knows what is to come and what was given away, as far as is proven", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(4), (seed, slack) => {
        const random = seededRandom(seed);
        const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
        const start = pick(starts(GAME.shape));
        const worth = oracle.position(start);
        const begun = answerTo({ board: start, turn: "slider" }, slack, random);
        let game: HandGame = beginGame(start, GAME.tiles, begun);
        let given = 0;
        for (let node = nodeAt(game.game); !isEnd(node.board); node = nodeAt(game.game)) {
          const slide = pick(slides(node.board));
          const step = applyMove(node, slide.direction);
          if (step === undefined) throw new Error("the slide is legal");
          const cost = oracle.position(node.board) - slide.score - oracle.afterstate(slide.board);
          const answer = answerTo(step.after, slack, random);
          const next = withSlide(game, step, answer, random);
          expect(takeBack(next.game, ["slider"])).toEqual(game.game);
          const { board } = nodeAt(next.game);
          const toCome = oracle.position(board);
          const sum = givenBy(next.game, "slider");
          given += cost;
          expect(isIn(cost, lastMoves(next)?.[0].cost as Bound)).toBe(true);
          expect(isIn(given, sum)).toBe(true);
          expect(isIn(toCome, pointsToCome(next))).toBe(true);
          if (isPerfect(next)) expect(earnedIn(next.game) + toCome + given).toBe(worth);
          if (slack === 0) {
            expect([isPerfect(next), sum]).toEqual([true, { lo: given, hi: given }]);
          }
          game = withProven(next, answerTo({ board, turn: "slider" }, slack, random));
          expect(isIn(toCome, pointsToCome(game))).toBe(true);
        }
        expect(pointsToCome(game)).toEqual({ lo: 0, hi: 0 });
        expect(endNote(game)).toContain(`Game over with ${earnedIn(game.game)} points.`);
      }),
    );
  });

  it("has the placer leave the least that is proven where no reply is proven best", () => {
    const [start] = starts(GAME.shape);
    const step = applyMove({ board: start as Board, turn: "slider" }, "down");
    if (step === undefined) throw new Error("a start without a slide");
    const [, , , least] = placements(step.after.board, GAME.tiles);
    const answer = answerWith(step.after, { lo: 0, hi: 40 }, (board) =>
      formatBoard(board) === formatBoard(least?.board as Board)
        ? { lo: 4, hi: 36 }
        : { lo: 0, hi: 40 },
    );
    const begun = answerWith({ board: start as Board, turn: "slider" }, { lo: 0, hi: 44 }, () => ({
      lo: 0,
      hi: 44,
    }));
    const game = beginGame(start as Board, GAME.tiles, begun);
    const next = withSlide(game, step, answer, () => 0.999);
    expect(isPerfect(next)).toBe(false);
    expect(nodeAt(next.game).board).toEqual(least?.board);
    expect(pointsToCome(next)).toEqual({ lo: 4, hi: 36 });
  });
});

/** Returns a game of a slide to the right and a reply to it. */
function gameOf(
  before: Board,
  after: Board,
  placed: { readonly tile: number; readonly cell: number },
  { score, cost, toCome }: { readonly score: number; readonly cost: Bound; readonly toCome: Bound },
): Game {
  const start: Node = { board: before, turn: "slider" };
  const slid: Node = { board: after, turn: "placer" };
  const rest = { valued: true, worth: toCome, total: toCome, best: [] };
  const slide = { name: "right", score, after: slid };
  const reply = { name: "", score: 0, after: { board: after, turn: "slider" as const }, ...placed };
  const plies = [
    { before: start, step: slide, cost, ...rest },
    { before: slid, step: reply, cost: { lo: 0, hi: 4 }, ...rest },
  ];
  return { start, tiles: [2, 4], plies };
}

describe("the screen of a game by hand", () => {
  const tile = fc.nat(17).map((power) => (power === 0 ? 0 : 2 ** power));
  const bound = fc.tuple(fc.nat(4e6), fc.nat(4e6), fc.boolean()).map(([lo, more, isOpen]) => ({
    lo,
    hi: isOpen ? Number.POSITIVE_INFINITY : lo + more,
  }));

  it("fits 24 rows of 80 columns, and of fewer, whatever the numbers", () => {
    fc.assert(
      fc.property(
        fc.array(tile, { minLength: 16, maxLength: 16 }),
        fc.nat(4e6),
        bound,
        bound,
        fc.integer({ min: 56, max: 120 }),
        (cells, earned, toCome, given, columns) => {
          const board = { rows: 4, cols: 4, cells };
          const known = { score: earned, cost: given, toCome };
          const game = gameOf(board, board, { tile: 4, cell: 15 }, known);
          const hand = { game, worth: toCome, published: "results/4x4.json" };
          const lines = handGameScreen(hand, moveNote(hand), 12.5, { rows: 24, columns }).split(
            "\n",
          );
          expect(lines.length).toBeLessThan(24);
          const text = lines.join(" ").replaceAll(/\s+/g, " ");
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
          expect(text).toContain(`score ${earned} to come`);
          expect(text).toContain("best found in 12.5 s each");
          expect(text).toContain("put a 4 in row 4, column 4");
          expect(text).toMatch(/n new game, q quit$/);
        },
      ),
    );
  });

  it("marks the newest tile", () => {
    const board = { rows: 1, cols: 3, cells: [4, 2, 0] };
    const exact = { lo: 4, hi: 4 };
    const known = { score: 4, cost: { lo: 0, hi: 0 }, toCome: exact };
    const game = gameOf({ ...board, cells: [2, 2, 0] }, board, { tile: 2, cell: 1 }, known);
    const screen = handGameScreen({ game, worth: exact }, "", 1, { rows: 24, columns: 80 });
    expect(screen).toMatch(/^ {2}4 >2 {2}·\n/);
  });
});
