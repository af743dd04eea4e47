import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "@gridlock/game";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder with a database in which 2×2 is solved and proven. */
let folder: string;
let whole: Buffer;
const random = seededRandom(4);

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  await json(folder, ["solve", "2x2", "--json"]);
  await json(folder, ["prove", "2x2", "--json"]);
  whole = readFileSync(join(folder, "results/gridlock.db"));
});

const DAMAGE: Record<string, () => Buffer> = {
  "with a bit flipped": () => {
    const bytes = Buffer.from(whole);
    const bit = Math.floor(8 * bytes.length * random());
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    return bytes;
  },
  "with a page of noise": () => {
    const bytes = Buffer.from(whole);
    const page = 4096 * Math.floor((bytes.length / 4096) * random());
    for (let at = page; at < page + 4096; at++) bytes[at] = Math.floor(256 * random());
    return bytes;
  },
  "cut short": () => whole.subarray(0, 1 + Math.floor((whole.length - 1) * random())),
};

describe("a solution database", () => {
  it.each(Object.keys(DAMAGE))("%s gives right values or a clear error", async (kind) => {
    for (let i = 0; i < 5; i++) {
      const file = join(folder, `damaged-${i}.db`);
      writeFileSync(file, (DAMAGE[kind] as () => Buffer)());
      const copy = join(folder, `copy-${i}.db`);
      copyFileSync(file, copy);
      const outcomes = await Promise.all([
        gridlock(folder, ["query", "2 2/0 0", "--json", "--db", file]),
        gridlock(folder, ["verify", "2x2", "--json", "--db", copy]),
      ]);
      outcomes.push(await gridlock(folder, ["solve", "2x2", "--json", "--quiet", "--db", copy]));
      const [query, verify, solve] = outcomes.map(({ code, stdout, stderr }) => {
        // A sentence, not the innards of a program.
        expect(stderr).not.toMatch(/\n +at /);
        if (code !== 0 && stdout === "") expect(stderr).toMatch(/^error: .+\n$/);
        return code === 0 ? JSON.parse(stdout) : undefined;
      });
      if (query) expect(query).toMatchObject({ value: 12 });
      if (solve) {
        const values = solve.starts.map(({ value }: { value: number }) => value);
        expect(values).toEqual([12, 12, 8, 8, 8, 8]);
      }
      if (verify) expect(verify).toMatchObject({ complete: true });
    }
  });
});
