import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Board,
  canonical,
  type Game,
  type PackedBoard,
  packBoard,
  placements,
  slides,
  starts,
} from "@gridlock/game";
import {
  type Assessment,
  assess,
  Grid,
  makePlayer,
  makeStrategies,
  PLAYER_KINDS,
  type Player,
  type StartScore,
} from "@gridlock/players";
import { temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { remembering } from "../src/remember.js";
import { gameOf, imagesOf } from "./plain.js";
import { tabulated } from "./tabulated.js";

/** The scores to which players are held, and with their ties against them. */
interface Held {
  readonly heldTo: Float64Array;
  readonly worstTie: Float64Array;
}

/** The scores to which players are held, all at once: a plain recursion over the rules of `game`. */
class PlainMinima {
  readonly #players: readonly Player[];
  readonly #game: Game;
  readonly #grid: Grid;
  readonly #formOf: (board: Board) => Board;
  readonly #positions = new Map<PackedBoard, Held>();
  readonly #afterstates = new Map<PackedBoard, Held>();

  /** @param players all of them symmetric, or looked at image by image */
  constructor(players: readonly Player[], game: Game) {
    this.#players = players;
    this.#game = game;
    this.#grid = new Grid(game.shape);
    const areSymmetric = players.every(({ isSymmetric }) => isSymmetric);
    this.#formOf = areSymmetric ? canonical : (board) => board;
  }

  position(board: Board): Held {
    const form = this.#formOf(board);
    const key = packBoard(form);
    let held = this.#positions.get(key);
    if (held === undefined) {
      held = this.#position(form);
      this.#positions.set(key, held);
    }
    return held;
  }

  #position(board: Board): Held {
    const held = this.#filledWith(0);
    const moves = slides(board);
    if (moves.length === 0) return held;
    held.worstTie.fill(Number.POSITIVE_INFINITY);
    const cells = this.#grid.cells(board);
    for (const [i, player] of this.#players.entries()) {
      for (const { direction, probability } of player.choose(cells)) {
        const move = moves.find((one) => one.direction === direction);
        if (move === undefined) throw new Error(`${player.name} chose an illegal slide`);
        const then = this.#afterstate(move.board);
        held.heldTo[i] = at(held.heldTo, i) + probability * (move.score + at(then.heldTo, i));
        held.worstTie[i] = Math.min(at(held.worstTie, i), move.score + at(then.worstTie, i));
      }
    }
    return held;
  }

  #afterstate(board: Board): Held {
    const form = this.#formOf(board);
    const key = packBoard(form);
    let held = this.#afterstates.get(key);
    if (held === undefined) {
      held = this.#filledWith(Number.POSITIVE_INFINITY);
      for (const { board: next } of placements(form, this.#game.tiles)) {
        const then = this.position(next);
        for (const i of this.#players.keys()) {
          held.heldTo[i] = Math.min(at(held.heldTo, i), at(then.heldTo, i));
          held.worstTie[i] = Math.min(at(held.worstTie, i), at(then.worstTie, i));
        }
      }
      this.#afterstates.set(key, held);
    }
    return held;
  }

  #filledWith(score: number): Held {
    const scores = () => new Float64Array(this.#players.length).fill(score);
    return { heldTo: scores(), worstTie: scores() };
  }
}

const at = (scores: Float64Array, i: number) => scores[i] as number;

function expectPlain(found: readonly Assessment[], players: readonly Player[], game: Game): void {
  const plain = new PlainMinima(players, game);
  for (const [n, start] of starts(game.shape).entries()) {
    const all = imagesOf(start, game).map((image) => plain.position(image));
    players.forEach(({ name }, i) => {
      const { heldTo, heldToWorstTie } = (found[i] as Assessment).starts[n] as StartScore;
      const least = Math.min(...all.map((held) => at(held.heldTo, i)));
      expect(heldTo, name).toBeCloseTo(least, 9);
      expect(heldToWorstTie, name).toBe(Math.min(...all.map((held) => at(held.worstTie, i))));
    });
  }
}

let db: string;
let outside: string;

beforeAll(async () => {
  db = await tabulated(["2x2", "2x3"]);
  outside = join(temporaryFolder(afterAll), "mine.mjs");
  writeFileSync(
    outside,
    `export default ({ slides }) => slides.length > 2
      ? { [slides[0].direction]: 0.25, [slides[2].direction]: 0.75 }
      : slides.at(-1).direction;`,
  );
});

/** `estimate` considers each of the 42,800 positions of 2×3 for a millisecond. */
const PATIENCE_MS = 10 * 60_000;

/** All names but those of the strategies and of players made from files, each also with some depths. */
const NAMES = PLAYER_KINDS.filter(({ names, file }) => names.length < 65 && file === undefined)
  .flatMap(({ names }) => names)
  .concat("gradient:1", "zaky-minimax:8", "zaky-expectimax:3");

describe.each(["2x2", "2x3"])(
  "what a placer holds players to on %s is a plain minimum",
  (shape) => {
    const game = gameOf(shape);

    it("for all strategies", async () => {
      const strategies = makeStrategies(game.shape);
      expect(strategies).toHaveLength(65);
      expectPlain(await assess(strategies, game), strategies, game);
    });

    it.each(NAMES)(
      "for %s",
      async (name) => {
        const player = remembering(await makePlayer(name, { shape: game.shape, db }), game.shape);
        expectPlain(await assess([player], game), [player], game);
      },
      PATIENCE_MS,
    );

    it("for a player from outside", async () => {
      const player = await makePlayer(outside, { shape: game.shape, db });
      expectPlain(await assess([player], game), [player], game);
    });
  },
);

it("names every player of 002 to 004 and the reference players", () => {
  expect(NAMES).toEqual(
    expect.arrayContaining([
      ...["estimate", "gradient", "zaky-minimax", "zaky-expectimax"],
      ...["random", "greedy", "perfect", "perfect-ordinary"],
    ]),
  );
});
