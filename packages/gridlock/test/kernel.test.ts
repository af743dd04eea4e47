import { readFile } from "node:fs/promises";
import { openKernel } from "@gridlock/gridlock/kernel";
import { kernelFiles } from "@gridlock/kernel";
import { expect, it } from "vitest";

const readWasm = (name: string) => readFile(new URL(name, kernelFiles.url));

it("searches boards of a shape, in both orientations", async () => {
  const kernel = await openKernel("3x2", readWasm);
  const answer = kernel.query("2 2 0/0 0 0");
  expect(answer).toMatchObject({ value: 44, turn: "slider", source: "search" });
  expect(answer.line[0]).toBe(answer.best[0]);
  expect(kernel.query("2 0/2 0/0 0").value).toBe(44);
  const withTwos = await openKernel("2x3", readWasm, { tiles: [2], memory: 2 ** 22 });
  expect(withTwos.query("2 2 0/0 0 0").value).toBeGreaterThan(44);
});

it("stops after some seconds", async () => {
  const kernel = await openKernel("4x4", readWasm);
  const { lo, hi, value } = kernel.query("2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", 0.1);
  expect(value).toBeNull();
  expect(lo).toBeLessThan(hi);
});

it("explains errors with codes", async () => {
  const kernel = await openKernel("2x3", readWasm);
  for (const [board, code] of [
    ["2 2/0 0", "other-shape"],
    ["2 2 0/0", "ragged-board"],
  ] as const) {
    expect(() => kernel.query(board)).toThrow(
      expect.objectContaining({ name: "SolverError", code }),
    );
  }
  await expect(openKernel("1x13", readWasm)).rejects.toMatchObject({ code: "not-searchable" });
  await expect(openKernel("2*3", readWasm)).rejects.toMatchObject({ code: "bad-shape" });
});
