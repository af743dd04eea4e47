import { type Shape, seededRandom } from "@gridlock/game";
import { Training } from "@gridlock/lab";
import { Network } from "@gridlock/players";
import { describe, expect, it } from "vitest";

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
    const network = new Network(FOUR);
    const random = seededRandom(1);
    network.weights.forEach((_, i) => {
      network.weights[i] = random();
    });
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
      const training = new Training({ network, seed: 1, rate: 0.5, games: 0 });
      return training.playGame(() => left.shift() as number);
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
