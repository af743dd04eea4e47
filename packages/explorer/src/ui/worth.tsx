import { type Bound, isExact } from "@gridlock/game";
import { formatBound, formatNumber } from "../logic/words.js";

/** A value as text; an open interval is marked as one. */
export function Points({
  bound,
  format = formatBound,
}: {
  readonly bound: Bound;
  /** Formats an open interval; shorter than in words where there is room for a few characters only. */
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
      {withBreak(format(bound))}
    </span>
  );
}

/** Lets an interval go on in a new line after its dash. */
function withBreak(text: string) {
  const [lo, hi] = text.split("–");
  return hi === undefined ? (
    text
  ) : (
    <>
      {lo}–<wbr />
      {hi}
    </>
  );
}
