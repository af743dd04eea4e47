import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonical, type Game } from "@gridlock/game";
import { assess } from "@gridlock/lab";
import { makeStrategies, PLAYER_KINDS, type Player, remembering } from "@gridlock/players";
import { temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePlayer } from "./made.js";
import { expectPlain, gameOf } from "./plain.js";
import { tabulated } from "./tabulated.js";

/** Checks what `assess` finds of players against plain recursion, over images only if need be. */
async function expectAssessedAsPlain(players: readonly Player[], game: Game): Promise<void> {
  const areSymmetric = players.every(({ isSymmetric }) => isSymmetric);
  expectPlain(await assess(players, game), players, game, areSymmetric ? canonical : undefined);
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

/** All names but those of strategies and of players made from files, also with some depths. */
const NAMES = PLAYER_KINDS.filter(({ names, file }) => names.length < 65 && file === undefined)
  .flatMap(({ names }) => names)
  .concat("gradient:1", "zaky-minimax:8", "zaky-expectimax:3");

describe.each(["2x2", "2x3"])("assess equals plain recursion on %s", (shape) => {
  const game = gameOf(shape);

  it("for all strategies", { tags: shape === "2x3" ? ["long"] : [] }, async () => {
    const strategies = makeStrategies(game.shape);
    expect(strategies).toHaveLength(65);
    await expectAssessedAsPlain(strategies, game);
  });

  // It takes seconds for the thousands of positions of 2×3, and is compared on 1×4 with all others.
  const names = shape === "2x3" ? NAMES.filter((name) => name !== "estimate") : NAMES;
  it.each(names)("for %s", async (name) => {
    // The recursion goes through all 42,800 positions of 2×3; with 2s only there are 9,000.
    const few = shape === "2x3" && !/^(greedy|perfect)/.test(name) ? gameOf(shape, [2]) : game;
    const player = remembering(await makePlayer(name, { ...few, db }), few.shape);
    await expectAssessedAsPlain([player], few);
  });

  it("for a player from outside", async () => {
    const player = await makePlayer(outside, { shape: game.shape, db });
    await expectAssessedAsPlain([player], game);
  });
});

it("covers every published player and the reference players", () => {
  expect(NAMES).toEqual(
    expect.arrayContaining([
      ...["estimate", "gradient", "zaky-minimax", "zaky-expectimax"],
      ...["random", "greedy", "perfect", "perfect-ordinary"],
    ]),
  );
});
