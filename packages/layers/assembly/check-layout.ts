/*
 * Layout of the linear memory of the check, which belongs to a single thread. The tables of
 * `boards` come first (see its `layout.ts`), then
 *
 *     MEMO        bounds shown without a claim (`claim-rules.ts`)
 *     FRAMES      the slides of the boards under way, for each depth
 *     FAILURES    claims that do not follow
 *     STAGE       bytes of a file, followed by zeros
 *     CLAIMS      the table of claims; it grows with the memory
 */
import { BOARDS_END } from "../../boards/assembly/layout";
import { SLIDES_BYTES } from "../../kernel/assembly/children";
import { SLID_BYTES } from "../../kernel/assembly/layout";
import { STAGE_BYTES } from "./layout";

export const MEMO: usize = (BOARDS_END + 63) & ~63;
/** A board with a bound shown without a claim. */
@unmanaged
export class Memo {
  board: u64;
  /** Lower bound, points / 4. */
  need: i32;
  unused: i32;
}
/**
 * Number of {@link Memo}s. In an earlier version, in which 2×6 had more boards to play out, it took half
 * the time with 2^20 of them than with 2^15.
 */
export const MEMO_LOG2: i32 = 20;
export const MEMO_BYTES: usize = offsetof<Memo>() << MEMO_LOG2;

/** Most placements after a claim's board while its merges are played out. */
export const MAX_DEPTH: i32 = 64;
export const FRAME_BYTES: usize = (SLID_BYTES + SLIDES_BYTES + 63) & ~63;
export const FRAMES: usize = MEMO + MEMO_BYTES;

/** A claim that does not follow. */
@unmanaged
export class Failure {
  board: u64;
  /** The claimed bound, points / 4. */
  bound: u32;
  /** Whether it is a lower or an upper bound; see `check.ts`. */
  side: u32;
}
/** Failures that are listed; all are counted. */
export const MAX_FAILURES: u32 = 32;
export const FAILURE_BYTES: usize = offsetof<Failure>();
export const FAILURES: usize = FRAMES + <usize>(MAX_DEPTH + 1) * FRAME_BYTES;

export const STAGE: usize = FAILURES + <usize>MAX_FAILURES * FAILURE_BYTES;
/** Zeros after the bytes of a file, enough to end a truncated number. */
export const STAGE_MARGIN: usize = 64;
export const CLAIMS: usize = STAGE + STAGE_BYTES + STAGE_MARGIN;
