import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

describe("gridlock simulate", () => {
  it("replays a recorded run, the same each time", async () => {
    const folder = temporaryFolder();
    const solve = ["solve", "2x4", "--method", "layers", "--guess", "124", "--record", "run.jsonl"];
    const { code, stderr } = await gridlock(folder, solve);
    expect(code, stderr).toBe(0);
    const replayed = ["simulate", "run.jsonl", "--machines", "1,4", "--threads-per-machine", "2"];
    const { shape, guess, visits, replays } = await json(folder, [...replayed, "--json"]);
    expect({ shape, guess }).toEqual({ shape: "2x4", guess: 124 });
    expect(visits).toBeGreaterThan(0);
    expect(replays).toMatchObject([{ machines: 1, efficiency: 1 }, { machines: 4 }]);
    // 5 ms of the queue for each visit, by default, except in remainders.
    const { queue } = replays[1].times;
    expect(queue).toBeGreaterThan(visits * 0.0025);
    expect(queue).toBeLessThan(visits * 0.005);
    expect(queue / 0.005).toBeCloseTo(Math.round(queue / 0.005), 6);
    const table = await gridlock(folder, replayed);
    expect(table.stdout).toMatch(/^2x4: \d+ visits in \d+ steps; .* of work, .*\nmachines +time /);
    expect(table.stdout).toMatch(/^ +4 .* threads without a task, [\d.]+ %$/m);
    expect((await gridlock(folder, replayed)).stdout).toBe(table.stdout);
  });

  it("takes longer on slower machines and networks, and less time without steps", async () => {
    const folder = temporaryFolder();
    await gridlock(folder, ["solve", "2x3", "--method", "layers", "--record", "run.jsonl"]);
    const seconds = async (...args: string[]) => {
      const all = ["simulate", "run.jsonl", "--machines", "2", "--json", ...args];
      return (await json(folder, all)).replays[0].seconds as number;
    };
    const usual = await seconds();
    expect(await seconds("--latency", "1s")).toBeGreaterThan(usual + 1);
    expect(await seconds("--open", "200ms")).toBeGreaterThan(usual + 0.2);
    expect(await seconds("--network", "1kbit/s")).toBeGreaterThan(usual + 0.2);
    expect(await seconds("--disk", "100B/s")).toBeGreaterThan(usual + 0.2);
    expect(await seconds("--forget", "--network", "1kB/s")).toBeGreaterThan(
      await seconds("--network", "1kB/s"),
    );
    expect(await seconds("--relaxed")).toBeLessThanOrEqual(usual);
  });

  it("refuses unusable input", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "table.md"), "# 2x3\n");
    for (const [args, words] of [
      [["simulate", "missing"], /cannot open missing \(no such file or directory\)/],
      [["simulate", "table.md"], /cannot use table.md: line 1 .* damaged; expected a JSON object/],
      [["simulate", "table.md", "--network", "10"], /expected a rate such as 10Gbit\/s/],
      [["simulate", "table.md", "--latency", "5"], /expected a latency such as 200us/],
      [["simulate", "table.md", "--machines", "1,,2"], /expected a whole number from 1 to 4096/],
      [["solve", "2x3", "--record", "run.jsonl"], /--record needs --method layers/],
      [["solve", "2x3", "--split", "2"], /--split needs --method layers/],
      [
        ["solve", "2x3", "--method", "layers", "--record", "no/run.jsonl"],
        /--record no\/run.jsonl cannot be written \(no such file or directory/,
      ],
    ] as const) {
      const { code, stderr } = await gridlock(folder, args);
      expect(stderr).toMatch(words);
      expect(code).toBe(2);
    }
  });
});
