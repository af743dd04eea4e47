import type { Bound } from "@gridlock/game";
import { isSettled } from "../logic/grade.js";
import { formatBound, formatNumber } from "../logic/words.js";

/** A value as text; an open interval is marked as one. */
export function Points({ bound }: { readonly bound: Bound }) {
  if (isSettled(bound)) return <>{formatNumber(bound.lo)}</>;
  return (
    <span class="open" title="proven bounds; the value is not settled">
      {formatBound(bound)}
    </span>
  );
}
