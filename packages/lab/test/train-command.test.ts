import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const TRAIN = ["train", "2x3", "--games", "400", "--seed", "3", "--rate", "0.02"];

describe("gridlock train", () => {
  it("trains a network and stores it, the same each time", async () => {
    const folder = temporaryFolder();
    const found = await json(folder, [...TRAIN, "--json"]);
    expect(found).toMatchObject({
      shape: "2x3",
      seed: 3,
      rate: 0.02,
      games: 400,
      played: 400,
      output: "results/players/ntuple-2x3.weights",
    });
    expect(found.mean).toBeGreaterThan(0);
    expect(found.moves).toBeGreaterThan(4000);
    expect(found.largestTile).toBeGreaterThanOrEqual(32);
    const { code, stdout } = await gridlock(folder, [...TRAIN, "--output", "again.weights"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^2x3: 400 games, 400 of them in .*; mean of the last 400: [\d,]+, largest tile \d+; again\.weights\n$/,
    );
    const file = readFileSync(join(folder, found.output));
    expect(readFileSync(join(folder, "again.weights")).equals(file)).toBe(true);
    const play = ["play", "2x3", "--games", "200", "--json", "--player"];
    const [learned, named, random] = await Promise.all(
      ["ntuple", "ntuple:again.weights", "random"].map((name) => json(folder, [...play, name])),
    );
    expect(learned.player).toBe("ntuple");
    expect(learned.mean).toBeGreaterThan(1.5 * random.mean);
    expect(named).toMatchObject({ player: "ntuple:again.weights", mean: learned.mean });
    const untrained = await gridlock(folder, ["play", "2x4", "--player", "ntuple"]);
    expect(untrained.stderr).toBe(
      "error: results/players/ntuple-2x4.weights does not exist; gridlock train 2x4, in a clone of Gridlock's repository, makes weights\n",
    );
    expect(untrained.code).toBe(2);
  });

  it("saves when it is interrupted, and continues to the same weights", async () => {
    const folder = temporaryFolder();
    const args = [...TRAIN, "--games", "8000", "--output"];
    const stopped = await gridlock(folder, [...args, "cut"], { interrupt: true });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(/stopping after this game.*\nsaved cut; run the same command/);
    expect(stopped.stdout).toMatch(/^2x3: [\d,]+ games, /);
    const { games, played } = await json(folder, [...args, "cut", "--json"]);
    expect(games).toBe(8000);
    expect(played).toBeGreaterThan(0);
    expect(played).toBeLessThan(8000);
    await json(folder, [...args, "whole", "--json"]);
    const whole = readFileSync(join(folder, "whole"));
    expect(readFileSync(join(folder, "cut")).equals(whole)).toBe(true);
    const again = await json(folder, [...args, "whole", "--json"]);
    expect(again).toMatchObject({ games: 8000, played: 0, mean: null });
  });

  it("refuses unusable input", async () => {
    const folder = temporaryFolder();
    await gridlock(folder, [...TRAIN, "--output", "w"]);
    writeFileSync(join(folder, "table.md"), "# 2x3\n");
    for (const [args, words] of [
      [["train", "5x5"], /5x5 has 25 cells/],
      [["train", "2x3", "--games", "0"], /expected a whole number from 1/],
      [["train", "2x3", "--rate", "0"], /expected a number of more than 0 and at most 1/],
      [["train", "2x3", "--rate", "0.2"], /--rate 0\.2 would move .* 7 weights.* at most 0\.143/],
      [["train", "2x3", "--output", "w"], /w was trained with --seed 3 --rate 0\.02; use these/],
      [[...TRAIN, "--games", "9", "--output", "w"], /w has learned from 400 games; expected at/],
      [["train", "2x2", "--output", "w"], /w has weights of 2x3; expected weights of 2x2/],
      [["train", "2x3", "--output", "table.md"], /table\.md was not written by gridlock train/],
      [["train", "2x3", "--output", "w/x"], /--output w\/x cannot be used: there is no folder w/],
    ] as const) {
      const { code, stderr } = await gridlock(folder, args);
      expect(stderr).toMatch(words);
      expect(code).toBe(2);
    }
    expect(readFileSync(join(folder, "table.md"), "utf8")).toBe("# 2x3\n");
    expect(existsSync(join(folder, "results"))).toBe(false);
  });
});
