import {
  type Board,
  canonical,
  cellCount,
  formatBoard,
  formatShape,
  GameError,
  packBoard,
  parseBoard,
  type Shape,
  unpackBoard,
} from "@gridlock/game";
import type { Claim } from "./claims.js";

/** Explains why a claim is not about a canonical board of the shape; `undefined` if it is. */
export function malformation(shape: Shape, claim: Claim): string | undefined {
  const cells = cellCount(shape);
  if (claim.board >> BigInt(4 * cells) !== 0n) {
    return `0x${claim.board.toString(16)} is not a board of ${formatShape(shape)}, which has ${cells} cells of four bits`;
  }
  const board = unpackBoard(shape, claim.board);
  const impossible = impossibility(board);
  if (impossible !== undefined) return impossible;
  const form = canonical(board);
  if (packBoard(form) !== claim.board) {
    return `${formatBoard(board)} is not the canonical form of its images, which is ${formatBoard(form)}`;
  }
  if (claim.lo === 0 && claim.hi === Number.POSITIVE_INFINITY) {
    return "nothing is claimed; expected a lower claim, an upper claim or both";
  }
  return undefined;
}

/** Explains why a board is unreachable, if its tiles show it: the notation rejects it. */
function impossibility(board: Board): string | undefined {
  try {
    parseBoard(formatBoard(board));
    return undefined;
  } catch (error) {
    if (error instanceof GameError) return error.message;
    throw error;
  }
}
