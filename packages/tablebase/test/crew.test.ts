import { parseShape } from "@gridlock/game";
import { Crew } from "@gridlock/store";
import { describe, expect, it } from "vitest";
import { createArena } from "../dist/arena.js";
import type { SweepTask } from "../dist/sweep.js";

type Step = Exclude<SweepTask, { readonly arena: unknown }>;

const ARENA = createArena({ shape: parseShape("2x2"), tiles: [2, 4] }, undefined, 12, 0);
const STEP: Step = { kind: "expand", list: 0, count: 0, near: 1 };

/** Starts threads of a sweep that are attached to the arena. */
async function startCrew(threads: number): Promise<Crew<SweepTask>> {
  const module = new URL("../dist/sweep-worker.js", import.meta.url);
  const crew = new Crew<SweepTask>(threads, "a thread of the sweep", module);
  await crew.all(() => ({ arena: ARENA }));
  return crew;
}

describe("a crew", () => {
  it("fails every task after a thread has failed, without waiting for that thread", async () => {
    await using crew = await startCrew(2);
    await crew.all(() => STEP);
    await expect(crew.all(() => ({ ...STEP, kind: "nonsense" as Step["kind"] }))).rejects.toThrow(
      /a thread of the sweep failed: .*is not a function/,
    );
    for (let again = 0; again < 5; again++) {
      await expect(crew.all(() => STEP)).rejects.toThrow(/a thread of the sweep failed/);
    }
  });

  it("fails a running task when it is disposed of", async () => {
    const crew = await startCrew(1);
    const step = crew.all(() => ({ ...STEP, count: 2 ** 31 - 1 }));
    const failed = expect(step).rejects.toThrow(/a thread of the sweep was closed/);
    await crew[Symbol.asyncDispose]();
    await failed;
  });
});
