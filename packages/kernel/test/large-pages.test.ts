import { existsSync, readFileSync } from "node:fs";
import { type Game, parseShape } from "@gridlock/game";
import { createTable, partsOf, preferLargePages } from "@gridlock/kernel";
import { expect, test } from "vitest";

const MIB = 2 ** 20;

/** Returns the MiB of this process's memory for which large pages were requested. */
function advisedMiB(): number {
  const areas = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const kib = areas
    .filter((area) => /^VmFlags:.* hg\b/m.test(area))
    .map((area) => Number(/^Size: +(\d+) kB/m.exec(area)?.[1]));
  return kib.reduce((sum, size) => sum + size, 0) / 1024;
}

const LARGE_PAGES = "/sys/kernel/mm/transparent_hugepage/enabled";

test.runIf(existsSync(LARGE_PAGES)).each([
  { where: "in one memory", largest: undefined },
  { where: "in several", largest: 48 * MIB },
])("large pages are requested for a table $where, and for nothing else", ({ largest }) => {
  const game: Game = { shape: parseShape("2x5"), tiles: [2, 4] };
  const before = advisedMiB();
  const table = createTable(game, 128 * MIB, 2, largest === undefined ? {} : { largest });
  expect(table.shards.length > 0).toBe(largest !== undefined);
  expect(advisedMiB()).toBe(before);
  expect(preferLargePages(partsOf(table))).toBe(true);
  const bytes = (table.buckets * 32) / MIB;
  expect(advisedMiB() - before).toBeGreaterThan(bytes - 1);
  expect(advisedMiB() - before).toBeLessThan(bytes + 1);
});
