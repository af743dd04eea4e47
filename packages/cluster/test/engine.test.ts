import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packBoard, parseBoard, parseShape } from "@gridlock/game";
import { snapshotFileOf } from "@gridlock/store";
import { describe, expect, it, onTestFinished } from "vitest";
// Its threads are built files.
import { Engine, type EngineOptions } from "../dist/engine.js";
import { EngineKeeper } from "../dist/engine-keeper.js";
import { nameGame, PROTOCOL, type RunMessage } from "../src/messages.js";
import { readableLog } from "./log.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const START = { turn: "slider", board: packBoard(parseBoard("2 2 0/0 0 0").board) } as const;
const STAYS = new AbortController().signal;
const RUN: RunMessage = {
  ...{ protocol: PROTOCOL, run: "a1", host: "host", pid: 1, began: "2026-11-21T20:53:28.000Z" },
  ...{ open: [], starts: [], questions: 0, shutOut: [], ...nameGame(GAME) },
  counts: { positions: 0, afterstates: 0 },
};

function options(): EngineOptions {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-engine-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    threads: 1,
    memory: () => 2 ** 26,
    databaseFile: join(folder, "worker.db"),
    snapshotEvery: 1,
    snapshotEffort: 1,
  };
}

describe("an engine", () => {
  it("answers questions, and counts its nodes", async () => {
    await using engine = await Engine.start(GAME, options(), STAYS);
    const high = await engine.ask({ ...START, threshold: 8 }, {});
    expect(high?.lo).toBeGreaterThanOrEqual(8);
    const low = await engine.ask({ ...START, threshold: 2000 }, {});
    expect(low?.hi).toBeLessThan(2000);
    expect(engine.counts.positions).toBeGreaterThan(0);
  });

  it("saves its table for the next engine", async () => {
    const files = options();
    const question = { ...START, threshold: 48 };
    let spent: number;
    {
      await using first = await Engine.start(GAME, files, STAYS);
      await first.ask(question, {});
      spent = first.counts.positions;
    }
    expect(existsSync(snapshotFileOf(files.databaseFile, GAME))).toBe(true);
    await using second = await Engine.start(GAME, files, STAYS);
    await second.ask(question, {});
    expect(second.counts.positions).toBeLessThan(spent / 2);
  });

  it("ends while it loads its table if its worker leaves", async () => {
    const files = options();
    {
      await using first = await Engine.start(GAME, files, STAYS);
      await first.ask({ ...START, threshold: 48 }, {});
    }
    const leaving = AbortSignal.abort(new Error("it leaves"));
    await expect(Engine.start(GAME, files, leaving)).rejects.toThrow("it leaves");
  });
});

describe("a keeper of engines", () => {
  it("asks for the free memory once a table: the table itself leaves less of it", async () => {
    let asked = 0;
    const memory = () => {
      if (asked++ > 0) throw new Error("a table is too large: little memory is available");
      return 2 ** 26;
    };
    await using keeper = new EngineKeeper({ ...options(), memory, log: readableLog().log });
    expect(keeper.memory).toBe(0);
    await keeper.engineFor(RUN, STAYS);
    expect(keeper.memory).toBe(2 ** 26);
    expect(asked).toBe(1);
  });
});
