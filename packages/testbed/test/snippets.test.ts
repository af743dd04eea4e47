import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { patternOf, snippetsOf, stepsOf, temporaryFolder } from "../src/index.js";

const PAGE = `# Page

<!-- not run: takes an hour -->
\`\`\`console
$ npx gridlock solve 2x6 \\
    --quiet
start  value
…
$ ls
\`\`\`

Text.

\`\`\`json
{"a": 1}
\`\`\`
`;

it("finds the fenced blocks of a page, and the commands and outputs of a console", () => {
  const file = join(temporaryFolder(), "page.md");
  writeFileSync(file, PAGE);
  const [console, json] = snippetsOf(file);
  expect(console).toMatchObject({
    line: 4,
    language: "console",
    note: "not run: takes an hour",
  });
  expect(json).toMatchObject({ line: 14, language: "json", note: undefined, lines: ['{"a": 1}'] });
  expect(console && stepsOf(console)).toEqual([
    { command: "npx gridlock solve 2x6 \\\n    --quiet", output: ["start  value", "…"] },
    { command: "ls", output: [] },
  ]);
  writeFileSync(file, "```console\n$ ls\n");
  expect(() => snippetsOf(file)).toThrow(/page.md:1: the fence is not closed/);
});

describe("the pattern of an output", () => {
  const matches = (command: string, shown: string, printed: string) =>
    patternOf({ command, output: shown.split("\n") }).test(`${printed}\n`);

  it.each([
    ["times and threads", "done in 1.94 s, 2 threads", "done in 1 min 3 s, 16 threads"],
    ["left out lines", "a\n…\nd", "a\nb\nc\nd"],
    ["no line left out", "a\n…\nd", "a\nd"],
    ["the rest of a line", "best …", "best of all"],
    ["widths of columns", "a   1", "a      1"],
  ])("allows for %s", (_, shown, printed) => {
    expect(matches("npx gridlock status", shown, printed)).toBe(true);
  });

  it.each([
    ["another value", "2 2/0 0     12", "2 2/0 0     16"],
    ["another line", "a\nb", "a\nb\nc"],
    ["a missing line", "a\nb\n…", "a"],
    ["another word", "all 28 values", "all 27 values"],
    ["a pattern's signs", "a.c", "abc"],
  ])("refuses %s", (_, shown, printed) => {
    expect(matches("npx gridlock status", shown, printed)).toBe(false);
  });

  it("allows other node counts and lines of play only in searches", () => {
    const shown = "2 2/0 0     12  4 2/8 4\n13 positions in 5 ms";
    const printed = "2 2/0 0     12  2 4/8 2\n14 positions in 6 ms";
    expect(matches("npx gridlock solve 2x2", shown, printed)).toBe(true);
    expect(matches("npx gridlock tabulate 2x2", shown, printed)).toBe(false);
    expect(matches("npx gridlock solve 2x2", shown, printed.replace(" 12 ", " 8 "))).toBe(false);
  });
});
