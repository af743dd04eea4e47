import { PLAYER_KINDS, PlayerError } from "@gridlock/players";
import { describe, expect, it } from "vitest";
import { makePlayer } from "./made.js";

const setting = { shape: { rows: 3, cols: 3 }, db: "no.db" };

describe("a name of a player", () => {
  it.each([
    ["emr", "emr"],
    ["em", "emr"],
    ["r", "r"],
    ["ug:empty", "ugr:empty"],
    ["zaky-minimax:8", "zaky-minimax:8"],
    ["zaky-minimax:corner:8:sum", "zaky-minimax:8:sum:corner"],
    ["gradient", "gradient:3"],
    ["estimate:gap", "estimate:gap"],
  ])("%s stands for %s", async (name, full) => {
    expect((await makePlayer(name, setting)).name).toBe(full);
  });

  it.each([
    ["emm", /there is no player "emm"; expected letters of e, m, u and g such as emr, estimate, /],
    ["", /there is no player ""/],
    [
      "emr:8",
      /"8" in "emr:8" is not a variant of the player emr; after the name it takes :empty, each once/,
    ],
    ["greedy:x", /it has no variants/],
    ["er:empty", /only affects u/],
    ["zaky-minimax:0", /a depth of 0 in "zaky-minimax:0" is not possible; expected 1 to 12/],
    ["zaky-minimax:4:8", /"8" in "zaky-minimax:4:8" is not a variant/],
    ["zaky-minimax:sum:sum", /each once/],
    ["zaky-expectimax:deepen", /it takes :DEPTH \(1 to 6\), :sum, :corner/],
    ["toString", /there is no player/],
    ["estimate:toString", /is not a variant/],
  ])("refuses %j", async (name, message) => {
    await expect(makePlayer(name, setting)).rejects.toThrow(PlayerError);
    await expect(makePlayer(name, setting)).rejects.toThrow(message);
  });

  it("lists each name once", () => {
    const names = PLAYER_KINDS.flatMap((kind) => kind.names);
    expect(new Set(names).size).toBe(names.length);
  });
});
