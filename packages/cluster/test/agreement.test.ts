import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { agreed, type TaskAnswer } from "../src/agreement.js";
import type { ComparedOutcome, ComparedWork } from "../src/task-messages.js";
import { readableLog } from "./log.js";

const CHECK: ComparedWork = { check: { file: "0.1.block", boards: 1 } };
const RIGHT: ComparedOutcome = { check: { failed: 0, boards: 1, files: [] } };
const WRONG: ComparedOutcome = { check: { failed: 1, boards: 1, files: [] } };
const MISSING: ComparedOutcome = { check: { damaged: "0.1.block" } };

/**
 * Has a task done by workers that return the answers in turn; `truth` is this machine's outcome.
 */
async function ask(
  answers: readonly TaskAnswer[],
  truth: ComparedOutcome,
  work = CHECK,
  onAnswer: (i: number) => void = () => {},
  folder = temporaryFolder(),
) {
  const shutOut: string[] = [];
  const notThese: (string | undefined)[] = [];
  let judged = 0;
  const outcome = await agreed(work, {
    ...{ folder, log: readableLog().log },
    ask: async (_, not) => {
      onAnswer(notThese.length);
      return answers[notThese.push(not) - 1] as TaskAnswer;
    },
    judge: async () => {
      judged++;
      onAnswer(2);
      return truth;
    },
    shutOut: (worker) => void shutOut.push(worker),
  });
  return { outcome, shutOut, notThese, judged };
}

describe("the outcome of two workers", () => {
  it.each<[string, ComparedOutcome, ComparedOutcome, ComparedOutcome, string[]]>([
    ["is believed if it is the same", RIGHT, RIGHT, WRONG, []],
    ["is decided here, and the first shut out if it is wrong", WRONG, RIGHT, RIGHT, ["a"]],
    ["is decided here, and the second shut out if it is wrong", WRONG, RIGHT, WRONG, ["b"]],
    [
      "is decided here, and both shut out if they are wrong",
      WRONG,
      { check: { failed: 2, boards: 1, files: [] } },
      RIGHT,
      ["a", "b"],
    ],
    ["shuts no worker out that does not find a file", MISSING, RIGHT, RIGHT, []],
    ["shuts no worker out if this machine does not find it", WRONG, RIGHT, MISSING, []],
  ])("%s", async (_, first, second, truth, wrong) => {
    const found = await ask(
      [
        { worker: "a", outcome: first },
        { worker: "b", outcome: second },
      ],
      truth,
    );
    const isSame = first === second;
    expect(found).toEqual({
      outcome: isSame ? first : truth,
      ...{ shutOut: wrong, notThese: [undefined, "a"], judged: isSame ? 0 : 1 },
    });
  });

  it("is not decided again if this machine was the second", async () => {
    const answers = [
      { worker: "a", outcome: WRONG },
      { worker: undefined, outcome: RIGHT },
    ];
    const found = await ask(answers, WRONG);
    expect(found).toMatchObject({ outcome: RIGHT, shutOut: ["a"], judged: 0 });
  });

  it("differs if the files that they wrote differ", async () => {
    const folder = temporaryFolder();
    const visit = {
      ...{ expanded: 0, lookedAgain: 0, looks: 0, letters: [], boards: 1, live: 0 },
      waiting: 0,
      cost: {
        ...{ loading: 0, working: 0, saving: 0, isInMemory: false },
        ...{ blockRead: 0, blockWritten: 0, blockBytes: 0, lettersRead: 0, lettersWritten: 0 },
      },
    };
    const work = {
      visit: { block: "0", split: 1, step: 1, last: undefined, isNewRound: false, letters: [] },
    };
    const same = { visit };
    const other = { visit: { ...visit, looks: 9, cost: { ...visit.cost, working: 1 } } };
    for (const [files, wrong] of [
      [["x", "x", "x"], []],
      [["y", "x", "x"], ["a"]],
      [["x", "y", "x"], ["b"]],
    ] as const) {
      const write = (i: number) => writeFileSync(join(folder, "0.1.block"), files[i] as string);
      const answers = [
        { worker: "a", outcome: same },
        { worker: "b", outcome: other },
      ];
      const found = await ask(answers, same, work, write, folder);
      expect(found.shutOut).toEqual(wrong);
    }
  });
});
