import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { SiteAnswers } from "../src/answers.js";

it("searches no game whose values a table entry may not hold", async () => {
  const read: string[] = [];
  const answers = new SiteAnswers(async (name) => void read.push(name), 2 ** 27);
  const found = [];
  const address = "v1/2x7?board=2+2+0+0+0+0+0/0+0+0+0+0+0+0&turn=slider&tiles=2";
  for await (const answer of answers.answer(address)) found.push(answer);
  expect(found.at(-1)).toMatchObject({
    ...{ board: "2 2 0 0 0 0 0/0 0 0 0 0 0 0", value: null },
    unsearched:
      "with 2s alone 2x7 cannot be searched; its values may be larger than a table entry holds",
  });
  expect(read).toEqual([]);
});

it("searches boards of 16 cells in a small table", async () => {
  const { resolve } = createRequire(import.meta.url);
  const answers = new SiteAnswers(async (name) => {
    if (!name.startsWith("kernel/")) return undefined;
    return new Uint8Array(await readFile(resolve(`@gridlock/kernel/wasm/${name.slice(7)}`)));
  }, 2 ** 25);
  const found: unknown[] = [];
  // A value that takes a search, but a short one.
  const address = "v1/4x4?board=2+4+8+16/32+64+128+256/2+4+16+32/64+128+4+4&turn=slider";
  for await (const answer of answers.answer(address)) found.push(answer);
  expect(found.at(-1)).toMatchObject({ source: "search", value: expect.any(Number) });
});
