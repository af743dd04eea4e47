import {
  applySymmetry,
  type Board,
  canonical,
  formatBoard,
  isEnd,
  mostPointsToCome,
  type Node,
  opponent,
  type PackedNode,
  packBoard,
  parseBoard,
  place,
  SYMMETRIES,
  slide,
  tileSum,
  unpackBoard,
  verdictsOn,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { type Analysis, Analyst, NOTHING_STORED } from "@gridlock/solver";
import { Oracle } from "@gridlock/testbed";
import { describe, expect, it, vi } from "vitest";
import { freshDatabase, gameOf } from "./setup.js";

const GAME = gameOf("2x3");
const ORACLE = new Oracle(GAME).valueAll();

/** Creates a kernel with its own table. */
function kernelFor(game = GAME): Kernel {
  return new Kernel(createTable(game, tableLimits(game, 1).least + 2 ** 20, 1), 0);
}

/**
 * Generates about a hundred reachable nodes of 2×3, each as one of its images: all orientations
 * occur.
 */
function* nodes(): Generator<Node> {
  let count = 0;
  for (const { turn, board } of ORACLE.nodes()) {
    count++;
    if (count % 97 !== 0) continue;
    const symmetry = SYMMETRIES[count % SYMMETRIES.length];
    if (symmetry) yield { turn, board: applySymmetry(unpackBoard(GAME.shape, board), symmetry) };
  }
}

function trueValue({ turn, board }: Node): number {
  return turn === "slider" ? ORACLE.position(board) : ORACLE.afterstate(board);
}

/** Plays a line by the rules; returns its points and its last board. */
function play(node: Node, line: Analysis["line"]): { score: number; board: Board } {
  let { board, turn } = node;
  let score = 0;
  for (const move of line?.moves ?? []) {
    if ("direction" in move) {
      expect(turn).toBe("slider");
      const slid = slide(board, move.direction);
      if (slid === undefined) throw new Error(`illegal: ${move.name} on ${formatBoard(board)}`);
      score += slid.score;
      board = slid.board;
    } else {
      expect(turn).toBe("placer");
      expect(board.cells[move.cell]).toBe(0);
      board = place(board, move.cell, move.tile).board;
    }
    turn = opponent(turn);
  }
  expect(turn).toBe("slider");
  return { score, board };
}

describe("an analysis", () => {
  it("finds the value, each move's value and a line of best play, in the board's orientation", () => {
    const analyst = new Analyst(GAME, freshDatabase().bounds(GAME), kernelFor());
    for (const node of nodes()) {
      const text = formatBoard(node.board, node.turn);
      const { bound, moves, line } = analyst.analyse(node, 10);
      const value = trueValue(node);
      expect(bound, text).toEqual({ lo: value, hi: value });
      for (const { move, score, to, bound: after } of moves) {
        const child: Node =
          "direction" in move
            ? { board: slide(node.board, move.direction)?.board as Board, turn: "placer" }
            : { board: place(node.board, move.cell, move.tile).board, turn: "slider" };
        expect(to, `${text}: ${move.name}`).toEqual(child);
        expect(after.lo, `${text}: ${move.name}`).toBe(trueValue(child));
        expect(after.hi).toBe(after.lo);
        if ("direction" in move) expect(slide(node.board, move.direction)?.score).toBe(score);
        else expect(score).toBe(0);
      }
      const played = play(node, line);
      expect(played.score, text).toBe(value);
      expect(isEnd(played.board), text).toBe(true);
      expect(line?.end, text).toEqual(played.board);
    }
  });

  it("that has had enough time ends once the verdicts on all moves are known", () => {
    const analyst = new Analyst(GAME, freshDatabase().bounds(GAME), kernelFor());
    let open = 0;
    let withoutLine = 0;
    for (const node of nodes()) {
      const text = formatBoard(node.board, node.turn);
      const { bound, moves, line } = analyst.analyse(node, 10, undefined, 0);
      const value = trueValue(node);
      expect(bound, text).toEqual({ lo: value, hi: value });
      if (line === undefined) withoutLine++;
      else expect(play(node, line).score, text).toBe(value);
      expect(verdictsOn(node.turn, bound, moves), text).not.toContainEqual({ verdict: "open" });
      for (const { to, bound: after } of moves) {
        expect(after.lo, text).toBeLessThanOrEqual(trueValue(to));
        expect(after.hi, text).toBeGreaterThanOrEqual(trueValue(to));
        if (after.lo < after.hi) open++;
      }
    }
    expect(open).toBeGreaterThan(0);
    expect(withoutLine).toBeGreaterThan(0);
  });

  it.each(["0 0 0/0 0 4 placer", "0 2 0/0 2 0 placer"])(
    "asks no more than boards may be worth after the rules alone have bounded %s",
    (text) => {
      const kernel = kernelFor();
      const ask = vi.spyOn(kernel, "ask");
      const analyst = new Analyst(GAME, freshDatabase().bounds(GAME), kernel);
      const node = parseBoard(text);
      // What placing 4s costs is taken off the upper bound, which is still far above the value.
      const { hi } = analyst.analyse(node, 0).bound;
      expect(hi).toBeLessThan(mostPointsToCome(node.board));
      expect(hi).toBeGreaterThan(20 * trueValue(node));
      expect(analyst.analyse(node, 10).bound.lo).toBe(trueValue(node));
      expect(ask).toHaveBeenCalled();
      for (const [, threshold] of ask.mock.calls) {
        expect(threshold).toBeLessThan(2 * trueValue(node));
      }
    },
  );

  it("that was stored is repeated without a search", () => {
    const database = freshDatabase();
    const searching = new Analyst(GAME, database.bounds(GAME), kernelFor());
    const first = [...nodes()].map((node) => searching.analyse(node, 10));
    database.bounds(GAME).merge(searching.drainFresh());
    const reading = new Analyst(GAME, database.bounds(GAME), undefined);
    // About a hundred boards are enough look-ups for all bounds to be loaded on the way.
    for (const { board, turn, bound, moves } of first) {
      const again = reading.analyse({ board, turn }, 0);
      expect(again.bound).toEqual(bound);
      expect(again.moves).toEqual(moves);
      expect(play({ board, turn }, again.line).score).toBe(bound.lo);
    }
  });

  it("takes another way if a stored value has no stored line", () => {
    const database = freshDatabase();
    const board = { rows: 2, cols: 3, cells: [2, 0, 4, 0, 0, 0] };
    const searching = new Analyst(GAME, database.bounds(GAME), kernelFor());
    const { line } = searching.analyse({ board, turn: "slider" }, 10);
    database.bounds(GAME).merge(searching.drainFresh());
    // Stores values of half of all boards, which lead to boards without stored bounds.
    const half = [...ORACLE.nodes()].filter(({ value }) => value % 8 === 0);
    database.bounds(GAME).merge(half.map((node) => ({ ...node, lo: node.value, hi: node.value })));
    const reading = new Analyst(GAME, database.bounds(GAME), undefined);
    const again = reading.bestLine({ board, turn: "slider" }, 0);
    expect(play({ board, turn: "slider" }, again).score).toBe(
      play({ board, turn: "slider" }, line).score,
    );
  });

  it("without time returns an interval that contains the value, and no line", () => {
    const analyst = new Analyst(GAME, freshDatabase().bounds(GAME), kernelFor());
    for (const node of nodes()) {
      const value = trueValue(node);
      const { bound, moves, line } = analyst.analyse(node, 0);
      expect(bound.lo).toBeLessThanOrEqual(value);
      expect(bound.hi).toBeGreaterThanOrEqual(value);
      if (bound.lo < bound.hi) expect(line).toBeUndefined();
      if (moves.length === 0 && node.turn === "slider") expect(bound).toEqual({ lo: 0, hi: 0 });
    }
  });

  it("without time gives up a line soon, however many boards have bounds", () => {
    const game = gameOf("3x3", [2]);
    let lookUps = 0;
    // Every move keeps this value, so all ways must be tried; and all end where nothing is known,
    // before the game can end.
    const get = ({ board: packed }: PackedNode) => {
      lookUps++;
      const board = unpackBoard(game.shape, packed);
      const value = mostPointsToCome(board);
      return tileSum(board) > 22 ? undefined : { lo: value, hi: value };
    };
    const analyst = new Analyst(game, { ...NOTHING_STORED, get }, undefined);
    const board = { rows: 3, cols: 3, cells: [2, 2, 0, 0, 0, 0, 0, 0, 0] };
    expect(analyst.bestLine({ board, turn: "slider" }, 0)).toBeUndefined();
    expect(lookUps).toBeGreaterThan(100);
    expect(lookUps).toBeLessThan(1500); // all ways would take 3,798
  });

  it("fails if the database contradicts the search", () => {
    const database = freshDatabase();
    const board = canonical({ rows: 2, cols: 3, cells: [2, 2, 0, 0, 0, 0] });
    database.bounds(GAME).merge([{ turn: "slider", board: packBoard(board), lo: 48, hi: 60 }]);
    const analyst = new Analyst(GAME, database.bounds(GAME), kernelFor());
    expect(() => analyst.analyse({ board, turn: "slider" }, 10)).toThrow(
      /contradictory bounds of 2 2 0\/0 0 0 \(at least 48 and at most 44\): .* solve again with --fresh/,
    );
  });
});
