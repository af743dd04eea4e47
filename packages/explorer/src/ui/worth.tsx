import { type Bound, isExact } from "@gridlock/game";
import { formatBound, formatNumber } from "../logic/words.js";

/** A value as text; an open interval is marked as one. */
export function Points({
  bound,
  format = formatBound,
}: {
  readonly bound: Bound;
  /** Formats an open interval, shorter than in words where there is little room. */
  readonly format?: (bound: Bound) => string;
}) {
  if (isExact(bound)) return <>{formatNumber(bound.lo)}</>;
  return (
    <span
      class="open"
      title={
        Number.isFinite(bound.hi)
          ? "proven bounds; the value is not settled"
          : "a proven lower bound at most; the value is not known"
      }
    >
      {format(bound)}
    </span>
  );
}
