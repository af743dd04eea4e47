import { cellCount, tileBits } from "@gridlock/game";
import { readClaimFile, temporaryFolder, writeClaimFile } from "@gridlock/testbed";
import fc from "fast-check";
import { expect, it } from "vitest";
import { makeBlockMemory, Residents } from "../src/block-memory.js";
import { instantiate } from "../src/module.js";
import { gameOf } from "./setup.js";

const GAME = gameOf("3x3");
/** Keys have a bit more than boards. */
const MOST_KEY = 2n ** BigInt(4 * cellCount(GAME.shape) + 1) - 1n;
const BLOCK = "10001";

interface Claim {
  readonly key: bigint;
  readonly lo: number;
  readonly hi: number;
  readonly isGuest: boolean;
}

function textOf({ key, lo, hi, isGuest }: Claim): string {
  return `${key}: ${lo} to ${hi}${isGuest ? ", a guest" : ""}`;
}

/** Enough boards with keys close together that differences get few bytes. */
const DENSE = Array.from({ length: 600 }, () => ({
  ...{ difference: 1n, lo: 1, more: Infinity, isGuest: false },
}));

/** Bounds of boards, some of whose keys lie close together and some very far from the next. */
const claims: fc.Arbitrary<Claim[]> = fc
  .tuple(
    fc.constantFrom([], DENSE),
    fc.array(
      fc.record({
        difference: fc.oneof(
          fc.bigInt({ min: 1n, max: 3n }),
          fc.bigInt({ min: 1n, max: 2n ** 20n }),
          fc.bigInt({ min: 1n, max: 2n ** 34n }),
        ),
        lo: fc.oneof(fc.constant(0), fc.nat(200), fc.nat(20_000)),
        more: fc.oneof(fc.constant(Infinity), fc.constant(0), fc.nat(40), fc.nat(20_000)),
        isGuest: fc.boolean(),
      }),
      { minLength: 1, maxLength: 400, size: "max" },
    ),
  )
  .map(([dense, boards]) => {
    let key = 0n;
    return [...dense, ...boards].flatMap(({ difference, lo, more, isGuest }) => {
      key += difference;
      return key > MOST_KEY ? [] : [{ key, lo, hi: lo + more, isGuest }];
    });
  });

it("a block is written as it was read, whatever its keys and bounds are", () => {
  const folder = temporaryFolder();
  const blocks = makeBlockMemory(GAME, 1, 16 * 2 ** 20);
  const module = instantiate(GAME, blocks.memory);
  module.attach(0, 1, tileBits(GAME.tiles), 8, 1);
  const residents = new Residents(folder, module, blocks);
  const place = module.placeOf(BigInt(`0x${BLOCK}`));
  let chunksOfFile = 0;
  fc.assert(
    fc.property(claims, (boards) => {
      const head = Buffer.alloc(16);
      head.writeUInt32LE(boards.length, 0);
      head.writeUInt32LE(boards.length, 4);
      const chunk = boards.map((claim) => ({ ...claim, rest: Buffer.of(claim.isGuest ? 1 : 0) }));
      writeClaimFile(folder, { name: `${BLOCK}.1.block`, head, chunks: [chunk] });
      residents.read(place, BLOCK, 1);
      residents.setVersion(place, 2);
      residents.write(place, true);
      module.release(place);
      const written = readClaimFile(folder, `${BLOCK}.2.block`);
      expect(written.chunks.flat().map(textOf)).toEqual(boards.map(textOf));
      chunksOfFile = Math.max(chunksOfFile, written.chunks.length);
    }),
    { numRuns: 100 },
  );
  expect(chunksOfFile).toBeGreaterThan(1); // a difference did not fit
});
