import { type Game, packedHalves, tileSum, unpackBoard } from "@gridlock/game";
import {
  CLAIMS_PER_BLOCK,
  type Claim,
  encodeBlock,
  encodeEnd,
  encodeHeader,
} from "@gridlock/verify";

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

/** Encodes the file of a certificate of any claims, true or not. */
export async function encodeCertificate(game: Game, claims: readonly Claim[]): Promise<Buffer> {
  const groups = new Map<number, Claim[]>();
  for (const claim of ascending(claims)) {
    const sum = tileSum(unpackBoard(game.shape, claim.board));
    const group = groups.get(sum);
    if (group) group.push(claim);
    else groups.set(sum, [claim]);
  }
  const blocks: Uint8Array[] = [];
  for (const [sum, group] of [...groups].sort(([a], [b]) => a - b)) {
    for (let from = 0; from < group.length; from += CLAIMS_PER_BLOCK) {
      blocks.push(await encodeBlock(sum, wordsOf(group.slice(from, from + CLAIMS_PER_BLOCK))));
    }
  }
  return Buffer.concat([encodeHeader(game), ...blocks, encodeEnd(claims.length, blocks.length)]);
}
