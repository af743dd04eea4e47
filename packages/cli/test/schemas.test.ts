import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OUTPUT_SCHEMAS } from "@gridlock/schemas/outputs";
import { gridlock, temporaryFolder } from "@gridlock/testbed";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const PACKAGES = fileURLToPath(new URL("../..", import.meta.url));
const RESULTS = fileURLToPath(new URL("../../../results", import.meta.url));

const BOARD = "2 0/0 4";
const LARGE_BOARD = "2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 4";

let folder: string;

/** Runs a command; returns the JSON objects that it prints, and its exit code. */
async function run(args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await gridlock(
    folder,
    args,
    input === undefined ? {} : { input },
  );
  if (stdout === "") throw new Error(stderr);
  return {
    code,
    found: stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

function expectToFit(name: string, value: unknown): void {
  const parsed = OUTPUT_SCHEMAS[name]?.schema.parse(value);
  // A schema that does not refuse a field that it lacks leaves it out.
  expect(parsed).toEqual(value);
}

beforeAll(() => {
  folder = temporaryFolder(afterAll);
});

/** Commands in a possible order, with the names of their schemas and their exit codes. */
const RUNS: [name: string, args: string, code?: number][] = [
  ["solve", "solve 2x6 --for 0.1s --memory 300M", 3],
  ["solve", "solve 2x2"],
  ["solve", "solve 2x2"],
  ["solve", "solve 1x3"],
  ["solve-goal", "solve 2x2 --goal tile:16"],
  ["verify", "verify 2x2", 1],
  ["prove", "prove 2x2"],
  ["verify", "verify 2x2"],
  ["simulate", "simulate 2x2 --machines 1,2 --seeds 1,2 --memory 4M"],
  ["tabulate", "tabulate 2x2 --reach 16"],
  ["tabulate", "tabulate 2x2 --tiles 2"],
  ["variants", "variants 2x2"],
  ["analyze", "analyze 2x2"],
  ["analyze", "analyze 2x2 --tiles 2"],
  ["analyze-board", "analyze 2x2 --board 2,0/0,4"],
  ["query", `query ${BOARD} --player emr`],
  ["query", `query ${BOARD} placer`],
  ["query", `query ${LARGE_BOARD} --budget 0`],
  ["query-values", `query ${BOARD} --values`],
  ["status", "status"],
  ["play", "play 2x2 --player emr --games 1"],
  ["assess", "assess 2x2 --player emr --moves"],
  ["assess", "assess 2x5 --player emr --budget 0"],
  ["train", "train 2x2 --games 3"],
  ["paper-table1", "paper table1"],
];

describe("the output of --json fits its schema:", () => {
  it.each(RUNS)("%s, %s", async (name, args, code: number = 0) => {
    const words = (args.startsWith("query") ? args.replaceAll("/", " / ") : args).split(" ");
    const { found, code: ended } = await run(
      [...words, "--json", "--quiet"].filter(accepts(words)),
    );
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expectToFit(name, one);
    expect(ended).toBe(code);
  });

  it("query, lines of a batch", async () => {
    const { found } = await run(["query", "--json"], `${BOARD}\nno board\n`);
    for (const one of found) expectToFit("query", one);
    expect(found).toMatchObject([{ value: 8 }, { error: expect.any(String) }]);
  });

  it("export", async () => {
    const { stdout } = await gridlock(folder, ["export", "2x2", "--format", "json"]);
    expectToFit("export", JSON.parse(stdout));
  });
});

/** Returns whether the command of these words has an option. */
function accepts([command]: readonly string[]) {
  const noisy = ["solve", "simulate", "tabulate", "variants", "play", "assess", "train", "paper"];
  return (word: string) => word !== "--quiet" || noisy.includes(command as string);
}

describe("the files of results/", () => {
  const experiments = Object.keys(OUTPUT_SCHEMAS).flatMap((name) =>
    name.startsWith("paper-") && name !== "paper-all" ? [name.slice("paper-".length)] : [],
  );

  it.each(experiments)("paper/%s.json fits its schema", (name) => {
    const text = readFileSync(join(RESULTS, "paper", `${name}.json`), "utf8");
    const { experiment, title, command, machine, date, ...data } = JSON.parse(text);
    expect(experiment).toBe(name);
    expectToFit(`paper-${name}`, data);
  });

  it.each(readdirSync(RESULTS).filter((file) => /^\d+x\d+(-tiles-2)?\.json$/.test(file)))(
    "%s fits its schema",
    (file) => {
      expectToFit("export", JSON.parse(readFileSync(join(RESULTS, file), "utf8")));
    },
  );
});

it("every command with --json has a schema", async () => {
  const described = Object.values(OUTPUT_SCHEMAS).map(({ command }) => command);
  const hasJson = (command: Command) => command.options.some(({ long }) => long === "--json");
  const lists: string[] = [];
  const files = ["cli", "lab"].flatMap((owner) =>
    readdirSync(join(PACKAGES, owner, "src/commands")).map(
      (file) => `${owner}/dist/commands/${file.replace(/ts$/, "js")}`,
    ),
  );
  for (const file of files) {
    const module: Record<string, unknown> = await import(join(PACKAGES, file));
    for (const [name, make] of Object.entries(module)) {
      if (!name.endsWith("Command")) continue;
      const command = (make as () => Command)();
      const all = [
        command,
        ...command.commands.map((below) => below.name(`${command.name()} ${below.name()}`)),
      ];
      lists.push(...all.filter(hasJson).map((one) => `gridlock ${one.name()}`));
    }
  }
  expect(lists.length).toBeGreaterThan(15);
  for (const command of lists) {
    expect(described).toContainEqual(expect.stringMatching(new RegExp(`^${command} `)));
  }
});
