import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const GAMES = ["play", "3x3", "--player", "emr", "--games", "60", "--seed", "4"];

describe("gridlock play", () => {
  it("reports the scores of games that repeat with any number of threads", async () => {
    const folder = temporaryFolder();
    const { seconds, ...one } = await json(folder, [...GAMES, "--json", "--workers", "1"]);
    expect(seconds).toBeGreaterThan(0);
    expect(one).toEqual({
      player: "emr",
      placer: "random",
      shape: "3x3",
      seed: 4,
      games: 60,
      mean: expect.any(Number),
      deviation: expect.any(Number),
      error: expect.closeTo(one.deviation / Math.sqrt(60), 9),
      min: expect.any(Number),
      median: expect.any(Number),
      max: expect.any(Number),
      tiles: expect.any(Object),
      moves: expect.any(Number),
    });
    expect(one.max).toBeGreaterThan(one.mean);
    expect(one.min).toBeLessThan(one.mean);
    const shares: number[] = Object.values(one.tiles);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    const two = await json(folder, [...GAMES, "--json", "--workers", "2"]);
    expect({ ...two, seconds }).toEqual({ ...one, seconds });
  });

  it("begins each game on a given board, with either player to move", async () => {
    const folder = temporaryFolder();
    const play = (start: string) =>
      json(folder, ["play", "2x2", "--player", "emr", "--start", start, "--json"]);
    // The last slide: two tiles of 2 merge, and nothing can move after any tile.
    expect(await play("16 8\n4 4")).toMatchObject({ start: "16 8/4 4", min: 8 });
    const { start, moves } = await play("- 4/2 8 placer");
    expect([start, moves > 0]).toEqual(["0 4/2 8 placer", true]);
    const args = ["play", "2x2", "--player", "emr", "--start", "2 0 0/0 4 0"];
    const refused = await gridlock(folder, args);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/a board of 2x3; expected one of 2x2/);
  });

  it("prints a table", async () => {
    const { code, stdout, stderr } = await gridlock(temporaryFolder(), GAMES);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^games +mean +standard error +deviation +min +median +max +moves a game/,
    );
    expect(stdout).toMatch(/\n\nlargest tile +games\n/);
  });

  it("plays with a player from outside", async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "mine.mjs"),
      "export default ({ slides }) => slides.at(-1).direction;",
    );
    const args = ["play", "2x2", "--player", "./mine.mjs", "--games", "5", "--json"];
    expect(await json(folder, args)).toMatchObject({ player: "./mine.mjs", games: 5 });
  });

  it("names a player from outside that breaks the rules, with the position", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.mjs"), `export default () => "left";`);
    const args = ["play", "2x2", "--player", "./mine.mjs", "--games", "50"];
    const { code, stdout, stderr } = await gridlock(folder, args);
    expect(stderr).toMatch(
      /error: the player \.\/mine\.mjs returned 'left' in the position \d+ \d+\/\d+ \d+; expected one of /,
    );
    expect(stdout).toBe("");
    expect(code).toBe(1);
  });

  it("stops cleanly when it is interrupted", async () => {
    const args = ["play", "4x4", "--player", "emr", "--games", "1000000"];
    const { code, stdout, stderr } = await gridlock(temporaryFolder(), args, { interrupt: true });
    expect(stderr).toContain("stopping");
    expect(stdout).toBe("");
    expect(code).toBe(130);
  });

  it.each([
    [["5x5", "--player", "emr"], /5x5 has 25 cells/],
    [["3x3"], /expected --player NAME \(see gridlock play --help\)/],
    [
      ["3x3", "--player", "em8"],
      /there is no player "em8"; expected letters of e, m, u and g .*, or the path of a module/,
    ],
    [
      ["3x3", "--player", "greedy:4"],
      /"4" in "greedy:4" is not a variant of the player greedy; it has no variants/,
    ],
    [["3x3", "--player", "./none.js"], /there is no player \.\/none\.js: no file .*none\.js/],
    [["3x3", "--player", "emr", "--placer", "kind"], /no placer "kind"; expected random/],
    [["3x3", "--player", "emr", "--games", "0"], /expected a whole number from 1/],
    [["3x3", "--player", "emr", "--seed", "-1"], /expected a whole number/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await gridlock(temporaryFolder(), ["play", ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe("");
  });
});

it("gridlock play --help lists the players, with what can follow their names", async () => {
  const { stdout } = await gridlock(temporaryFolder(), ["play", "--help"]);
  for (const name of ["estimate", "gradient", "zaky-minimax", "random", "perfect", "evil"]) {
    expect(stdout).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
  }
  expect(stdout).toMatch(/^ {2}greedy +the slide that earns the most points/m);
  expect(stdout).toMatch(/^ {4}:DEPTH +depth in slides/m);
});
