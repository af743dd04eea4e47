import { parseBoard } from "@gridlock/game";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterMove, alongLine, expectedAnswer, narrowedBy } from "../src/logic/ahead.js";
import { gradeMoves } from "../src/logic/grade.js";
import { followLine } from "../src/logic/moves.js";
import { answerFor, anyBoard } from "./boards.js";

describe("what is known ahead of an answer", () => {
  it("lists all moves of a board, and says nothing of their values", () => {
    const turns = fc.constantFrom("slider" as const, "placer" as const);
    fc.assert(
      fc.property(anyBoard, turns, (board, turn) => {
        const node = { board, turn };
        const expected = gradeMoves(node, expectedAnswer({ node, tiles: [2, 4] }, undefined));
        const answered = gradeMoves(
          node,
          answerFor(node, () => [4, 4]),
        );
        const names = (moves: typeof expected) => moves.map(({ step }) => step.name).sort();
        expect(names(expected)).toEqual(names(answered));
        expect(expected.every(({ verdict }) => verdict === "open")).toBe(true);
      }),
    );
  });

  it("is the move's bounds, and the rest of the line of best play if the move begins it", () => {
    const node = parseBoard("2 0/0 4");
    const answer = { ...answerFor(node, () => [8, 8]), line: ["left", "2@1,2"], end: "2 2/4 0" };
    const moves = gradeMoves(node, answer);
    const ahead = (name: string) => {
      const move = moves.find(({ step }) => step.name === name);
      if (move === undefined) throw new Error(`${name} is no move`);
      return afterMove(answer, move);
    };
    expect(ahead("left")).toEqual({ lo: 8, hi: 8, line: ["2@1,2"] });
    expect(ahead("up")).toEqual({ lo: 8, hi: 8, line: [] });
  });

  it("is, on a line of best play, what its moves leave of the value", () => {
    const node = parseBoard("2 2/4 0");
    const answer = {
      ...answerFor(node, () => [8, 8]),
      line: ["left", "2@1,2", "up"],
      end: "4 2/4 0",
    };
    expect(answer.value).toBe(12);
    const steps = followLine(node, answer.line);
    expect(alongLine(answer, steps.slice(0, 1))).toMatchObject({
      lo: 8,
      hi: 8,
      line: ["2@1,2", "up"],
    });
    expect(alongLine({ ...answer, lo: 8, value: null }, steps.slice(0, 1))).toBeUndefined();
  });

  it("narrows the bounds of an answer that knows less", () => {
    const answer = answerFor(parseBoard("2 0/0 4"), () => [4, 96]);
    expect(narrowedBy(answer, { lo: 8, hi: 8 })).toMatchObject({ lo: 8, hi: 8, value: 8 });
    expect(narrowedBy(answer, { lo: 0, hi: 12 })).toMatchObject({ lo: 4, hi: 12, value: null });
    expect(narrowedBy(answer, undefined)).toBe(answer);
  });
});
