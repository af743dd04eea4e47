import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packBoard, parseBoard, parseShape } from "@gridlock/game";
import { snapshotFileOf } from "@gridlock/store";
import { describe, expect, it, onTestFinished } from "vitest";
// Its threads are built files.
import { Engine, type EngineOptions } from "../dist/engine.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const START = { turn: "slider", board: packBoard(parseBoard("2 2 0/0 0 0").board) } as const;

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
    await using engine = await Engine.start(GAME, options());
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
      await using first = await Engine.start(GAME, files);
      await first.ask(question, {});
      spent = first.counts.positions;
    }
    expect(existsSync(snapshotFileOf(files.databaseFile, GAME))).toBe(true);
    await using second = await Engine.start(GAME, files);
    await second.ask(question, {});
    expect(second.counts.positions).toBeLessThan(spent / 2);
  });
});
