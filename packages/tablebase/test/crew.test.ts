import { parseShape } from "@gridlock/game";
import { Crew } from "@gridlock/threads";
import { describe, expect, it } from "vitest";
import { createArena, enter } from "../dist/arena.js";
import type { SweepTask } from "../dist/sweep.js";
import { planOf } from "../dist/sweep.js";

type Step = Exclude<SweepTask, { readonly arena: unknown }>;

const SHAPE = parseShape("2x2");
const STEP: Step = { kind: "expand", half: 2, count: 0 };

/** Starts threads of a sweep that are attached to an arena. */
async function startCrew(threads: number): Promise<Crew<SweepTask>> {
  const plan = planOf([2, 4]);
  const arena = createArena({ shape: SHAPE, plan, slotsLog2: 12, threads }, 0);
  const module = new URL("../dist/sweep-worker.js", import.meta.url);
  const crew = new Crew<SweepTask>(threads, "a thread of the sweep", module);
  await crew.all((thread) => ({ arena, thread }));
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

describe("an arena", () => {
  const plan = { ...planOf([2, 16]), states: 64 };
  const arena = createArena({ shape: SHAPE, plan, slotsLog2: 12, threads: 1 }, 0);

  it.each([
    ["more slots", { slotsLog2: 13 }],
    ["more threads", { threads: 100_000 }],
    ["more states than the module has rules for", { plan: { ...planOf([2, 4]), states: 65 } }],
    ["a larger tile than the module has tables for", { plan: planOf([2, 32]) }],
  ])("refuses a thread that expects %s", (_, other) => {
    enter(arena, 0);
    expect(() => enter({ ...arena, ...other }, 0)).toThrow(WebAssembly.RuntimeError);
  });
});
