import type { Bound } from "@gridlock/game";
import { isSettled } from "../logic/grade.js";
import { formatBound, formatNumber, formatOneBound, formatShortBound } from "../logic/words.js";

/** A value as text; an open interval is marked as one. */
export function Points({
  bound,
  short = false,
}: {
  readonly bound: Bound;
  /** Set where there is room for a few characters, or for one bound only, as in a cell. */
  readonly short?: boolean | "cell";
}) {
  if (isSettled(bound)) return <>{formatNumber(bound.lo)}</>;
  return (
    <span
      class="open"
      title={
        Number.isFinite(bound.hi)
          ? "proven bounds; the value is not settled"
          : "a proven lower bound at most; the value is not known"
      }
    >
      {withBreak(
        short === "cell"
          ? formatOneBound(bound)
          : short
            ? formatShortBound(bound)
            : formatBound(bound),
      )}
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
