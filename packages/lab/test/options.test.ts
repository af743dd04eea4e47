import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { EFFECTS } from "@gridlock/cli/command";
import { makeProgram } from "@gridlock/cli/main";
import { temporaryFolder } from "@gridlock/testbed";
import type { Command, Option } from "commander";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { RESEARCH } from "../src/main.js";

/** The program, whose commands do nothing. */
let program: Command;
/** An existing file. */
let file: string;

beforeAll(async () => {
  const folder = temporaryFolder(afterAll);
  file = join(folder, "file");
  writeFileSync(file, "");
  program = await makeProgram(RESEARCH);
  for (const command of program.commands) {
    command.action(() => {});
    for (const option of command.options) option.makeOptionMandatory(false);
  }
});

/** An option as it is given. */
interface Given {
  readonly name: string;
  readonly args: readonly string[];
}

/** Values of options by their argument, or by name where that does not say enough. */
const VALUES: Readonly<Record<string, string>> = {
  board: "2 2/0 0",

  url: "redis://x",
  "--public-url": "https://x.org/",
  "--base-url": "https://x.org/",
  shape: "2x2",
  shapes: "2x2",
  tiles: "2",
  time: "1s",
  goal: "tile:8",
  size: "64M",
  points: "8",
  tile: "8",
  name: "random",
  address: "127.0.0.1",
  order: "high",
  part: "0.01",
  list: "1",
  n: "2",
  nodes: "2",
  seconds: "2",
  port: "2",
  bytes: "2",
  games: "2",
};

function waysToGive(option: Option): Given[] {
  const name = option.attributeName();
  const long = option.long as string;
  if (!option.required) return [{ name, args: [long] }];
  if (option.argChoices) return option.argChoices.map((value) => ({ name, args: [long, value] }));
  const argument = /<([\w-]+)/.exec(option.flags)?.[1] as string;
  const paths: Record<string, string> = { file, folder: join(file, "..") };
  const value = paths[argument] ?? VALUES[long] ?? VALUES[argument];
  if (value === undefined) throw new Error(`this test has no value for ${option.flags}`);
  return [{ name, args: [long, value] }];
}

/** Parses a command line; returns the sentence that refuses it, if there is one. */
async function refusalOf(command: string, ...given: Given[]): Promise<string | undefined> {
  const shape = ["status", "serve", "worker"].includes(command) ? [] : ["2x2"];
  const args =
    command === "site" ? [join(file, "..")] : command === "completion" ? ["bash"] : shape;
  try {
    const options = given.flatMap((one) => one.args);
    await program.parseAsync(["node", "gridlock", command, ...args, ...options]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns whether the table refuses options that are given together. */
function isRefused(command: string, given: readonly Given[]): boolean {
  const has = (name: string) => given.some((one) => one.name === name);
  const { needs = [], excludes = [] } = EFFECTS[command] ?? {};
  return (
    excludes.some(([first, others]) => has(first) && others.some(has)) ||
    needs.some(([options, needed]) => options.some(has) && !needed.every(has))
  );
}

describe("options", () => {
  it("are refused, alone and in all pairs, exactly where the table says that they have no effect", async () => {
    let pairs = 0;
    for (const command of program.commands.filter(({ commands }) => commands.length === 0)) {
      const name = command.name();
      const ways = command.options.map(waysToGive);
      for (const [i, firsts] of ways.entries()) {
        for (const first of firsts) {
          for (const given of [
            [first],
            ...ways.slice(i + 1).flatMap((seconds) => seconds.map((second) => [first, second])),
          ]) {
            const refusal = await refusalOf(name, ...given);
            const line = `${name} ${given.flatMap(({ args }) => args).join(" ")}: ${refusal}`;
            expect(refusal !== undefined, line).toBe(isRefused(name, given));
            if (refusal) expect(refusal, line).toMatch(/^--.* (needs|cannot be combined with) --/);
            pairs++;
          }
        }
      }
    }
    expect(pairs).toBeGreaterThan(700);
  });

  it("in variables are ignored where they have no effect, and give way to those on the command line", async () => {
    const solve = program.commands.find((command) => command.name() === "solve") as Command;
    for (const name of ["GRIDLOCK_PREFIX", "GRIDLOCK_LOG_LEVEL"]) vi.stubEnv(name, "error");
    const option = (...args: string[]): Given => ({ name: "", args });
    expect(await refusalOf("solve")).toBeUndefined();
    vi.stubEnv("GRIDLOCK_REDIS", "redis://x");
    expect(await refusalOf("solve", option("--prefix", "x"))).toBeUndefined();
    expect(solve.opts()).toMatchObject({ redis: "redis://x", prefix: "x" });
    const status = program.commands.find((command) => command.name() === "status") as Command;
    expect(await refusalOf("status", option("--db", file))).toBeUndefined();
    expect(status.opts()).toMatchObject({ db: file });
    expect(status.getOptionValue("redis")).toBeUndefined();
    vi.unstubAllEnvs();
  });

  it("are refused by name beside GRIDLOCK_REDIS where solve could not follow both", async () => {
    vi.stubEnv("GRIDLOCK_REDIS", "redis://x");
    const redis: Given = { name: "redis", args: [] };
    const solve = program.commands.find((command) => command.name() === "solve") as Command;
    let refused = 0;
    for (const given of solve.options.flatMap(waysToGive)) {
      const refusal = await refusalOf("solve", redis, given);
      const line = `GRIDLOCK_REDIS and ${given.args.join(" ")}: ${refusal}`;
      const isRefusedBeside = isRefused("solve", [redis, given]);
      expect(refusal !== undefined, line).toBe(isRefusedBeside);
      if (!isRefusedBeside || isRefused("solve", [given])) continue;
      expect(refusal, line).toMatch(
        /^GRIDLOCK_REDIS cannot be combined with --.*; unset the variable$/,
      );
      expect(refusal, line).toContain(given.args[0]);
      refused++;
    }
    expect(refused).toBeGreaterThan(7);
    vi.unstubAllEnvs();
  });
});
