import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const README = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");

it("has at most 900 words", () => {
  const words = README.split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(900);
});

it("says how npx gridlock is meant before it is used", () => {
  const [before = ""] = README.split("$ npm ci && npx gridlock");
  expect(before).toMatch(/in a clone; elsewhere, `npx gridlock` would\s+\[install\]/);
  expect(before.match(/npx/g)).toHaveLength(1);
});

it("has two commands for a fresh machine: one that solves 3x3, one that runs the tests", () => {
  const installing = README.split("\n").filter((line) => line.includes("npm ci"));
  expect(installing).toEqual(["$ npm ci && npx gridlock solve 3x3", "$ npm ci && npm test"]);
});
