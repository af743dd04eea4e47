import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseBoard } from "@gridlock/game";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { cellsOf } from "./boards.js";
import { makePlayer } from "./made.js";

const BOARD = "2 2 4/0 0 0";

/** Loads a player from a module with this content. */
function load(content: string) {
  const path = join(temporaryFolder(), "player.js");
  writeFileSync(path, content);
  return makePlayer(path, { shape: parseBoard(BOARD).board });
}

describe("a player from outside", () => {
  it("sees the rows and the legal slides", async () => {
    const player = await load(`export default (position) => {
      if (JSON.stringify(position) !== '${JSON.stringify({
        rows: [
          [2, 2, 4],
          [0, 0, 0],
        ],
        slides: [
          {
            direction: "left",
            rows: [
              [4, 4, 0],
              [0, 0, 0],
            ],
            score: 4,
          },
          {
            direction: "down",
            rows: [
              [0, 0, 0],
              [2, 2, 4],
            ],
            score: 0,
          },
          {
            direction: "right",
            rows: [
              [0, 4, 4],
              [0, 0, 0],
            ],
            score: 4,
          },
        ],
      })}') throw new Error(JSON.stringify(position));
      return "down";
    }`);
    expect(player.isSymmetric).toBe(false);
    expect(player.choose(cellsOf(BOARD))).toEqual([{ direction: "down", probability: 1 }]);
  });

  it("may choose at random, and say that it is symmetric", async () => {
    const player = await load(
      `export default () => ({ left: 0.25, up: 0, down: 0.75 }); export const isSymmetric = true;`,
    );
    expect(player.isSymmetric).toBe(true);
    expect(player.choose(cellsOf(BOARD))).toEqual([
      { direction: "left", probability: 0.25 },
      { direction: "down", probability: 0.75 },
    ]);
  });

  it.each([
    [`() => "up"`, "'up'"],
    [`() => "sideways"`, "'sideways'"],
    [`() => undefined`, "undefined"],
    [`() => 3`, "3"],
    [`async () => "left"`, "a promise"],
    [`() => ({ left: 0.5 })`, "{ left: 0.5 }"],
    [`() => ({ left: 2, right: -1 })`, "{ left: 2, right: -1 }"],
    [`() => ({ left: 0.5, up: 0.5 })`, "{ left: 0.5, up: 0.5 }"],
    [`() => ({})`, "{}"],
    [`() => Symbol("up")`, "Symbol(up)"],
    [`() => "x".repeat(1000)`, `'${"x".repeat(99)}`],
  ])(
    "that returns nonsense, %s, ends with an error that names it and the position",
    async (choose, answer) => {
      const player = await load(`export default ${choose}`);
      expect(() => player.choose(cellsOf(BOARD))).toThrow(
        `player.js returned ${answer} in the position ${BOARD}; expected one of left, down, right, or an object of their probabilities`,
      );
    },
  );

  it("that throws ends with an error that names it and the position", async () => {
    const player = await load(`export default () => { throw new Error("no idea"); }`);
    expect(() => player.choose(cellsOf(BOARD))).toThrow(
      /player\.js threw an error in the position 2 2 4\/0 0 0: no idea$/,
    );
  });

  it.each([
    ["export default 3", /has no default export that is a function/],
    ["export const choose = () => 1", /has no default export/],
    ["export default (", /cannot be loaded/],
    ["throw new Error('not today')", /cannot be loaded: not today/],
  ])("that is %j cannot be loaded", async (content, message) => {
    await expect(load(content)).rejects.toThrow(message);
  });

  it("that is missing is reported by its file alone", async () => {
    const file = resolve("none.js");
    const { board: shape } = parseBoard(BOARD);
    const error = await makePlayer("./none.js", { shape }).catch(String);
    expect(error).toBe(`PlayerError: there is no player ./none.js: no file ${file}`);
  });
});
