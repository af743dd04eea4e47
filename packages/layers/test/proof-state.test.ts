import { describe, expect, it } from "vitest";
import { STARTS } from "../src/blocks.js";
import { ProofState } from "../src/proof-state.js";

/**
 * Blocks of layers 0 to 7, 8 to 15 (two of them, one with a large tile), 16 to 23; and the starts.
 */
const BLOCKS = ["0", "1", "10001", "2", STARTS];

describe("a proof whose bounds do not follow", () => {
  it.each<[string[], string[]]>([
    [["2"], []],
    [["1"], ["2"]],
    [["10001", "0"], ["2"]],
    [["0"], ["1", "10001", "2"]],
    [[STARTS], ["0", "1", "10001", "2"]],
  ])("forgets %j and keeps %j", (failing, left) => {
    const filesOf = (block: string, step: number) => [`${block}.0.block`, `${block}.${step}.block`];
    const state = new ProofState(filesOf, 8);
    const rest = { step: 1, round: 1, boards: 1, live: 0, waiting: 0, isMerged: false };
    const blocks = BLOCKS.map((block) => ({ block, ...rest }));
    state.restore(blocks, [], 2);
    state.forgetFrom(failing);
    expect(state.blocks.map(({ block }) => block)).toEqual(left);
    expect(state.committed(2).sort()).toEqual(
      BLOCKS.filter((block) => !left.includes(block))
        .flatMap((block) => filesOf(block, 1))
        .sort(),
    );
  });
});
