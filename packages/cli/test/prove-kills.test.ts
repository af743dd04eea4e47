import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "@gridlock/game";
import { GRIDLOCK, gridlock, Process, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

const CERTIFICATE = "results/gridlock.2x5.certificate";
/** Kills of the long test, and of one proof at most. */
const KILLS = 100;
const MOST_KILLS = 10;

describe("prove", () => {
  const long = { tags: ["long"], timeout: 1_200_000 };
  it("makes the same certificate however often it is killed", long, async () => {
    const folder = temporaryFolder();
    const file = join(folder, CERTIFICATE);
    expect((await gridlock(folder, ["solve", "2x5", "--quiet"])).code).toBe(0);
    const begin = () => new Process(GRIDLOCK, ["prove", "2x5"], { cwd: folder });
    let began = performance.now();
    expect((await begin().ended).code).toBe(0);
    /** Milliseconds of the last proof that nothing has killed: other tests may end meanwhile. */
    let span = performance.now() - began;
    const expected = readFileSync(file);
    const random = seededRandom(1);
    let resumed = 0;
    for (let kills = 0; kills < KILLS; ) {
      rmSync(file);
      for (let kill = 0; !existsSync(file); kill++) {
        began = performance.now();
        await using prove = begin();
        if (kill < MOST_KILLS) {
          await Promise.race([sleep(random() * span), prove.ended]);
          if ((await prove.kill()).signal === "SIGKILL") kills++;
          else if (kill === 0) span = performance.now() - began;
        } else await prove.ended;
        if (existsSync(`${file}.state`)) resumed++;
      }
      // `toEqual` takes seconds for a megabyte.
      expect(readFileSync(file).equals(expected)).toBe(true);
    }
    expect(resumed).toBeGreaterThan(0);
  });

  it("stopped by Ctrl-C says so, and goes on later", async () => {
    const folder = temporaryFolder();
    expect((await gridlock(folder, ["solve", "2x3", "--quiet"])).code).toBe(0);
    const stopped = await gridlock(folder, ["prove", "2x3"], { interrupt: true, slowed: 60_000 });
    expect(stopped).toMatchObject({ code: 130, stdout: "" });
    expect(stopped.stderr).toContain("stopping; the same command goes on where it was last saved");
    expect(existsSync(join(folder, "results/gridlock.2x3.certificate"))).toBe(false);
    expect((await gridlock(folder, ["prove", "2x3"])).code).toBe(0);
  });
});
