import { Answer, Worth } from "@gridlock/schemas";
import { describe, expect, it } from "vitest";
import { answerAsJson, playerAnswer, worthAsJson } from "../src/index.js";
import { freshFile, openLibrary, query, tabulateBeside } from "./setup.js";

/** Boards of 2×3 with either turn: starts, ends, and some that no play reaches. */
const BOARDS = [
  "2 2 0/0 0 0",
  "2 2 0/0 0 0 placer",
  "2 4 8/4 8 2",
  "0 0 0/0 0 0",
  "64 0 0/32 2 4",
  "2 0/0 2/0 0 placer",
];

describe("schemas", () => {
  for (const tabulated of [false, true]) {
    it(`describe answers ${tabulated ? "beside a tabulation" : "of a search"} to the last field`, async () => {
      const db = freshFile();
      if (tabulated) await tabulateBeside(db, "0 0 0/0 0 0");
      const library = openLibrary(db);
      for (const text of BOARDS) {
        const asked = query(text);
        const worth = worthAsJson(library.worth(asked));
        expect(Worth.parse(worth), text).toEqual(worth);
        expect("reachable" in worth).toBe(tabulated);
        for (const budget of [0, asked.budget]) {
          const answer = answerAsJson(library.answer({ ...asked, budget }));
          expect(Answer.parse(answer), text).toEqual(answer);
        }
      }
    });
  }

  it("describe a player's choices", () => {
    const library = openLibrary(freshFile());
    const answer = library.answer(query("2 2 0/0 0 0"));
    const choices = [
      { direction: "left", probability: 0.5 },
      { direction: "down", probability: 0.5 },
    ] as const;
    const player = playerAnswer("anyone", choices, answer);
    const json = answerAsJson(answer, player);
    expect(Answer.parse(json)).toEqual(json);
    const worth = (name: string) => {
      const move = answer.moves.find(({ move }) => move.name === name);
      return (move?.score ?? 0) + (move?.bound.lo ?? 0);
    };
    expect(player.cost).toBe(44 - (worth("left") + worth("down")) / 2);
  });

  it("refuse other objects", () => {
    const known = { lo: 12, hi: 12, value: 12, source: "database" };
    const worth = { board: "2 2/0 0", turn: "slider", ...known };
    expect(Worth.safeParse(worth).success).toBe(true);
    for (const wrong of [
      { lo: 2 },
      { hi: -4 },
      { turn: "both" },
      { value: "12" },
      { source: "x" },
    ]) {
      expect(Worth.safeParse({ ...worth, ...wrong }).success).toBe(false);
    }
  });
});
