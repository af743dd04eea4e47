import {
  applySymmetry,
  type Board,
  isEnd,
  type Node,
  place,
  SYMMETRIES,
  slide,
  unpackBoard,
} from "@gridlock/game";
import { Oracle } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import type { Answer } from "../src/index.js";
import { freshFile, openLibrary, query, tabulateBeside } from "./setup.js";

const GAME = { shape: { rows: 2, cols: 3 }, tiles: [2, 4] } as const;
/** Expected scores are stored as multiples of 1/65,536. */
const ROUNDING = 1e-4;
/** Every how many nodes one is checked: the game has 36,635. */
const STEP = 11;

/** Plays an answer's line by the rules; returns the points earned and the board at its end. */
function play({ board, turn, line }: Answer): { earned: number; end: Board } {
  let [at, mover, earned] = [board, turn, 0];
  for (const move of line?.moves ?? []) {
    if ("direction" in move) {
      const slid = slide(at, move.direction);
      if (mover !== "slider" || !slid) throw new Error(`illegal slide ${move.name}`);
      earned += slid.score;
      at = slid.board;
    } else {
      if (mover !== "placer" || at.cells[move.cell] !== 0) throw new Error(`illegal ${move.name}`);
      at = place(at, move.cell, move.tile).board;
    }
    mover = mover === "slider" ? "placer" : "slider";
  }
  return { earned, end: at };
}

/** Returns the score to be expected that follows from those of an answer's moves. */
function expectedOf({ turn, moves }: Answer): number {
  if (moves.length === 0) return 0;
  if (turn === "slider") {
    return Math.max(...moves.map(({ score, expected }) => score + (expected as number)));
  }
  return moves.reduce((sum, { move, expected }) => {
    const chance = "tile" in move && move.tile === 4 ? 0.1 : 0.9;
    return sum + (chance / (moves.length / 2)) * (expected as number);
  }, 0);
}

describe("the answer of a tabulated game", () => {
  it("follows the rules on boards of 2x3, in all orientations", async () => {
    const db = freshFile();
    await tabulateBeside(db, "2 2 0/0 0 0");
    const library = openLibrary(db, { tableBytes: () => undefined });
    const oracle = new Oracle(GAME).valueAll();
    const worthOf = ({ board, turn }: Node) =>
      turn === "slider" ? oracle.position(board) : oracle.afterstate(board);
    const nodes = [
      ...[...oracle.positions.keys()].map((board) => ({ board, turn: "slider" as const })),
      ...[...oracle.afterstates.keys()].map((board) => ({ board, turn: "placer" as const })),
    ].filter((_, i) => i % STEP === 0);
    nodes.forEach(({ board: packed, turn }, i) => {
      const symmetry = SYMMETRIES[i % SYMMETRIES.length] as (typeof SYMMETRIES)[number];
      const board = applySymmetry(unpackBoard(GAME.shape, packed), symmetry);
      const answer = library.lookUp({ ...query("2 2 0/0 0 0"), board, turn }) as Answer;
      const { bound, moves, line } = answer;
      expect(bound).toEqual({ lo: worthOf({ board, turn }), hi: worthOf({ board, turn }) });
      for (const { to, bound: after } of moves) {
        expect(after).toEqual({ lo: worthOf(to), hi: worthOf(to) });
      }
      expect(Math.abs((answer.expected as number) - expectedOf(answer))).toBeLessThan(ROUNDING);
      const { earned, end } = play(answer);
      expect([earned, isEnd(end), line?.end]).toEqual([bound.lo, true, end]);
    });
    expect(nodes.length).toBeGreaterThan(1000);
  });

  it("is that of a search where no play from a start leads", async () => {
    const db = freshFile();
    await tabulateBeside(db, "2 2 0/0 0 0");
    const library = openLibrary(db);
    const answer = library.answer(query("32 32 2/0 0 0"));
    expect(answer).toMatchObject({ tabulated: true, expected: undefined });
    expect(answer.bound.lo).toBe(new Oracle(GAME).position(query("32 32 2/0 0 0").board));
    expect(play(answer)).toEqual({ earned: answer.bound.lo, end: answer.line?.end });
  });
});
