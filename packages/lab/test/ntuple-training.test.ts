import { createHash } from "node:crypto";
import { DIRECTIONS, type Direction, parseShape, type Shape, seededRandom } from "@gridlock/game";
import { Training } from "@gridlock/lab";
import { CellRules, type Cells, ILLEGAL, isEnd, Network, ntuplePlayer } from "@gridlock/players";
import { describe, expect, it } from "vitest";

const THREE: Shape = { rows: 3, cols: 3 };
const FOUR: Shape = { rows: 4, cols: 4 };

function trained(shape: Shape, games: number, seed: number, rate = 0.0025): Training {
  const training = new Training({ network: new Network(shape), seed, rate, games: 0 });
  while (training.games < games) training.playGame();
  return training;
}

describe("training", () => {
  it.each([
    ["3x3", "eef8115c42297451"],
    ["4x4", "e805d9b504597dba"],
  ])("of %s makes the weights of the repository, to the bit: the first games", (shape, digest) => {
    const { network } = trained(parseShape(shape), shape === "3x3" ? 500 : 50, 1);
    expect(createHash("sha256").update(bytesOf(network)).digest("hex").slice(0, 16)).toBe(digest);
  });

  it("leads to the same weights from the same seed, and to others from another", () => {
    for (const shape of [THREE, FOUR]) {
      const once = bytesOf(trained(shape, 20, 5).network);
      expect(bytesOf(trained(shape, 20, 5).network).equals(once)).toBe(true);
      expect(bytesOf(trained(shape, 20, 6).network).equals(once)).toBe(false);
    }
  });

  it("does not depend on when it was interrupted", async () => {
    const once = trained(THREE, 300, 5);
    const { network } = trained(THREE, 100, 5);
    const resumed = new Training({ network, seed: 5, rate: 0.0025, games: 100 });
    const stop = new AbortController();
    await resumed.run(300, stop.signal, () => {
      if (resumed.games === 200) stop.abort();
    });
    expect(resumed.games).toBeGreaterThanOrEqual(200);
    await resumed.run(300, new AbortController().signal, () => {});
    expect(resumed.games).toBe(300);
    expect(bytesOf(network).equals(bytesOf(once.network))).toBe(true);
  });

  it("makes a player that scores several times as much as random slides", () => {
    const player = ntuplePlayer("ntuple", trained(THREE, 4000, 1, 0.02).network);
    const learned = meanScore(THREE, (cells) => player.choose(cells)[0]?.direction as Direction);
    const random = seededRandom(2);
    const cellRules = new CellRules(THREE);
    const to = new Uint8Array(cellRules.size);
    const blind = meanScore(THREE, (cells) => {
      const legal = DIRECTIONS.filter(
        (direction) => cellRules.slide(cells, direction, to) !== ILLEGAL,
      );
      return legal[Math.floor(legal.length * random())] as Direction;
    });
    expect(blind).toBeGreaterThan(100);
    expect(learned).toBeGreaterThan(4 * blind);
  });
});

describe("the player", () => {
  it("chooses one slide, the first of equals", () => {
    const player = ntuplePlayer("ntuple", new Network(THREE));
    const cells = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0);
    expect(player.choose(cells)).toEqual([{ direction: "up", probability: 1 }]);
    expect(player.choose(Uint8Array.of(2, 3, 4, 3, 1, 1, 0, 0, 0))).toEqual([
      { direction: "left", probability: 1 },
    ]);
    expect(player.isSymmetric).toBe(false);
  });

  it("refuses a position without a legal slide", () => {
    const player = ntuplePlayer("ntuple", new Network({ rows: 1, cols: 2 }));
    expect(() => player.choose(Uint8Array.of(1, 2))).toThrow("no slide is legal");
  });
});

function bytesOf({ weights }: Network): Buffer {
  return Buffer.from(weights.buffer);
}

/** The mean score of 300 games that the same random numbers decide. */
function meanScore(shape: Shape, choose: (cells: Cells) => Direction): number {
  const cellRules = new CellRules(shape);
  const random = seededRandom(77);
  let sum = 0;
  for (let game = 0; game < 300; game++) {
    let cells: Cells = new Uint8Array(cellRules.size);
    let after: Cells = new Uint8Array(cellRules.size);
    for (let tiles = 0; tiles < 2; tiles++) place(cells, random);
    while (!isEnd(cells, cellRules)) {
      sum += cellRules.slide(cells, choose(cells), after);
      [cells, after] = [after, cells];
      place(cells, random);
    }
  }
  return sum / 300;
}

function place(cells: Cells, random: () => number): void {
  const empty = [...cells.keys()].filter((cell) => cells[cell] === 0);
  cells[empty[Math.floor(empty.length * random())] as number] = random() < 0.1 ? 2 : 1;
}
