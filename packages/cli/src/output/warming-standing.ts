import { formatCount } from "@gridlock/report";
import type { WarmProgress } from "@gridlock/solver";
import type { Standing } from "./display.js";

const MIB = 2 ** 20;

/** Returns the standing of a table that is being made, and filled with the results of earlier runs. */
export function warmingStanding(progress: WarmProgress | undefined): Standing {
  if (progress === undefined) return { done: 0, total: 0, text: "making the table" };
  if ("made" in progress) {
    const [done, total] = [Math.floor(progress.made / MIB), Math.floor(progress.bytes / MIB)];
    return { unit: "MiB", done, total, text: "making the table", part: done / total };
  }
  if ("bounds" in progress) {
    const text = ["loading the database", `${formatCount(progress.bounds)} bounds`];
    return { done: 0, total: 0, text };
  }
  const { loaded: done, entries: total } = progress;
  return { unit: "entries", done, total, text: "loading the snapshot", part: done / total };
}
