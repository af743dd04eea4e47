import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import { beforeEach, describe, expect, it } from "vitest";

let folder: string;
/** The folder of the proof. */
let layers: string;

beforeEach(async () => {
  folder = temporaryFolder();
  layers = join(folder, "results/gridlock.3x3.layers");
  await json(folder, ["solve", "3x3", "--method", "layers", "--guess", "188", "--json"]);
});

describe("gridlock verify, of a shape solved by layers", () => {
  it("checks the files, unless there is a certificate or --method is given", async () => {
    const { code, stdout } = await gridlock(folder, ["verify"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^3x3: layers of [\d,]+ boards in 6 blocks \(.*\) checked in /);
    expect(stdout).toContain("3x3: the values of all 28 starts follow");
    const report = await json(folder, ["verify", "3x3", "--json"]);
    expect(report).toMatchObject({ shape: "3x3", method: "layers", complete: true, proven: 28 });
    expect(report.starts[0]).toMatchObject({ board: "2 2 0/0 0 0/0 0 0", value: 184 });
    await json(folder, ["prove", "3x3", "--json"]);
    const certificate = await json(folder, ["verify", "3x3", "--json"]);
    expect(certificate).toMatchObject({ method: "certificate", complete: true });
    const again = await json(folder, ["verify", "3x3", "--method", "layers", "--json"]);
    expect({ ...again, seconds: 0 }).toEqual({ ...report, seconds: 0 });
  });

  it("names damaged and missing files, and fails", async () => {
    const [first, second] = readdirSync(layers).filter((name) => name.endsWith(".block"));
    const file = join(layers, first as string);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    writeFileSync(file, bytes);
    rmSync(join(layers, second as string));
    const { code, stdout } = await gridlock(folder, ["verify", "3x3"]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${first} is damaged, ${second} is missing`);
    expect(stdout).toContain("3x3: NOT proven");
    rmSync(layers, { recursive: true });
    const gone = await gridlock(folder, ["verify", "3x3", "--method", "layers"]);
    expect(gone.code).toBe(1);
    expect(gone.stdout).toMatch(
      /28 values and no proof by layers in .*--method layers to make one/,
    );
  });

  it("stops at Ctrl-C, and refuses options that exclude each other", async () => {
    const stopped = await gridlock(folder, ["verify", "3x3"], { interrupt: true });
    expect(stopped).toMatchObject({
      code: 130,
      stdout: "",
      stderr: "stopping; nothing is saved\n",
    });
    for (const [args, words] of [
      [["--sample", "10"], /--sample is for certificates, but 3x3 is checked by its layers/],
      [
        ["--certificate", "x", "--method", "layers"],
        /--certificate cannot be combined with --method layers/,
      ],
    ] as const) {
      const { code, stderr } = await gridlock(folder, ["verify", "3x3", ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(words);
    }
  });
});
