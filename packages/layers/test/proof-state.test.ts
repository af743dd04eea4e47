import { describe, expect, it } from "vitest";
import { STARTS } from "../src/blocks.js";
import { ProofState } from "../src/proof-state.js";

/**
 * Blocks of layers 0 to 7, 8 to 15 (two of them, one with a large tile), 16 to 23; and the starts.
 */
const BLOCKS = ["0", "1", "10001", "2", STARTS];

/** The result of a visit without letters. */
const RESULT = {
  ...{ expanded: 0, lookedAgain: 0, looks: 0, boards: 1, live: 0, waiting: 0, letters: [] },
  starts: [],
};

describe("a proof with damaged files", () => {
  it.each<[string[], string[]]>([
    [["2"], []],
    [["1"], ["2"]],
    [["10001", "0"], ["2"]],
    [["0"], ["1", "10001", "2"]],
    [[STARTS], ["0", "1", "10001", "2"]],
  ])("forgets what may rest on %j and keeps %j", (lost, left) => {
    const filesOf = (block: string, step: number) => [`${block}.0.block`, `${block}.${step}.block`];
    const state = new ProofState(filesOf, 8);
    const rest = { step: 1, round: 1, boards: 1, live: 0, waiting: 0, isMerged: false };
    const blocks = BLOCKS.map((block) => ({ block, ...rest }));
    state.restore(blocks, [], 2);
    for (const block of lost) state.forget(`${block}.1.block`);
    expect(state.blocks.map(({ block }) => block)).toEqual(left);
    expect(state.beginCommit(2)).toEqual([]);
    expect(state.files()).toEqual(left.flatMap((block) => filesOf(block, 1)));
  });
});

describe("a commit", () => {
  it("adds the files that the last one did not name, and then the others are not needed", () => {
    const filesOf = (_: string, step: number) =>
      step === 2 ? ["a.1.block", "a.2.block"] : [`a.${step}.block`];
    const state = new ProofState(filesOf, 8);
    const block = "a";
    const rest = { round: 1, boards: 1, live: 0, waiting: 0, isMerged: false };
    state.restore([{ block, step: 1, ...rest }], [], 2);
    expect(state.beginCommit(2)).toEqual([]);
    state.apply([{ visit: state.visitOf(block, 2), result: RESULT }]);
    expect(state.beginCommit(3)).toEqual(["a.2.block"]);
    expect(state.files()).toEqual(["a.1.block", "a.2.block"]);
    state.apply([{ visit: state.visitOf(block, 3), result: RESULT }]); // never written
    state.apply([{ visit: state.visitOf(block, 4), result: RESULT }]);
    expect(state.beginCommit(5)).toEqual(["a.4.block"]);
    expect(state.files()).toEqual(["a.4.block"]);
    expect(state.beginCommit(6)).toEqual([]);
  });
});

describe("letters in memory", () => {
  it("are part of the visit that reads them, and are then dropped", () => {
    const state = new ProofState(() => [], 8);
    const kept = ["1", "2"].map((to) => ({ to, demands: 1, answers: 0, bytes: Buffer.alloc(12) }));
    const sender = state.visitOf("0", 1);
    expect(sender.kept).toBeUndefined();
    const letters = kept.map(({ to }) => ({ to, items: 1 }));
    state.apply([{ visit: sender, result: { ...RESULT, letters, kept } }]);
    const file = "0.1.letters";
    for (const [i, block] of ["1", "2"].entries()) {
      const reader = state.visitOf(block, 2);
      expect(reader).toMatchObject({ letters: [file], kept: [{ ...kept[i], file }] });
      expect(state.mail.lettersTo("2", [file])).toHaveLength(1);
      state.apply([{ visit: reader, result: RESULT }]);
    }
    expect(state.mail.lettersTo("2", [file])).toEqual([]);
    expect(state.takeNeedless()).toEqual([]);
  });
});
