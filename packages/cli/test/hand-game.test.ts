import {
  type Board,
  type Bound,
  formatPlacement,
  isEnd,
  parseShape,
  placements,
  seededRandom,
  slides,
  starts,
  verdictsOn,
} from "@gridlock/game";
import { Oracle } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  beginGame,
  type HandGame,
  takeBack,
  turnOf,
  withProven,
  withSlide,
} from "../src/hand-game.js";
import { endNote, handGameScreen, hintNote, moveNote } from "../src/output/hand-game-screen.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const oracle = new Oracle(GAME);

/** Returns an interval around a value, wider by up to `slack` fours on each side. */
function around(value: number, slack: number, random: () => number): Bound {
  const fours = () => 4 * Math.floor(random() * (slack + 1));
  return { lo: Math.max(0, value - fours()), hi: value + fours() };
}

/** Answers an afterstate with intervals around the values. */
function answerTo(after: Board, slack: number, random: () => number) {
  const replies = placements(after, GAME.tiles);
  const bounds = replies.map(({ board }) => around(oracle.position(board), slack, random));
  const bound = around(oracle.afterstate(after), slack, random);
  const moves = bounds.map((each) => ({ score: 0, bound: each }));
  const verdicts = verdictsOn("placer", bound, moves);
  const names = replies.map((reply) => formatPlacement(after, reply));
  return {
    ...bound,
    moves: bounds.map((each, i) => ({ ...each, place: names[i] as string })),
    best: names.filter((_, i) => verdicts[i]?.verdict === "best"),
  };
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
        let game: HandGame = beginGame(start, around(worth, slack, random));
        let given = 0;
        while (!isEnd(turnOf(game).board)) {
          const before = turnOf(game);
          const slide = pick(slides(before.board));
          const cost = oracle.position(before.board) - slide.score - oracle.afterstate(slide.board);
          const answer = answerTo(slide.board, slack, random);
          const next = withSlide(game, slide, answer, GAME.tiles, random);
          expect(takeBack(next)).toEqual(game);
          const turn = turnOf(next);
          const toCome = oracle.position(turn.board);
          given += cost;
          expect(isIn(cost, turn.move?.cost as Bound)).toBe(true);
          expect(isIn(given, turn.given)).toBe(true);
          expect(isIn(toCome, turn.toCome)).toBe(true);
          if (turn.isPerfect) expect(turn.earned + toCome + given).toBe(worth);
          if (slack === 0)
            expect(turn).toMatchObject({ isPerfect: true, given: { lo: given, hi: given } });
          game = withProven(next, around(toCome, slack, random));
          expect(isIn(toCome, turnOf(game).toCome)).toBe(true);
        }
        expect(turnOf(game).toCome).toEqual({ lo: 0, hi: 0 });
        expect(endNote(game)).toContain(`The game is over: ${turnOf(game).earned} points.`);
      }),
    );
  });

  it("has the placer leave the least that is proven where no reply is proven best", () => {
    const [start] = starts(GAME.shape);
    const [slide] = slides(start as Board);
    if (slide === undefined) throw new Error("a start without a slide");
    const bounds = placements(slide.board, GAME.tiles).map((reply, i) => ({
      place: formatPlacement(slide.board, reply),
      ...(i === 3 ? { lo: 4, hi: 36 } : { lo: 0, hi: 40 }),
    }));
    const answer = { lo: 0, hi: 40, best: [], moves: bounds };
    const begun = beginGame(start as Board, { lo: 0, hi: 44 });
    const turn = turnOf(withSlide(begun, slide, answer, GAME.tiles, () => 0.999));
    expect(turn.isPerfect).toBe(false);
    expect(turn.move && formatPlacement(slide.board, turn.move.reply)).toBe(bounds[3]?.place);
    expect(turn.toCome).toEqual({ lo: 4, hi: 36 });
  });
});

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
          const slide = { direction: "right", score: earned, board } as const;
          const reply = { tile: 4, cell: 15, board };
          const move = { slide, cost: given, reply };
          const start = { board, earned: 0, toCome, given: { lo: 0, hi: 0 }, isPerfect: true };
          const published = { ...start, published: "results/4x4.json" };
          const turn = { board, earned, toCome, given, isPerfect: false, move };
          const lines = handGameScreen([published, turn], moveNote(move), 12.5, {
            rows: 24,
            columns,
          }).split("\n");
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
    const [start] = beginGame({ ...board, cells: [2, 2, 0] }, { lo: 4, hi: 4 });
    const slide = { direction: "left", score: 4, board: { ...board, cells: [4, 0, 0] } } as const;
    const move = { slide, cost: { lo: 0, hi: 0 }, reply: { tile: 2, cell: 1, board } };
    const game: HandGame = [start, { ...start, board, move }];
    expect(handGameScreen(game, "", 1, { rows: 24, columns: 80 })).toMatch(/^ {2}4 >2 {2}·\n/);
  });

  it("hints at the best slides or, where none is proven best, at those that may be", () => {
    const move = (name: "up" | "left", verdict: "best" | "open" | "worse") => ({
      move: name,
      score: 0,
      lo: 0,
      hi: 8,
      value: null,
      verdict,
      ...(verdict === "worse" && { by: 4 }),
    });
    const hint = (...moves: ReturnType<typeof move>[]) => hintNote({ moves });
    expect(hint(move("up", "best"), move("left", "worse"))).toBe("hint: best is up");
    expect(hint(move("up", "open"), move("left", "worse"))).toBe(
      "hint: up may be best, not proven; left gives away at least 4",
    );
  });
});
