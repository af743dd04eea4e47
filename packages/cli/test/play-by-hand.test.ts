import { gridlock, Terminal, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const START = ["--start", "2 2 0/0 0 0/0 0 0"];
const [UP, LEFT, DOWN] = ["\u001b[A", "\u001b[D", "\u001b[B"];
const [CTRL_C, CTRL_D, ESCAPE] = ["\u0003", "\u0004", "\u001b"];
/** A sequence that sets a colour or a style. */
const COLOUR = new RegExp(`${ESCAPE}\\[\\d+m`);

function play(args: readonly string[], env: NodeJS.ProcessEnv = {}): Terminal {
  return new Terminal(["play", ...args], { cwd: temporaryFolder(), env });
}

describe("gridlock play on a terminal", () => {
  it("plays a game against the perfect placer, with hint, undo and a new game", async () => {
    await using terminal = play(["3x3", "--budget", "60", ...START]);
    await terminal.shows(/^ {2}2 {2}2 {2}·\n/);
    await terminal.shows(/start +worth 184\n.*\nto come +184 with perfect play\n/);
    terminal.type(UP);
    await terminal.shows(/up: no tile can slide there/);
    terminal.type("?");
    await terminal.shows(/Best: slide down\. 184 points from here\./);
    terminal.type(LEFT);
    await terminal.shows(
      /left: 4 points, gives away \d+; the placer put a [24] in row \d, column \d/,
    );
    await terminal.shows(/score +4\nto come +164 with perfect play, 168 in all\ngiven away +16\n/);
    await terminal.shows(/placer +perfect: each reply so far is proven best/);
    terminal.type("u");
    await terminal.shows(/the slide is undone/);
    await terminal.shows(/score +0\n/);
    terminal.type("s");
    await terminal.shows(/down: 0 points, gives away 0;/);
    terminal.resize({ rows: 12, columns: 60 });
    await terminal.shows(/gives away 0;[^;]*$/); // and not the keys, for which no row is left
    terminal.type("n");
    await terminal.shows(/Slide the tiles to score/);
    terminal.type("q");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text).toBe("3x3: So far, 0 points in 0 moves. No move was made.");
    expect(terminal.isRestored).toBe(true);
  });

  it("ends with the score and the value of the start", async () => {
    await using terminal = play([
      "2x2",
      "--tiles",
      "2",
      "--budget",
      "60",
      "--start",
      "0 0/2 0 placer",
      "--seed",
      "7",
    ]);
    await terminal.shows(/start +worth/);
    for (let i = 0; !/Game over/.test(terminal.text); i++) {
      const before = terminal.text;
      terminal.type([LEFT, "j", "d", "W"][i % 4] as string);
      await terminal.shows(new RegExp(`^(?!${escaped(before)}$)[^]*(points|slide there)`));
    }
    await terminal.shows(/Game over with \d+ points\. The start was worth \d+: you gave/);
    terminal.type(ESCAPE);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text.replaceAll("\n", "")).toMatch(
      /^2x2: Game over with \d+ points\. The start/,
    );
    expect(terminal.isRestored).toBe(true);
  });

  it("says that the placer is not proven perfect on a board that is too large", async () => {
    const args = ["4x4", "--budget", "0.2", "--start", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0"];
    await using terminal = play(args, { NO_COLOR: "1" });
    await terminal.shows(/start +worth at least \d+, as published in results\/4x4\.json/);
    terminal.type(DOWN);
    await terminal.shows(
      /placer +not proven perfect: its replies are the best found in 0\.2 s each/,
    );
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
    expect(terminal.text).toMatch(/^stopped; the game is not saved\n4x4: So far, 0 points/);
    expect(terminal.isRestored).toBe(true);
    expect(terminal.output).not.toMatch(COLOUR);
  });

  it("can be left while the placer is searching", async () => {
    await using terminal = play(["4x4", "--budget", "600"]);
    await terminal.shows(/searching/);
    terminal.type(CTRL_D);
    expect(await terminal.ended).toBe(0);
    expect(terminal.isRestored).toBe(true);
  });

  it("refuses options of a player's games", async () => {
    await using terminal = play(["3x3", "--games", "4"]);
    expect(await terminal.ended).toBe(2);
    expect(terminal.text).toBe("error: --games needs --player NAME");
    const args = ["play", "3x3", "--player", "emr", "--tiles", "2"];
    const { code, stderr } = await gridlock(temporaryFolder(), args);
    expect([code, stderr]).toEqual([2, "error: --player cannot be combined with --tiles\n"]);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
