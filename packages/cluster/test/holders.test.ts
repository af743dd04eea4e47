import { describe, expect, it } from "vitest";
import { Holders } from "../src/holders.js";

const VISIT = { expanded: 0, lookedAgain: 0, looks: 0, letters: [], live: 0, waiting: 0 };
const COST = {
  ...{ loading: 0, working: 0, saving: 0, isInMemory: false },
  ...{ blockRead: 0, blockWritten: 0, blockBytes: 0, lettersRead: 0, lettersWritten: 0 },
};
const of = (boards: number) => ({ ...VISIT, boards, cost: COST });
const BOTH = ["a", "b"];

describe("the worker that should visit a block", () => {
  it("is the one that visited it last, if the block is large", () => {
    const holders = new Holders();
    expect(holders.of("1", BOTH)).toBeUndefined();
    holders.visited("1", "a", of(1e6));
    holders.visited("2", "b", of(1000));
    expect(holders.of("1", BOTH)).toBe("a");
    expect(holders.of("2", BOTH)).toBeUndefined();
    holders.visited("1", "b", of(1e6));
    expect(holders.of("1", BOTH)).toBe("b");
  });

  it("is any worker if there are many, if it has left, or if it found the block damaged", () => {
    const holders = new Holders();
    holders.visited("1", "a", of(1e6));
    expect(holders.of("1", ["a", "b", "c", "d", "e", "f"])).toBeUndefined();
    expect(holders.of("1", ["b", "c"])).toBeUndefined();
    expect(holders.of("1", ["a"])).toBeUndefined();
    holders.visited("1", "a", { damaged: "1.1.block" });
    expect(holders.of("1", BOTH)).toBeUndefined();
    holders.visited("1", "a", of(1e6));
    holders.visited("1", undefined, of(1e6));
    expect(holders.of("1", BOTH)).toBeUndefined();
  });
});
