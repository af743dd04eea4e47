import {
  type Board,
  type Bound,
  formatBoard,
  formatShape,
  type Game,
  isExact,
} from "@gridlock/game";

/** Returns the value of a bound for JSON: null while it is unknown. */
export function provenValue(bound: Bound): number | null {
  return isExact(bound) ? bound.lo : null;
}

/** Returns what a check reports of starts for JSON: null for an upper bound that is not known. */
export function checkedStartsAsJson<Start extends Bound & { readonly board: Board }>(
  starts: readonly Start[],
) {
  return starts.map(({ board, lo, hi, ...rest }) => ({
    board: formatBoard(board),
    lo,
    hi: Number.isFinite(hi) ? hi : null,
    ...rest,
  }));
}

/** Returns a game for JSON. */
export function gameAsJson({ shape, tiles }: Game) {
  return { shape: formatShape(shape), tiles };
}
