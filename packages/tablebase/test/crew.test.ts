import { parseShape } from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { createArena } from "../dist/arena.js";
import { type Step, startCrew } from "../dist/crew.js";

const ARENA = createArena({ shape: parseShape("2x2"), tiles: [2, 4] }, undefined, 12);
const STEP: Step = { kind: "expand", list: 0, count: 0, near: 1 };

describe("a crew", () => {
  it("fails every task after a thread has failed, without waiting for that thread", async () => {
    await using crew = await startCrew(2, ARENA);
    await crew.all(() => STEP);
    await expect(crew.all(() => ({ ...STEP, kind: "nonsense" as Step["kind"] }))).rejects.toThrow(
      /a thread of the sweep failed: .*is not a function/,
    );
    for (let again = 0; again < 5; again++) {
      await expect(crew.all(() => STEP)).rejects.toThrow(/a thread of the sweep failed/);
    }
  });

  it("fails a running task when it is disposed of", async () => {
    const crew = await startCrew(1, ARENA);
    const step = crew.all(() => ({ ...STEP, count: 2 ** 31 - 1 }));
    const failed = expect(step).rejects.toThrow(/a thread of the sweep was closed/);
    await crew[Symbol.asyncDispose]();
    await failed;
  });
});
