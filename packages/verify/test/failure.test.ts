import { canonical, packBoard, parseBoard } from "@gridlock/game";
import { type Claim, LEAST_MEMORY, verifyCertificate } from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { certify, gameOf } from "./certificates.js";

const GAME = gameOf("1x2", [2]);

function claim(text: string, lo: number, hi = Number.POSITIVE_INFINITY): Claim {
  return { board: packBoard(canonical(parseBoard(text).board)), lo, hi };
}

/** Returns the kind and text of each failure. */
async function failuresOf(claims: Claim[], game = GAME): Promise<string[]> {
  const options = { threads: 1, memory: LEAST_MEMORY };
  const { failures } = await verifyCertificate(await certify(game, claims), undefined, options);
  return failures.map(({ kind, text }) => `${kind}\n${text}`);
}

// On 1×2 with 2s only, 2 0 has value 4: it becomes 2 2, which earns 4 and leaves an end state.
describe("a failure", () => {
  it("of a lower claim is explained by every slide", async () => {
    expect(await failuresOf([claim("2 0/", 4), claim("2 4/", 0, 0)])).toEqual([
      `unfounded
  2  ·
h ≥ 4 does not follow:
  right earns 0: then every placement needs h ≥ 4; 2@1,1 leaves 2 2/, which has no lower claim`,
    ]);
  });

  it("of a lower claim from too small a claim is explained with the points it is short", async () => {
    expect(await failuresOf([claim("2 0/", 8), claim("2 2/", 4)])).toEqual([
      `unfounded
  2  ·
h ≥ 8 does not follow:
  right earns 0: then every placement needs h ≥ 8; 2@1,1 leaves 2 2/, claimed ≥ 4: 4 short`,
    ]);
    expect(await failuresOf([claim("2 4/", 4)])).toEqual([
      `unfounded
  4  2
h ≥ 4 does not follow:
  no slide is legal, so that h = 0`,
    ]);
  });

  it("of an upper claim is explained by the first failing slide and its best placement", async () => {
    expect(await failuresOf([claim("2 0/", 0, 4), claim("2 4/", 0, 0)])).toEqual([
      `unfounded
  2  ·
h ≤ 4 does not follow:
  right earns 0: then some placement needs h ≤ 4; none of the 1 has an upper claim`,
    ]);
    expect(
      await failuresOf([claim("2 0/", 0, 0), claim("2 2/", 0, 4), claim("2 4/", 0, 0)]),
    ).toEqual([
      `unfounded
  2  ·
h ≤ 0 does not follow:
  right earns 0: then some placement needs h ≤ 0; the best, 2@1,1 leaves 2 2/, claimed ≤ 4: 4 too many`,
    ]);
    expect(await failuresOf([claim("2 2/", 0, 0)])).toEqual([
      `unfounded
  2  2
h ≤ 0 does not follow:
  left earns 4, which alone is more`,
    ]);
  });

  it("shows the canonical form of the position after a placement, as docs/certificate.md", async () => {
    const [text] = await failuresOf([claim("2 4 2/8 4 0", 12)], gameOf("2x3"));
    expect(text).toBe(`unfounded
  2  4  2
  8  4  ·
h ≥ 12 does not follow:
  up earns 8: then every placement needs h ≥ 4; 2@2,2 leaves 2 8 2/8 2 0, which has no lower claim
  down earns 8: then every placement needs h ≥ 4; 2@1,2 leaves 2 2 0/8 8 2, canonical 8 8 2/2 2 0, which has no lower claim
  right earns 0: then every placement needs h ≥ 12; 2@2,1 leaves 2 4 2/2 8 4, canonical 4 8 2/2 4 2, which has no lower claim`);
  });
});
