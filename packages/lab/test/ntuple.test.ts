import { type Board, cellCount, formatShape, type Shape, slides } from "@gridlock/game";
import { Network } from "@gridlock/players";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { END, LearningBoard } from "../src/training/learning-board.js";
import { learnFromGame } from "../src/training/training.js";
import { boardOf, fill, randomNetwork, SHAPES, someCells } from "./ntuple-boards.js";

const FOUR: Shape = { rows: 4, cols: 4 };

describe("the tuples of a shape", () => {
  it("are the 17 of the paper on 4×4", () => {
    const tuples = new Network(FOUR).tuples;
    expect(tuples).toHaveLength(17);
    expect(tuples.slice(0, 9)).toEqual([
      ...[0, 4, 8, 12].map((first) => [first, first + 1, first + 2, first + 3]),
      ...[0, 1, 2, 3].map((first) => [first, first + 4, first + 8, first + 12]),
      [0, 1, 4, 5],
    ]);
    expect(tuples.at(-1)).toEqual([10, 11, 14, 15]);
    expect(new Network(FOUR).weights).toHaveLength(17 * 65_536);
  });

  it.each([
    ["1x2", 1, [[0, 1]]],
    [
      "2x2",
      5,
      [
        [0, 1],
        [2, 3],
        [0, 2],
        [1, 3],
        [0, 1, 2, 3],
      ],
    ],
    ["3x3", 10, [[0, 1, 2]]],
    [
      "2x5",
      13,
      [
        [0, 1, 2, 3],
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ],
    ],
    [
      "1x6",
      3,
      [
        [0, 1, 2, 3],
        [1, 2, 3, 4],
        [2, 3, 4, 5],
      ],
    ],
  ])("on %s are its lines, or parts of them, and its squares", (name, count, first) => {
    const [rows, cols] = name.split("x").map(Number) as [number, number];
    const tuples = new Network({ rows, cols }).tuples;
    expect(tuples).toHaveLength(count);
    expect(tuples.slice(0, first.length)).toEqual(first);
  });
});

describe("a learning board", () => {
  /** The estimate of an afterstate, from the tuples alone. */
  const estimate = ({ tuples, weights }: Network, board: Board) => {
    let table = 0;
    let sum = 0;
    for (const tuple of tuples) {
      const exponents = tuple.map((cell) => Math.log2(board.cells[cell] || 1));
      const index = exponents.reduce((index, exponent, i) => index + exponent * 16 ** i, 0);
      sum += weights[table + index] as number;
      table += 16 ** tuple.length;
    }
    return sum;
  };

  /** Compares what a board finds in a position, and in the afterstate of that, with the rules. */
  const expectRules = (network: Network, board: LearningBoard, cells: readonly number[]) => {
    fill(board, cells);
    let position = boardOf(network.shape, cells);
    for (let move = 0; move < 2; move++) {
      expect(board.countEmpty()).toBe(position.cells.filter((tile) => tile === 0).length);
      expect(2 ** board.largest()).toBe(Math.max(1, ...position.cells));
      const all = slides(position).map((slide) => ({
        ...slide,
        worth: slide.score + estimate(network, slide.board),
      }));
      const [best] = all.sort((a, b) => b.worth - a.worth);
      expect(board.lookAhead()).toBe(best?.worth ?? END);
      if (best === undefined) return;
      expect(board.points).toBe(best.score);
      board.slide();
      position = best.board;
    }
  };

  it.each(SHAPES.map((shape) => [formatShape(shape), shape] as const))(
    "of %s slides by the rules, to the best afterstate",
    (_, shape) => {
      const network = randomNetwork(shape, cellCount(shape));
      const board = new LearningBoard(network, false);
      fc.assert(
        fc.property(someCells(shape), (cells) => expectRules(network, board, cells)),
        { numRuns: 200 },
      );
    },
  );

  it("of 4×4 by tables slides by the rules, to the best afterstate", () => {
    const network = randomNetwork(FOUR, 4);
    const board = new LearningBoard(network);
    fc.assert(
      fc.property(someCells(FOUR), (cells) => expectRules(network, board, cells)),
      { numRuns: 2000 },
    );
  });

  it("of 4×4 by tables never makes a tile too large for four bits", () => {
    const board = new LearningBoard(new Network(FOUR));
    fill(board, [15, 15, 1, 1, ...new Array(12).fill(0)]);
    expect(board.lookAhead()).toBe(0); // down; left and right move nothing
    fill(board, [15, 15, 0, 0, 1, 1, ...new Array(10).fill(0)]);
    expect(board.lookAhead()).toBe(4);
    board.slide();
    expect(board.largest()).toBe(15);
    expect(board.countEmpty()).toBe(13);
  });
});

describe("learning", () => {
  it("moves each weight by the rate times the error, on a board worked by hand", () => {
    const network = new Network({ rows: 2, cols: 2 });
    const afterstate = Uint8Array.of(1, 0, 0, 2); // 2 0/0 4
    const active = new Int32Array(network.tuples.length);
    network.look(afterstate, active);
    // Rows 2 0 and 0 4, columns 2 0 and 0 4, and the square.
    expect([...active]).toEqual([0x01, 256 + 0x20, 512 + 0x01, 768 + 0x20, 1024 + 0x2001]);
    network.learn(active, 100, 0.1);
    const moved = [...network.weights.keys()].filter((i) => network.weights[i] !== 0);
    expect(moved).toEqual([...active]);
    expect(moved.map((i) => network.weights[i])).toEqual([10, 10, 10, 10, 10]);
    expect(network.value(afterstate)).toBe(50);
    network.learn(active, 100, 0.1);
    expect(network.value(afterstate)).toBe(75);
    // The first row and the first column are those of the other board, the rest is not.
    expect(network.value(Uint8Array.of(1, 0, 0, 3))).toBe(30);
  });

  it("counts tiles too large for four bits as the largest that fits", () => {
    const network = randomNetwork(FOUR, 1);
    const values = [14, 15, 16, 17].map((exponent) =>
      network.value(Uint8Array.of(exponent, ...new Array(14).fill(1), exponent)),
    );
    expect(values[1]).not.toBe(values[0]);
    expect(values.slice(2)).toEqual([values[1], values[1]]);
  });

  it("learns toward the next slide's points and estimate, and toward 0 at the end", () => {
    const network = new Network({ rows: 1, cols: 2 });
    const draws = [0.05, 0.55, 0.05, 0.55]; // 2 in cell 1, 2 in the other; 4; 2
    const play = () => {
      const left = [...draws];
      return learnFromGame(new LearningBoard(network, false), () => left.shift() as number, 0.5);
    };
    // 2 2 → 4 0 (4 points), 4 4 → 8 0 (8 points), 8 2: over.
    expect(play()).toEqual({ score: 12, moves: 2, largestTile: 8 });
    expect(network.weights[0x02]).toBe(4); // half of 8 + 0
    expect(network.weights[0x03]).toBe(0);
    network.weights[0x03] = 6;
    play();
    expect(network.weights[0x02]).toBe(9); // halfway from 4 to 8 + 6
    expect(network.weights[0x03]).toBe(3); // halfway from 6 to 0
  });
});
