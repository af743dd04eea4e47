import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockCache } from "../src/block-cache.js";

const BLOCKS = 20;

describe("a cache of blocks", () => {
  it("has as many blocks as fit, each in a slot of its own, and always the latest", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(BLOCKS - 1), { maxLength: 300 }),
        fc.integer({ min: 0, max: 25 }),
        (asked, slots) => {
          const cache = new BlockCache(BLOCKS, slots);
          const seen = new Set<number>();
          for (const block of asked) {
            const before = cache.slotOf(block);
            const slot = before < 0 ? cache.allocate(block) : before;
            expect(cache.slotOf(block)).toBe(slot);
            seen.add(block);
            const taken = [...seen].map((other) => cache.slotOf(other)).filter((at) => at >= 0);
            expect(taken.length).toBe(Math.min(seen.size, Math.max(1, slots)));
            expect(new Set(taken).size).toBe(taken.length);
            expect(Math.max(...taken)).toBeLessThan(cache.slots);
          }
        },
      ),
    );
  });

  it("spares blocks that are requested repeatedly", () => {
    const cache = new BlockCache(100, 10);
    cache.allocate(0);
    for (let block = 1; block < 100; block++) {
      expect(cache.slotOf(0)).toBe(0);
      cache.allocate(block);
    }
    expect(cache.slotOf(0)).toBe(0);
    expect(cache.slotOf(1)).toBe(-1);
  });
});
