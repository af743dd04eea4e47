import { isEnd, largestTileOn, mostPoints, tileSum } from "@gridlock/game";
import {
  CellRules,
  type GameResult,
  gameRandom,
  type Player,
  playGame,
  playMatch,
  randomPlacer,
  statisticsOf,
} from "@gridlock/players";
import { describe, expect, it } from "vitest";
import { remembering } from "../src/remember.js";
import { makePlayer } from "./made.js";

const match = {
  player: "er",
  placer: "random",
  shape: { rows: 3, cols: 3 },
  seed: 5,
  db: "none.db",
};
const withoutTime = (results: readonly GameResult[]) => results.map(({ seconds, ...rest }) => rest);

describe("playMatch", () => {
  it("plays the same games with any number of threads, and others with another seed", async () => {
    const one = withoutTime(await playMatch(match, { games: 100, workers: 1 }));
    expect(one).toHaveLength(100);
    expect(withoutTime(await playMatch(match, { games: 100, workers: 3 }))).toEqual(one);
    expect(withoutTime(await playMatch(match, { games: 10, workers: 2 }))).toEqual(
      one.slice(0, 10),
    );
    const other = await playMatch({ ...match, seed: 6 }, { games: 100, workers: 1 });
    expect(withoutTime(other)).not.toEqual(one);
  });

  it("reports how many games are done", async () => {
    const seen: number[] = [];
    await playMatch(match, { games: 70, workers: 2, onProgress: (done) => seen.push(done) });
    expect(seen.at(-1)).toBe(70);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it("stops when its signal is aborted, even during a game", async () => {
    const slow = { ...match, player: "emr", shape: { rows: 4, cols: 4 } };
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    const playing = playMatch(slow, { games: 10_000, workers: 2, signal: stop.signal, onProgress });
    await expect(playing).rejects.toThrow(stop.signal.reason);
    const late = playMatch(slow, { games: 10, workers: 1, signal: stop.signal });
    await expect(late).rejects.toThrow(stop.signal.reason);
  });

  it("passes on the error of a player", async () => {
    const bad = { ...match, player: "./no-such-player.js" };
    await expect(playMatch(bad, { games: 4, workers: 2 })).rejects.toThrow(
      /no file .*no-such-player\.js/,
    );
  });
});

describe("playGame", () => {
  it("scores as its last board implies, and ends when no slide is legal", async () => {
    const cellRules = new CellRules({ rows: 2, cols: 3 });
    const player = await makePlayer("random", { shape: cellRules.shape });
    for (let game = 0; game < 100; game++) {
      let last = new Uint8Array();
      const watching = {
        name: "watching",
        place(cells: Uint8Array, random: () => number) {
          randomPlacer.place(cells, random);
          last = cells.slice();
        },
      };
      const { score, moves, largest } = playGame(cellRules, player, watching, gameRandom(1, game));
      const board = cellRules.board(last);
      expect(isEnd(board)).toBe(true);
      expect(largest).toBe(largestTileOn(board));
      // All placed tiles, two at first and one after each slide, are 2s except the 4s, each of
      // which earned 4 points less.
      const fours = tileSum(board) / 2 - 2 - moves;
      const most = board.cells.reduce((sum, tile) => sum + mostPoints(tile), 0);
      expect(score).toBe(most - 4 * fours);
    }
  });
});

describe("remembering", () => {
  it("plays the same games, and asks for each position once", async () => {
    const shape = { rows: 2, cols: 3 };
    const player = await makePlayer("er", { shape });
    const asked = new Set<string>();
    const once = {
      ...player,
      isSymmetric: true,
      choose(cells: Uint8Array) {
        expect(asked).not.toContain(cells.join());
        asked.add(cells.join());
        return player.choose(cells);
      },
    };
    const remembered = remembering(once, shape);
    const cellRules = new CellRules(shape);
    const play = (by: Player) =>
      Array.from({ length: 50 }, (_, i) => playGame(cellRules, by, randomPlacer, gameRandom(2, i)));
    expect(withoutTime(play(remembered))).toEqual(withoutTime(play(player)));
    expect(asked.size).toBeGreaterThan(100);
  });
});

describe("statisticsOf", () => {
  it("reports mean, deviation, error, minimum, median, maximum and shares", () => {
    const game = (score: number, largest: number) => ({
      score,
      largest,
      moves: score / 4,
      seconds: 2,
    });
    expect(statisticsOf([game(4, 8), game(8, 8), game(12, 16), game(40, 16)])).toEqual({
      games: 4,
      mean: 16,
      deviation: Math.sqrt((144 + 64 + 16 + 576) / 3),
      error: Math.sqrt((144 + 64 + 16 + 576) / 3) / 2,
      min: 4,
      median: 10,
      max: 40,
      tiles: { 8: 0.5, 16: 0.5 },
      moves: 4,
      seconds: 2,
    });
  });

  it("has no deviation of a single game", () => {
    const { deviation, error, median } = statisticsOf([
      { score: 8, largest: 8, moves: 3, seconds: 0 },
    ]);
    expect([deviation, error, median]).toEqual([null, null, 8]);
  });
});

describe("gameRandom", () => {
  it("differs between seeds and between games", () => {
    const first = [gameRandom(1, 0), gameRandom(1, 1), gameRandom(2, 0), gameRandom(0, 1)].map(
      (next) => next(),
    );
    expect(new Set(first).size).toBe(4);
    expect(gameRandom(1, 1)()).toBe(first[1]);
  });
});
