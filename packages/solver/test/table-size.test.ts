import { tableLimits } from "@gridlock/kernel";
import { leastMemory, poolThreads } from "@gridlock/solver";
import { searchMemory } from "@gridlock/solver/analyst";
import { expect, it } from "vitest";
import { gameOf } from "./setup.js";

const MIB = 2 ** 20;

it("a table for short searches is what its game needs, within what it is given", () => {
  const { least } = tableLimits(gameOf("2x6"), 1);
  expect(searchMemory(gameOf("2x6"), 256 * MIB)).toBe(256 * MIB);
  expect(searchMemory(gameOf("2x6"), 0)).toBe(least);
  expect(searchMemory(gameOf("2x3"), 256 * MIB)).toBeLessThan(64 * MIB);
  expect(searchMemory(gameOf("4x4", [2]), 256 * MIB)).toBeUndefined();
});

it("a solve needs a part of the table that it wants, and no less than the least table", () => {
  const leastOf = (name: string) => leastMemory(gameOf(name), poolThreads(1));
  const { least } = tableLimits(gameOf("2x3"), poolThreads(1));
  expect(leastOf("2x3")).toBeGreaterThanOrEqual(least);
  expect(leastOf("2x3")).toBeLessThan(least + MIB);
  expect(leastOf("2x6")).toBeGreaterThan(64 * MIB);
  expect(leastOf("2x6")).toBeLessThan(512 * MIB);
  expect(leastOf("4x4")).toBeGreaterThan(1024 * MIB);
  for (const name of ["2x3", "2x6", "3x4", "4x4"]) expect(leastOf(name) % 1).toBe(0);
});
