import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as timing from "../src/timing.js";

const PAGE = new URL("../../../docs/protocol.md", import.meta.url);

/** Returns the numbers of `timing.ts` by name. */
function numbers(): [name: string, value: number][] {
  return Object.entries(timing).flatMap(([name, value]): [string, number][] =>
    typeof value === "number"
      ? [[name, value]]
      : Object.entries(value).map(([use, each]) => [`${name}.${use}`, each]),
  );
}

describe("the times", () => {
  it("are those that docs/protocol.md lists", () => {
    const rows = readFileSync(PAGE, "utf8").matchAll(/^\| `([A-Z_]+(?:\.\w+)?)` \| ([\d,]+) \|/gm);
    const listed = [...rows].map(([, name, value = ""]) => [name, Number(value.replace(",", ""))]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(numbers()));
  });

  /** Times that rise, and the reason why. */
  it.each<[reason: string, ...times: number[]]>([
    [
      "a connection that is made again loses some beats, and nobody counts as gone",
      timing.MOST_RECONNECT_MS + 3 * timing.BEAT_MS,
      timing.GONE_MS,
    ],
    ["a killed coordinator expires before the next one gives up", timing.GONE_MS, timing.LEAD_MS],
    [
      "our coordinator overwrites a stray message of another protocol before a worker ends",
      3 * timing.BEAT_MS,
      timing.FOREIGN_MS,
    ],
    ["a report has new counts", timing.MEASURE_MS, timing.BEAT_MS],
    [
      "a beat whose replies take 2 s is not a silent server",
      timing.BEAT_MS + 2000,
      timing.UNHEALTHY_MS,
    ],
    ["nor is its connection lost", 2 * 2000, timing.SILENT_MS.commands],
    ["a start makes more than one attempt", timing.CHECK_MS + timing.RETRY_MS, timing.START_MS],
    ["a start asks more than one node of a cluster", 2 * timing.NODE_MS, timing.START_MS],
    ["a reply that takes 2 s comes before a start gives up", 2000, timing.NODE_MS, timing.CHECK_MS],
    ["a delay before reconnecting grows", timing.RECONNECT_MS, timing.MOST_RECONNECT_MS],
    [
      "a command refused in each beat stays the same trouble until the run ends",
      timing.BEAT_MS + timing.RETRY_MS,
      timing.SETTLED_MS,
      timing.REFUSED_MS,
      timing.REMIND_MS,
    ],
    ["checks for expired locks come oftener than locks expire", timing.STALLED_MS, timing.LOCK_MS],
    [
      "reads that wait end before their connection counts as lost",
      timing.QUEUE_WAIT_MS + timing.BEAT_MS + timing.READ_MS,
      timing.SILENT_MS.blocking,
    ],
    ["a read of bounds that waits in vain is not yet silence", timing.READ_MS, timing.REREAD_MS],
    [
      "after one failure, a reader skips nothing, and a stream has all that it reads next",
      (timing.RETRY_MS + timing.LEAST_SHARE_MS) / timing.LEAST_SHARE_MS,
      timing.READ_BATCHES,
      timing.STREAM_MS / timing.LEAST_SHARE_MS,
    ],
    [
      "a table's receiver does not expire while its sender looks elsewhere",
      timing.TABLE_MS,
      timing.GONE_MS,
    ],
  ])("rise: %s", (_, ...times) => {
    expect(times.length).toBeGreaterThan(1);
    for (const [i, time] of times.slice(1).entries()) expect(times[i]).toBeLessThan(time);
  });
});
