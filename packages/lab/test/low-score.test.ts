import { type Board, type Game, isEnd, starts } from "@gridlock/game";
import { findLowScore, type Score } from "@gridlock/lab";
import { CellRules, gameRandom, type Player, playGame } from "@gridlock/players";
import { describe, expect, it } from "vitest";
import { makePlacer, makePlayer } from "./made.js";
import { erratic, gameOf, imagesOf, PlainScores } from "./plain.js";

/** Returns the least score from any image of a start, ties against a player, by plain recursion. */
function leastScore(player: Player, game: Game): number {
  const plain = new PlainScores([player], game);
  const all = starts(game.shape).flatMap((start) => imagesOf(start, game));
  return Math.min(...all.map((board: Board) => (plain.position(board)[0] as Score).heldToWorstTie));
}

const setting = (game: Game) => ({ shape: game.shape });

describe("findLowScore", () => {
  it("finds the least score when it keeps all positions", async () => {
    for (const shape of ["2x2", "1x4", "2x3"]) {
      const game = gameOf(shape);
      const names = shape === "2x3" ? ["greedy"] : ["emr", "gradient:1", "zaky-minimax:2", "r"];
      const players = await Promise.all(names.map((name) => makePlayer(name, setting(game))));
      for (const player of [erratic(game.shape), ...players]) {
        const { score, end } = await findLowScore(player, game, { widths: [1e6] });
        expect(score, `${player.name} on ${shape}`).toBe(leastScore(player, game));
        expect(isEnd(end)).toBe(true);
      }
    }
  });

  it("finds a score to which the player can be held when it keeps few", async () => {
    const game = gameOf("2x3");
    for (const name of ["emr", "greedy", "gradient:2"]) {
      const player = await makePlayer(name, setting(game));
      const narrow = await findLowScore(player, game, { widths: [1] });
      expect(narrow.score).toBeGreaterThanOrEqual(leastScore(player, game));
      const both = await findLowScore(player, game, { widths: [1, 30] });
      expect(both.score).toBeLessThanOrEqual(narrow.score);
    }
  });

  it.each(["emr", "greedy", "gradient:1", "zaky-minimax:2", "zaky-expectimax:1", "random"])(
    "holds %s to less than any start of 3x3 is worth",
    async (name) => {
      const game = gameOf("3x3");
      const player = await makePlayer(name, setting(game));
      const { score } = await findLowScore(player, game, { widths: [30, 300] });
      expect(score).toBeLessThan(164);
    },
  );

  it("beats a placer that does not know the player, on 4x4", async () => {
    const game = gameOf("4x4");
    const player = await makePlayer("greedy", setting(game));
    const cellRules = new CellRules(game.shape);
    const { score, slides, end } = await findLowScore(player, game, { widths: [100] });
    // A tile for each slide and two at first, less one for each merge: the board is full after few
    // slides.
    expect(slides).toBeLessThan(25);
    expect(isEnd(end)).toBe(true);

    const placer = await makePlacer("evil:2", setting(game));
    const games = Array.from({ length: 5 }, (_, i) =>
      playGame(cellRules, player, placer, gameRandom(1, i)),
    );
    expect(score).toBeLessThan(Math.min(...games.map((one) => one.score)));
  });

  it("stops when its signal is aborted", async () => {
    const game = gameOf("4x4");
    const player = await makePlayer("emr", setting(game));
    const stop = new AbortController();
    const stopped = findLowScore(player, game, {
      widths: [100_000],
      signal: stop.signal,
      onProgress: (asked) => {
        if (asked > 1000) stop.abort();
      },
    });
    await expect(stopped).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  });
});
