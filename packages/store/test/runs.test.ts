import { join } from "node:path";
import { parseBoard, parseShape } from "@gridlock/game";
import { falsify, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { Database } from "../src/index.js";
import { errorOf } from "./damage.js";

const BOARD = parseBoard("2 0 0 2/").board;

/** Makes a database with an unfinished run of a game of a single row. */
function withRun(): string {
  const file = join(temporaryFolder(), "test.db");
  using database = Database.open(file);
  const game = { shape: parseShape("1x4"), tiles: [2, 4] } as const;
  const id = database.runs.begin({ game, version: "1", machine: "one", options: { workers: 1 } });
  const cost = { positions: 7, afterstates: 5, seconds: 0.5 };
  database.runs.update(id, "unfinished", cost, { board: BOARD, threshold: 8 });
  return file;
}

describe("runs", () => {
  it("are read as they were recorded", () => {
    using database = Database.open(withRun());
    expect(database.runs.all()).toMatchObject([
      {
        game: { shape: { rows: 1, cols: 4 }, tiles: [2, 4] },
        version: "1",
        machine: "one",
        options: { workers: 1 },
        outcome: "unfinished",
        positions: 7,
        afterstates: 5,
        seconds: 0.5,
        question: { board: BOARD, threshold: 8 },
      },
    ]);
  });

  it.each(["rows = 0", "rows = 5", "cols = 17", "cols = 4.5", "cols = 1", "tiles = '8'"])(
    "of a game changed to %s are reported as damage",
    (change) => {
      const file = withRun();
      falsify(file, `UPDATE game SET ${change}`);
      using database = Database.open(file);
      expect(errorOf(() => database.runs.all()).message).toContain("it holds the game");
    },
  );

  it.each([
    ["positions = -1", "a run with no starting time or cost"],
    ["afterstates = 'many'", "a run with no starting time or cost"],
    ["started = 'once'", "a run with no starting time or cost"],
    ["machine = x'00'", "a run with no starting time or cost"],
    ["threshold = NULL", "a run that searches the board"],
    ["board = '2 0'", "a run that searches the board"],
  ])("changed to %s are reported as damage", (change, reason) => {
    const file = withRun();
    falsify(file, `UPDATE run SET ${change}`);
    using database = Database.open(file);
    const error = errorOf(() => database.runs.all());
    expect(error).toMatchObject({ code: "damaged", message: expect.stringContaining(reason) });
  });
});
