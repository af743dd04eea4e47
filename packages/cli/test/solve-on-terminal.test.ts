import { Terminal, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const CTRL_C = "\u0003";

/** The sequence that a bar may write: one that nobody has to undo after `kill -9`. */
const CLEAR_LINE = "\u001b[K";

describe("gridlock solve on a terminal", () => {
  it("shows plain lines where the terminal is dumb", async () => {
    const env = { TERM: "dumb" };
    await using terminal = new Terminal(["solve", "2x6", "--memory", "256M"], {
      cwd: temporaryFolder(),
      env,
    });
    await terminal.shows(/^2x6: 0\/75 starts, /m);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
    expect(terminal.output).not.toContain("\u001b");
  });

  it("names its phases, shows nodes and their rate uncut, and changes no mode of the terminal", async () => {
    const cwd = temporaryFolder();
    const solve = async () => {
      await using terminal = new Terminal(["solve", "2x6", "--memory", "256M"], { cwd });
      await terminal.shows(
        / 2x6 [█░]{10} 0\/75 starts, [\d.]+ m?s, [\d.]+ [kM] nodes, [\d.]+ [kM]?\/s/,
      );
      terminal.type(CTRL_C);
      expect(await terminal.ended).toBe(130);
      expect(terminal.output.replaceAll(CLEAR_LINE, "")).not.toMatch(/[^\P{Cc}\r\n]/u);
      return terminal.output;
    };
    expect(await solve()).toMatch(/ 2x6 ░{10} \d+ m?s, making the table[\s\S]*0\/75 starts/);
    expect(await solve()).toMatch(/making the table[\s\S]*resuming from [\s\S]*0\/75 starts/);
  });
});
