import { expect, it } from "vitest";
import { SiteAnswers } from "../src/answers.js";

it("searches no game whose values a table entry may not hold", async () => {
  const read: string[] = [];
  const answers = new SiteAnswers(async (name) => void read.push(name), 2 ** 27);
  const found = [];
  const address = "v1/2x7?board=2+2+0+0+0+0+0/0+0+0+0+0+0+0&turn=slider&tiles=2";
  for await (const answer of answers.answer(address)) found.push(answer);
  expect(found.at(-1)).toMatchObject({ board: "2 2 0 0 0 0 0/0 0 0 0 0 0 0", value: null });
  expect(read).toEqual([]);
});
