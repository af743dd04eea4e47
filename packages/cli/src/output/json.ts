import { type Bound, formatShape, type Game, isExact } from "@gridlock/game";

/** Returns the value of a bound for JSON: null while it is unknown. */
export function provenValue(bound: Bound): number | null {
  return isExact(bound) ? bound.lo : null;
}

/** Returns a game for JSON. */
export function gameAsJson({ shape, tiles }: Game) {
  return { shape: formatShape(shape), tiles };
}
