import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import {
  canonical,
  formatBoard,
  packBoard,
  parseBoard,
  placements,
  slides,
  unpackBoard,
} from "@gridlock/game";
import {
  beginSolves,
  GRIDLOCK,
  gridlock,
  json,
  Oracle,
  Process,
  temporaryFolder,
  until,
} from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

/** The default database in a folder. */
const databaseIn = (folder: string) => join(folder, "results/gridlock.db");

/** A folder with a database in which a solve of a shape has begun. */
function begunFolder(shape: string): string {
  const folder = temporaryFolder();
  beginSolves(databaseIn(folder), shape);
  return folder;
}

describe("gridlock query", () => {
  it("answers a position with its value, its moves, a line of best play and its end", async () => {
    const answer = await json(temporaryFolder(), ["query", "2 2/0 0", "--json"]);
    expect(answer).toMatchObject({ board: "2 2/0 0", turn: "slider", lo: 12, hi: 12, value: 12 });
    expect(answer.moves).toEqual([
      { move: "left", score: 4, lo: 8, hi: 8, value: 8, verdict: "best" },
      { move: "down", score: 0, lo: 12, hi: 12, value: 12, verdict: "best" },
      { move: "right", score: 4, lo: 8, hi: 8, value: 8, verdict: "best" },
    ]);
    expect(answer.line.length % 2).toBe(0);
    expect(parseBoard(answer.end).board.cells).not.toContain(0);
  });

  it("answers an afterstate with each placement", async () => {
    const answer = await json(temporaryFolder(), ["query", "4 0/2 8 placer", "--json"]);
    expect(answer).toMatchObject({ board: "4 0/2 8", turn: "placer", value: 0 });
    expect(answer.moves.map(({ place }: { place: string }) => place)).toEqual(["2@1,2", "4@1,2"]);
  });

  it("takes a board in several words, and prints for people", async () => {
    const { code, stdout } = await gridlock(temporaryFolder(), ["query", "2", "2/0", "0"]);
    expect(code).toBe(0);
    expect(stdout).toContain("2x2, slider to move, value 12");
    expect(stdout).toContain("best play: ");
    expect(stdout).not.toContain("\u001b");
  });

  it("marks all best moves, as the oracle does", async () => {
    const folder = temporaryFolder();
    const boards = ["2 2/0 0", "0 0 2/0 0 2", "2 0 0/2 0 0 placer", "2 4 2/4 2 4"];
    const { stdout } = await gridlock(folder, ["query", ...boards]);
    const pages = stdout.split(/^(?=(?: +(?:\d+|·))+\n.*\n\n\dx\d, )/m);
    expect(pages).toHaveLength(boards.length);
    for (const [i, text] of boards.entries()) {
      const page = pages[i] as string;
      const rows = [...page.matchAll(/^(\*| ) (\w+|\d+@\d,\d) +(\d+) +(\d+) +(\d+) +(.*)$/gm)];
      const { board, turn } = parseBoard(text);
      const oracle = new Oracle({ shape: board, tiles: [2, 4] });
      const value = turn === "slider" ? oracle.position(board) : oracle.afterstate(board);
      for (const [, mark, , , , all, verdict] of rows) {
        const lost = Math.abs(Number(all) - value);
        expect([mark, verdict], text).toEqual(
          lost === 0 ? ["*", "best"] : [" ", `worse by ${lost}`],
        );
      }
      const count = turn === "slider" ? slides(board).length : placements(board, [2, 4]).length;
      expect(rows).toHaveLength(count);
      expect(page.includes("\n\n* best\n")).toBe(count > 0);
    }
  });

  it("wraps its line of play to 80 columns in a pipe", async () => {
    const { stdout } = await gridlock(temporaryFolder(), ["query", "2 2 0/0 0 0/0 0 0"]);
    const lines = stdout.split("\n");
    const first = lines.findIndex((line) => line.startsWith("best play: "));
    expect(lines[first + 1]).toMatch(/^ {11}\S/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[first]?.length).toBeGreaterThan(70);
  });

  it("answers several boards, one after the other", async () => {
    const folder = temporaryFolder();
    const boards = ["2 2/0 0", "2 0 0/0 0 2", "placer", "· 2\n2 ."];
    const pages = await gridlock(folder, ["query", ...boards]);
    expect(pages.stdout.match(/^\dx\d, (slider|placer) to move, value \d+$/gm)).toEqual([
      expect.stringMatching(/^2x2, slider/),
      expect.stringMatching(/^2x3, placer/),
      expect.stringMatching(/^2x2, slider/),
    ]);
    const { stdout } = await gridlock(folder, ["query", "--json", ...boards]);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ board, turn }) => [board, turn])).toEqual([
      ["2 2/0 0", "slider"],
      ["2 0 0/0 0 2", "placer"],
      ["0 2/2 0", "slider"],
    ]);
    const refused = await gridlock(folder, ["query", "2 2/0 0", "2 3/16 0"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
  });

  it("reads the board that it draws", async () => {
    const folder = temporaryFolder();
    const { stdout } = await gridlock(folder, ["query", "2 0 0/0 16 0"]);
    const drawn = stdout.split("\n\n")[0] as string;
    expect(drawn).toContain("·");
    expect(await gridlock(folder, ["query", drawn])).toMatchObject({ code: 0, stdout });
  });

  it.each([
    [{ FORCE_COLOR: "1" }, true],
    [{ NO_COLOR: "1" }, false],
    [{}, false],
  ])("colours its boards in a pipe with %j: %s", async (env, isColoured) => {
    const { FORCE_COLOR: _, NO_COLOR: __, ...rest } = process.env;
    await using query = new Process(GRIDLOCK, ["query", "2 2/0 0"], {
      cwd: temporaryFolder(),
      env: { ...rest, ...env },
    });
    const { stdout } = await query.ended;
    expect(stdout.includes("\u001b[")).toBe(isColoured);
    expect(stripVTControlCharacters(stdout)).toMatch(/^ {2}2 {2}2\n {2}· {2}·\n/);
  });

  it("answers boards that no play reaches, if the rules allow them", async () => {
    for (const [board, value] of [
      ["0 0/0 0", 0],
      ["0 0/0 2", 12],
      ["0 0/0 0 placer", 8],
      ["2 4/8 2", 0],
    ] as const) {
      const { value: answer, moves } = await json(temporaryFolder(), ["query", board, "--json"]);
      const node = parseBoard(board);
      const oracle = new Oracle({ shape: node.board, tiles: [2, 4] });
      expect(answer, board).toBe(
        node.turn === "slider" ? oracle.position(node.board) : oracle.afterstate(node.board),
      );
      if (value === 0) expect(moves).toEqual([]);
    }
  });

  it("gives the proven interval when the time is too short, and saves its bounds", async () => {
    const folder = begunFolder("3x4");
    const args = [
      "query",
      "2 2 0 0/0 0 0 0/0 0 0 0",
      "--json",
      "--memory",
      "256M",
      "--no-published",
    ];
    const boundsKept = async () =>
      (await json(folder, ["status", "--json"])).games[0]?.bounds as number | undefined;
    let answer = await json(folder, [...args, "--budget", "1"]);
    // Bounds proven on the way are saved too, though no question was answered to the end.
    for (let seconds = 2; !(await boundsKept()); seconds *= 2) {
      answer = await json(folder, [...args, "--budget", `${seconds}`]);
    }
    expect(answer).toMatchObject({ value: null, line: [], end: null });
    expect(answer.lo).toBeLessThan(answer.hi);
    expect(answer.moves[0].value).toBeNull();
    const again = await json(folder, [...args, "--budget", "0"]);
    expect(again.lo).toBeGreaterThanOrEqual(answer.lo);
    expect(again.hi).toBeLessThanOrEqual(answer.hi);
  });

  it("shows the progress of a long search, which Ctrl-C ends with what it has proven", async () => {
    const folder = begunFolder("3x4");
    const board = "2 2 0 0/0 0 0 0/0 0 0 0";
    const args = ["query", "--json", "--no-published", "--memory", "256M", "--budget", "3600"];
    let bounds = 0;
    // Many of them are found on the way; on a slow machine, later.
    for (let lines = 1; bounds <= 10; lines *= 2) {
      await using process = new Process(GRIDLOCK, [...args, board], { cwd: folder });
      const progress = () => process.stderr.split(", searching for at most 1 h\n").length - 1;
      await until("it searches", () => progress() >= lines);
      const { code, stdout, stderr } = await process.kill("SIGINT");
      expect(code).toBe(130);
      expect(stderr).toMatch(/^2 2 0 0\/0 0 0 0\/0 0 0 0: [\d.]+ s, searching for at most 1 h$/m);
      expect(JSON.parse(stdout)).toMatchObject({ board, value: null });
      ({ bounds } = (await json(folder, ["status", "--json"])).games[0]);
    }
  });

  it("ends with a line if the thread that searches ends", async () => {
    const env = { ...process.env, KILL_THREAD: "0", KILL_THREAD_AFTER: "0" };
    const args = ["query", "2 2 0 0/0 0 0 0/0 0 0 0", "--no-published", "--budget", "3600"];
    const cwd = begunFolder("3x4");
    await using query = new Process(GRIDLOCK, args, { cwd, hook: "kill-thread", env });
    const { code, stdout, stderr } = await query.ended;
    const error = "error: the thread that answers ended unexpectedly\n";
    expect([code, stdout, stderr]).toEqual([1, "", error]);
  });

  it("answers the lines that have come with a long budget too, until Ctrl-C", async () => {
    const args = ["query", "--values", "--budget", "3600"];
    await using process = new Process(GRIDLOCK, args, { cwd: begunFolder("2x2") });
    process.child.stdin.write("2 2/0 0\n");
    await until("it has answered", () => process.stdout !== "");
    const { code, stdout, stderr } = await process.kill("SIGINT");
    const last = "stopping after saving what is proven; Ctrl-C again stops at once\n";
    expect(stderr).toMatch(new RegExp(`^(2 2/0 0: .* s, searching for at most 1 h\\n)*${last}$`));
    expect([code, stdout]).toEqual([130, "2 2/0 0: 12\n"]);
  });

  it.each([
    [
      "2 2 0 0/0 0 0 0/0 0 0 0",
      "3x4, slider to move, value 548\n\nsource: published in results/3x4",
    ],
    ["0 0 0 0 0 0 2/0 2 0 0 0 0 0", "2x7, slider to move, value 588\n\nsource: published in"],
    [
      "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0",
      "4x4, slider to move, at least 488\n\nsource: published in",
    ],
  ])("knows the published value of %s", async (board, known) => {
    const { stdout } = await gridlock(temporaryFolder(), ["query", board, "--budget", "0"]);
    expect(stdout).toContain(known);
    expect(stdout.includes("1,536 by the literature, not checked here")).toBe(
      known.startsWith("4x4"),
    );
    const without = ["query", board, "--budget", "0", "--no-published"];
    const { stdout: page } = await gridlock(temporaryFolder(), without);
    expect(page).toMatch(/slider to move, (at least 4|value not known)\n/);
    expect(page).not.toMatch(/published|literature/);
  });

  it("leaves no shape behind of which no solve has begun, and saves what it proves of others", async () => {
    const folder = temporaryFolder();
    const query = async () => {
      const input = "2 2/0 0\n2 0 4/\n";
      const all = await gridlock(folder, ["query", "--values"], { input });
      expect(all).toMatchObject({ code: 0, stdout: "2 2/0 0: 12\n2 0 4/: 0\n", stderr: "" });
    };
    expect((await gridlock(folder, ["query", "2 0 4/"])).code).toBe(0);
    await query();
    expect((await json(folder, ["status", "--json"])).games).toEqual([]);
    expect((await gridlock(folder, ["status", "--no-published"])).stdout).toMatch(
      /: nothing is saved yet\n$/,
    );
    beginSolves(databaseIn(folder), "2x2");
    await query();
    const { games } = await json(folder, ["status", "--json"]);
    expect(games).toMatchObject([{ shape: "2x2", starts: 6 }]);
    expect(games[0].bounds).toBeGreaterThan(0);
  });

  it("answers boards of a shape that cannot be searched with an interval", async () => {
    const board = `${"2 4 ".repeat(6)}0/`; // a single row
    const answer = await json(temporaryFolder(), ["query", board, "--json"]);
    expect(answer.value).toBeNull();
    expect(answer.lo).toBeLessThan(answer.hi);
    expect(answer.unsearched).toMatch(/^1x13 cannot be searched; the search goes up to 16 cells/);
    for (const values of [[], ["--values"]]) {
      const { code, stdout } = await gridlock(temporaryFolder(), ["query", board, ...values]);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /not searched: 1x13 cannot be searched; the search goes up to 16 cells/,
      );
    }
  });

  it.each([
    ["2x7", "2 4 8 16 32 4 8/64 128 256 8 16 4 4"],
    ["3x5", "2 4 8 16 32/64 128 256 2 4/8 16 32 4 4"],
    ["4x4", "2 4 8 16/32 64 128 256/2 4 16 32/64 128 4 4"],
  ])("searches boards of %s in as little memory as those of other shapes", async (_, board) => {
    const args = ["query", board, "--json"];
    const answer = await json(temporaryFolder(), [...args, "--memory", "24M"]);
    expect(answer).toMatchObject({ source: "search", value: expect.any(Number) });
    expect(answer).not.toHaveProperty("unsearched");
    const { code, stderr } = await gridlock(temporaryFolder(), [...args, "--memory", "1M"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/is too little; expected at least [\d,]+ \(\d+M\)/),
    ]);
  });

  it("answers boards of 16 cells with their value if the game is nearly over", async () => {
    const answer = await json(temporaryFolder(), [
      "query",
      "2 4 8 16/32 64 128 256/2 4 16 32/64 128 4 4",
      "--json",
    ]);
    expect(answer).toMatchObject({ lo: 8, hi: 8, value: 8 });
    expect(answer.moves.map(({ value }: { value: number }) => value)).toEqual([0, 0]);
  });

  it("answers every line of standard input with a line, in order, invalid ones too", async () => {
    const folder = temporaryFolder();
    const oracle = new Oracle({ shape: { rows: 2, cols: 3 }, tiles: [2, 4] }).valueAll();
    const nodes = [...oracle.nodes()].filter((_, i) => i % 20 === 0);
    const texts = nodes.map(({ turn, board }) =>
      formatBoard(unpackBoard({ rows: 2, cols: 3 }, board), turn),
    );
    const input = ["2 2/0 0", "nonsense", "", ...texts, "2 3/16 0", "2 0/0 2"].join("\n");
    beginSolves(databaseIn(folder), "2x2", "2x3");
    for (const run of ["searched", "stored"]) {
      const { code, stdout, stderr } = await gridlock(folder, ["query", "--json"], { input });
      expect(code, run).toBe(2);
      expect(stderr).toMatch(/error: line 2: "nonsense"/);
      const answers = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(answers).toHaveLength(texts.length + 4);
      expect(answers[0].value).toBe(12);
      expect(answers[1]).toMatchObject({ board: "nonsense", error: expect.any(String) });
      expect(answers.at(-2)).toMatchObject({ board: "2 3/16 0", error: expect.any(String) });
      nodes.forEach(({ board, turn, value }, i) => {
        const answer = answers[i + 2];
        expect(answer.turn).toBe(turn);
        expect(packBoard(canonical(parseBoard(answer.board).board))).toBe(board);
        expect(answer.value).toBe(value);
      });
    }
  });

  it("repeats little of a line that is too long, and answers the others", async () => {
    const input = `2 2/0 0\n${"2 0/".repeat(30_000)}\n2 0/0 2\n`;
    const query = async (...flags: string[]) => {
      const found = await gridlock(temporaryFolder(), ["query", "--values", ...flags], { input });
      expect(found.code).toBe(2);
      expect(found.stderr).toMatch(/^error: line 2: the text is too long; expected at most 65536/);
      expect(found.stderr.length).toBeLessThan(400);
      return found.stdout.trimEnd().split("\n");
    };
    const lines = await query();
    expect(lines).toEqual(["2 2/0 0: 12", expect.stringMatching(/…: error$/), "2 0/0 2: 12"]);
    expect(lines[1]?.length).toBeLessThan(100);
    expect((await query("--json")).map((line) => JSON.parse(line).value)).toEqual([
      12,
      undefined,
      12,
    ]);
    const argument = ["query", "--budget", "x".repeat(10_000), "2 2/0 0"];
    const refused = await gridlock(temporaryFolder(), argument);
    expect(refused.stderr).toMatch(
      /^error: --budget: expected a number of seconds, 0 or more, not "x{79}…"\n/,
    );
    expect(refused.stderr.length).toBeLessThan(500);
  });

  it("answers one board for the lines of a board", async () => {
    const folder = temporaryFolder();
    const input = "2 0\n0 4\n\n  2  ·  ·\n  ·  4  · placer\n";
    const { stdout } = await gridlock(folder, ["query", "--values"], { input });
    expect(stdout).toBe("2 0/0 4: 8\n2 0 0/0 4 0 placer: 40\n");
    // In pieces, with the line ends of another system.
    await using query = new Process(GRIDLOCK, ["query", "--values"], { cwd: folder });
    for (const piece of ["2 0\r", "\n0 4\r", "\n\r\n"]) query.child.stdin?.write(piece);
    query.child.stdin?.end();
    expect((await query.ended).stdout).toBe("2 0/0 4: 8\n");
  });

  it("takes boards that begin with a dash, in digits, as exponents or with a shape", async () => {
    const folder = temporaryFolder();
    const values = async (...args: string[]) => {
      const { stdout, stderr } = await gridlock(folder, ["query", "--values", ...args]);
      return { lines: stdout.trimEnd().split("\n"), notes: stderr.match(/^note: .*/gm) ?? [] };
    };
    expect((await values("- 2/2 -", "-/2/2")).lines).toEqual(["0 2/2 0: 12", "0/2/2: 4"]);
    expect((await values("--shape", "2x2", "- 2 2 -")).lines).toEqual(["0 2/2 0: 12"]);
    expect((await values("--exponents", "1 0/0 2")).lines).toEqual(["2 0/0 4: 8"]);
    const digits = await values("10ff02ffffffffff", "0xffffffffff20ff01");
    expect(digits.lines).toEqual(["2 0/0 4: 8", "4 0/0 2: 8"]);
    expect(digits.notes).toEqual(new Array(2).fill(expect.stringMatching(/highest digit/)));
    const low = await values("--order", "low", "ffffffffff20ff01");
    expect(low).toEqual({ lines: ["2 0/0 4: 8"], notes: [] });
    expect((await values("1 0/0 2")).notes).toEqual([expect.stringMatching(/read as exponents/)]);
  });

  it("reads newline-delimited JSON as the HTTP API does", async () => {
    const folder = temporaryFolder();
    const entries = [
      "2 2/0 0",
      "2 2/0 0 placer",
      { board: "2 2/0 0", tiles: "2" },
      { board: "1 1 0 0", shape: "2x2", exponents: true, turn: "placer" },
      { board: "ffffffffff20ff01", order: "low" },
      {
        board: [
          [2, 2],
          [null, 0],
        ],
      },
    ];
    const input = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    const { stdout } = await gridlock(folder, ["query", "--json", "--values"], { input });
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const values = async (...args: string[]) =>
      (await json(folder, ["query", ...args, "--json", "--values"])).value;
    expect(answers.map(({ board, turn, value }) => [board, turn, value])).toEqual([
      ["2 2/0 0", "slider", 12],
      ["2 2/0 0", "placer", 12],
      ["2 2/0 0", "slider", await values("2 2/0 0", "--tiles", "2")],
      ["2 2/0 0", "placer", 12],
      ["2 0/0 4", "slider", 8],
      ["2 2/0 0", "slider", 12],
    ]);
    expect(answers[2].value).not.toBe(12);
    expect(await values('{"board":"2 2/0 0","tiles":"2"}')).toBe(answers[2].value);
    const wrong = '"2 3/16 0"\n{"board":"2 2/0 0","tiles":"8"}\n';
    const refused = await gridlock(folder, ["query", "--json"], { input: wrong });
    expect(refused.code).toBe(2);
    const [tile, tiles] = refused.stdout.split("\n");
    expect(JSON.parse(tile as string)).toMatchObject({ board: "2 3/16 0", code: "bad-tile" });
    expect(JSON.parse(tiles as string).error).toMatch(/^tiles is "8"; expected "2,4" or "2"\n/);
  });

  it("carries the fields of objects and the columns of tables through", async () => {
    const folder = temporaryFolder();
    const objects =
      '{"id":12345678901234567890,"board":[[2,0],[0,4]],"value":3.0,"code":"a"}\n{"id":8,"board":"2","code":"b"}\n';
    const { stdout } = await gridlock(folder, ["query", "--json", "--values"], { input: objects });
    const [answer, refused] = stdout.trimEnd().split("\n");
    expect(answer).toBe(
      '{"board":"2 0/0 4","turn":"slider","lo":8,"hi":8,"gridlock_value":8,"source":"search","id":12345678901234567890,"value":3.0,"code":"a"}',
    );
    expect(JSON.parse(refused as string)).toMatchObject({
      id: 8,
      board: "2",
      code: "b",
      gridlock_code: "one-row",
    });
    const fromJson = await gridlock(folder, ["query", "--csv", "--values"], { input: objects });
    expect(fromJson.stdout).toBe(
      "board,id,value,code,gridlock_value\n2 0/0 4,12345678901234567890,3.0,a,8\n2,8,,b,\n",
    );
    const input = 'id,board,turn,who\n1,"2,0/0,4",placer,"a, b"\n2,oops,,me\n';
    const table = await gridlock(folder, ["query", "--csv"], { input });
    expect(table.code).toBe(2);
    expect(table.stdout).toBe(
      'id,board,turn,who,value,best\n1,"2,0/0,4",placer,"a, b",8,"4@1,2 4@2,1"\n2,oops,,me,,\n',
    );
    const taken = "id;value;Board;id\n 1;9007199254740993;2 0/0 4;01\n";
    const prefixed = await gridlock(folder, ["query", "--csv", "--values"], { input: taken });
    expect(prefixed.stdout).toBe(
      "id,value,Board,id,gridlock_value\n 1,9007199254740993,2 0/0 4,01,8\n",
    );
    const asJson = await gridlock(folder, ["query", "--json", "--values"], { input });
    expect(JSON.parse(asJson.stdout.split("\n")[0] as string)).toEqual({
      board: "2 0/0 4",
      turn: "placer",
      lo: 8,
      hi: 8,
      value: 8,
      source: "search",
      id: "1",
      who: "a, b",
    });
    const own = await gridlock(folder, ["query", "--csv", "2 2/0 0", "2 0/0 4"]);
    expect(own.stdout).toBe(
      "board,value,best\n2 2/0 0,12,left down right\n2 0/0 4,8,up left down right\n",
    );
    const both = await gridlock(folder, ["query", "--csv", "--json", "2 2/0 0"]);
    expect(both).toMatchObject({ code: 2, stdout: "" });
  });

  it("searches deeper than the stack, and still prints what is proven", async () => {
    const board = "2 2 0 0 0 0 0 0 0 0 0 0/";
    const args = ["query", board, "--tiles", "2", "--json", "--budget", "2"];
    const answer = await json(temporaryFolder(), args);
    expect(answer.lo).toBeLessThanOrEqual(answer.hi);
  });

  it("ends silently, with its bounds saved, when its reader closes the pipe", async () => {
    const folder = begunFolder("2x2");
    const input = "2 2/0 0\n".repeat(5000);
    const { code, stderr } = await gridlock(folder, ["query", "--json"], {
      input,
      during: (child) => child.stdout?.once("data", () => child.stdout?.destroy()),
    });
    expect(stderr).toBe("");
    expect(code).toBe(141);
    expect((await json(folder, ["status", "--json"])).games[0].exact).toBeGreaterThan(0);
  });

  it.each([
    ["", /the text is empty; expected a board/],
    ["2 2 0 0", /could be a board of 1x4 or of 2x2; end it with/],
    ["2x3", /solve 2x3 finds the values of its starts, and gridlock query "2 0 0\/0 2 0"/],
    ["2 0/0", /rows of equal length/],
    ["2 64/0 0", /too large for 2x2/],
    ["32 32/0 0", /sum to 64; expected at most 60 on 2x2/],
    ["2 4/8 2 placer", /no empty cell; expected at least one/],
    ["2 3/16 0", /3 is not a tile/],
  ])("refuses %j with a sentence", async (board, message) => {
    const { code, stdout, stderr } = await gridlock(temporaryFolder(), ["query", board, "--json"]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
  });

  it("refuses a file that is not a database, and does not touch it", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "notes.txt"), "not a database\n".repeat(20));
    const { code, stderr } = await gridlock(folder, ["query", "2 2/0 0", "--db", "notes.txt"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/notes.txt was not written by Gridlock; .*name another file with --db/);
  });
});
