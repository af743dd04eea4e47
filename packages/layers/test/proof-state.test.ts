import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { readLetters, writeBlockFile, writeLetters } from "../src/block-file.js";
import { STARTS } from "../src/blocks.js";
import { blockFileName } from "../src/names.js";
import { ProofState } from "../src/proof-state.js";

/**
 * Blocks of layers 0 to 7, 8 to 15 (two of them, one with a large tile), 16 to 23; and the starts.
 */
const BLOCKS = ["0", "1", "10001", "2", STARTS];

/** The result of a visit without letters. */
const RESULT = {
  ...{ expanded: 0, lookedAgain: 0, looks: 0, boards: 1, live: 0, waiting: 0 },
  ...{ letters: [], starts: [] },
};

/** The state of a proof whose blocks were visited in step 1. */
function stateOf(folder: string, blocks: readonly string[]): ProofState {
  const counts = { expanded: 0, lookedAgain: 0, looks: 0, seconds: 0, losses: 0 };
  const visited = { step: 1, round: 1, boards: 1, live: 0, waiting: 0, isMerged: false };
  return new ProofState(folder, 8, {
    progress: { round: 1, step: 2, thresholds: [], ...counts },
    blocks: blocks.map((block) => ({ block, ...visited })),
    letters: [],
  });
}

/** Writes a block's file that builds on another one, or is whole. */
function writeFile(folder: string, block: string, step: number, base?: number): void {
  const head = { boards: 0, written: 0, nodes: 0, base };
  writeBlockFile(folder, blockFileName(block, step), [], () => head);
}

describe("a proof with damaged files", () => {
  it.each<[string[], string[]]>([
    [["2"], []],
    [["1"], ["2"]],
    [["10001", "0"], ["2"]],
    [["0"], ["1", "10001", "2"]],
    [[STARTS], ["0", "1", "10001", "2"]],
  ])("forgets what may rest on %j and keeps %j", (lost, left) => {
    const folder = temporaryFolder();
    for (const block of BLOCKS) {
      writeFile(folder, block, 0);
      writeFile(folder, block, 1, 0);
    }
    const state = stateOf(folder, BLOCKS);
    for (const block of lost) state.forget(`${block}.1.block`);
    expect(state.blocks.map(({ block }) => block)).toEqual(left);
    expect(state.beginCommit()).toEqual([]);
    expect(state.files()).toEqual(
      left.flatMap((block) => [blockFileName(block, 0), blockFileName(block, 1)]),
    );
  });
});

describe("a commit", () => {
  it("adds the files that the last one did not name, and then the others are not needed", () => {
    const folder = temporaryFolder();
    writeFile(folder, "a", 1);
    writeFile(folder, "a", 2, 1);
    writeFile(folder, "a", 4);
    const state = stateOf(folder, ["a"]);
    const visit = () => state.apply([{ visit: state.visitOf("a"), result: RESULT }]);
    expect(state.beginCommit()).toEqual([]);
    visit();
    expect(state.beginCommit()).toEqual(["a.2.block"]);
    expect(state.files()).toEqual(["a.1.block", "a.2.block"]);
    visit(); // never written
    visit();
    expect(state.beginCommit()).toEqual(["a.4.block"]);
    expect(state.files()).toEqual(["a.4.block"]);
    expect(state.beginCommit()).toEqual([]);
  });
});

describe("letters in memory", () => {
  it("are part of the visit that reads them, and are then dropped", () => {
    const state = stateOf(temporaryFolder(), []);
    const kept = ["1", "2"].map((to) => ({ to, demands: 1, answers: 0, bytes: Buffer.alloc(12) }));
    const sender = state.visitOf("0");
    expect(sender.letters).toEqual([]);
    const letters = kept.map((each) => ({ to: each.to, items: 1, kept: each }));
    state.apply([{ visit: sender, result: { ...RESULT, letters } }]);
    const file = "0.2.letters";
    for (const [i, block] of ["1", "2"].entries()) {
      const reader = state.visitOf(block);
      expect(reader.letters).toEqual([{ file, kept: kept[i] }]);
      expect(state.letters).toHaveLength(2 - i);
      state.apply([{ visit: reader, result: RESULT }]);
    }
    expect(state.letters).toEqual([]);
  });

  it("go to files when they take much memory", () => {
    const folder = temporaryFolder();
    const state = stateOf(folder, []);
    const send = (step: number, bytes: Uint8Array) => {
      const kept = { to: "1", demands: 1, answers: bytes.length / 12 - 1, bytes };
      const letters = [{ to: "1", items: bytes.length / 12, kept }];
      expect(state.progress.step).toBe(step);
      state.apply([{ visit: state.visitOf("0"), result: { ...RESULT, letters } }]);
    };
    const large = Buffer.alloc(12 * 2 ** 20, 3);
    for (const [i, isKept] of [true, true, false].entries()) {
      send(2 + i, large);
      expect(state.letters.every(({ kept }) => (kept !== undefined) === isKept)).toBe(true);
      expect(existsSync(join(folder, `0.${2 + i}.letters`))).toBe(!isKept);
    }
    for (const step of [2, 3, 4]) {
      const { demands, bytes } = readLetters(folder, `0.${step}.letters`, "1");
      expect(demands).toBe(1);
      expect(large.equals(bytes)).toBe(true);
    }
    send(5, Buffer.alloc(12));
    expect(existsSync(join(folder, "0.5.letters"))).toBe(false);
  });
});

describe("letters in a file", () => {
  it.each([true, false])("are deleted when they are read, unless committed: %s", (isCommitted) => {
    const folder = temporaryFolder();
    const state = stateOf(folder, []);
    const letters = [{ to: "1", items: 1, kept: undefined }];
    writeLetters(folder, "0.2.letters", [
      { to: "1", demands: 1, answers: 0, bytes: Buffer.alloc(12) },
    ]);
    state.apply([{ visit: state.visitOf("0"), result: { ...RESULT, letters } }]);
    if (isCommitted) state.beginCommit();
    const reader = state.visitOf("1");
    expect(reader.letters).toEqual([{ file: "0.2.letters", kept: undefined }]);
    expect(state.files()).toContain("0.2.letters");
    state.apply([{ visit: reader, result: RESULT }]);
    expect(existsSync(join(folder, "0.2.letters"))).toBe(isCommitted);
    expect(state.files()).not.toContain("0.2.letters");
  });
});
