import { type Game, packedHalves, tileSum, unpackBoard } from "@gridlock/game";
import {
  CLAIMS_PER_BLOCK,
  type Claim,
  encodeBlock,
  encodeEnd,
  encodeHeader,
} from "@gridlock/verify";

/** Claims with the tile sum under which a file lists them, in the order of a file. */
export type ClaimGroup = readonly [sum: number, claims: readonly Claim[]];

/** Sorts claims by their boards. */
export function ascending(claims: readonly Claim[]): Claim[] {
  return [...claims].sort((a, b) => (a.board < b.board ? -1 : 1));
}

/** Returns claims as the program has them in memory. */
export function wordsOf(claims: readonly Claim[]): Uint32Array {
  return Uint32Array.from(
    claims.flatMap(({ board, lo, hi }) => {
      const [high, low] = packedHalves(board);
      return [low, high, lo / 4, hi === Number.POSITIVE_INFINITY ? 0 : hi / 4 + 1];
    }),
  );
}

/** Groups claims by tile sum, in the order of a file. */
export function groupsOf(game: Game, claims: readonly Claim[]): ClaimGroup[] {
  const groups = new Map<number, Claim[]>();
  for (const claim of ascending(claims)) {
    const sum = tileSum(unpackBoard(game.shape, claim.board));
    const group = groups.get(sum) ?? [];
    groups.set(sum, group);
    group.push(claim);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

/** Encodes the file of a certificate, in parts: the header, the blocks, and the end block. */
export async function encodeParts(
  game: Game,
  groups: readonly ClaimGroup[],
): Promise<Uint8Array[]> {
  const blocks: Uint8Array[] = [];
  let count = 0;
  for (const [sum, claims] of groups) {
    count += claims.length;
    for (let from = 0; from < claims.length; from += CLAIMS_PER_BLOCK) {
      const some = claims.slice(from, from + CLAIMS_PER_BLOCK);
      blocks.push(await encodeBlock(sum, wordsOf(some)));
    }
  }
  return [encodeHeader(game), ...blocks, encodeEnd(count, blocks.length)];
}

/** Encodes the file of a certificate of any claims, true or not. */
export async function encodeCertificate(game: Game, claims: readonly Claim[]): Promise<Buffer> {
  return Buffer.concat(await encodeParts(game, groupsOf(game, claims)));
}
