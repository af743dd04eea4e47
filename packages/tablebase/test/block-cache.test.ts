import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockCache } from "../src/block-cache.js";

/** Makes a block of four bytes per unit of size, filled with its place. */
const blockOf = (place: number, size: number) => new Uint32Array(size).fill(place);

describe("a cache of blocks", () => {
  it("stays within its limit, always has the latest block, and returns the blocks put there", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(19), fc.integer({ min: 1, max: 5 })), { maxLength: 300 }),
        fc.integer({ min: 0, max: 80 }),
        (asked, bytes) => {
          const cache = new BlockCache(20, bytes);
          const held = new Map<number, number>();
          for (const [place, size] of asked) {
            if (cache.get(place) === undefined) {
              cache.put(place, blockOf(place, size));
              held.set(place, 4 * size);
            }
            expect(cache.get(place)?.[0]).toBe(place);
            let kept = 0;
            for (const [other, length] of held) {
              const block = cache.get(other);
              if (block === undefined) held.delete(other);
              else {
                expect(block[0]).toBe(other);
                kept += length;
              }
            }
            expect(kept <= bytes || held.size === 1).toBe(true);
          }
        },
      ),
    );
  });

  it("spares blocks that are requested repeatedly", () => {
    const cache = new BlockCache(100, 10 * 4);
    cache.put(0, blockOf(0, 1));
    for (let place = 1; place < 100; place++) {
      expect(cache.get(0)?.[0]).toBe(0);
      cache.put(place, blockOf(place, 1));
    }
    expect(cache.get(0)?.[0]).toBe(0);
    expect(cache.get(1)).toBeUndefined();
  });
});
