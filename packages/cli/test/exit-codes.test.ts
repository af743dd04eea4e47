import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gridlock, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, expect, it } from "vitest";

/** A folder with a database, a damaged one, a certificate, a damaged one, and a text. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  const run = (line: string) => gridlock(folder, line.split(" "));
  expect(await run("solve 2x2 --db solved.db")).toMatchObject({ code: 0 });
  expect(await run("prove 2x2 --db solved.db")).toMatchObject({ code: 0 });
  const damage = (from: string, to: string, at: number) => {
    const bytes = readFileSync(join(folder, from));
    writeFileSync(join(folder, to), bytes.fill(0xff, at));
  };
  damage("solved.db", "damaged.db", 200);
  damage("solved.2x2.certificate", "damaged", 200);
  writeFileSync(
    join(folder, "text"),
    "A text, and longer than the header of any file.\n".repeat(9),
  );
});

/** The table of docs/commands.md: causes, their code, and command lines that meet with them. */
const TABLE = [
  [
    "an option that is not valid",
    2,
    ["solve 2x2 --workers 0", "serve --port x", "query --csv --json"],
  ],
  ["a shape or a board that is not valid", 2, ["solve 9x9", "query 2_0/2", "tabulate 2"]],
  [
    "a file that is missing",
    2,
    ["verify --certificate none", "play 2x2 --player ntuple", "serve --root none"],
  ],
  [
    "a file of another kind",
    2,
    ["solve", "query 2_2/0_0", "status", "prove", "verify", "tabulate", "serve"]
      .map((line) => (/solve|prove|verify|tabulate/.test(line) ? `${line} 2x2` : line))
      .map((line) => `${line} --db text`)
      .concat("verify --certificate text"),
  ],
  [
    "a file that lacks what the command needs",
    2,
    ["prove 2x2 --db new.db", "export 2x2 --db new.db", "analyze 2x2 --db solved.db"],
  ],
  [
    "a file that is damaged",
    1,
    ["solve 2x2 --db damaged.db", "status --db damaged.db", "verify --certificate damaged"],
  ],
  ["a file that cannot be written", 1, ["export 2x2 --db solved.db --output /proc/x"]],
] as const;

it.each(TABLE.flatMap(([cause, code, lines]) => lines.map((line) => [line, code, cause] as const)))(
  "gridlock %s ends with %d: %s",
  async (line, code) => {
    const ended = await gridlock(folder, line.split(" "));
    expect(ended.stderr).toMatch(/^error: /m);
    expect(ended).toMatchObject({ code, stdout: "" });
  },
);
