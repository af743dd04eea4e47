import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonical, packNode, parseShape } from "@gridlock/game";
import { createTable, Kernel } from "@gridlock/kernel";
import { storeEntries } from "@gridlock/solver";
import { acquireLock, Database } from "@gridlock/store";
import { beginSolves, json, Oracle, temporaryFolder } from "@gridlock/testbed";
import { LEAST_MEMORY } from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { answerAsJson, worthAsJson } from "../src/index.js";
import { begunFile, freshFile, makeLibrary, openLibrary, query, tabulateBeside } from "./setup.js";

const START = "2 2 0/0 0 0";

describe("Library", () => {
  it("searches boards that it cannot look up, and looks them up from then on", () => {
    const library = openLibrary(freshFile());
    const asked = query(START);
    expect(library.lookUp(asked)).toBeUndefined();
    expect(library.lookUpWorth(asked)).toBeUndefined();
    const answer = library.answer(asked);
    const oracle = new Oracle({ shape: { rows: 2, cols: 3 }, tiles: [2, 4] });
    expect(answer.bound).toEqual({ lo: 44, hi: 44 });
    for (const { to, bound } of answer.moves) {
      expect(bound.lo).toBe(oracle.afterstate(to.board));
      expect(bound.hi).toBe(bound.lo);
    }
    expect(answer.line?.moves.length).toBeGreaterThan(3);
    expect(library.lookUp(asked)).toEqual(answer);
    expect(library.lookUpWorth(asked)?.bound).toEqual(answer.bound);
  });

  it("keeps games of other tiles apart", () => {
    const library = openLibrary(freshFile());
    expect(library.worth(query(START)).bound.lo).toBe(44);
    expect(library.worth(query(START, [2])).bound.lo).toBe(
      new Oracle({ shape: { rows: 2, cols: 3 }, tiles: [2] }).position(query(START).board),
    );
  });

  it("does not search a game that has no table", () => {
    const library = openLibrary(freshFile(), { tableBytes: () => undefined });
    const { bound, line } = library.answer(query(START));
    expect(bound.lo).toBeLessThan(bound.hi);
    expect(line).toBeUndefined();
  });

  it("names the source of a bound that follows from those of the moves, without a search", () => {
    const asked = query(START);
    const { moves } = openLibrary(freshFile()).answer(asked);
    const db = freshFile();
    {
      using database = Database.open(db);
      const stored = moves.map(({ to, bound }) => ({
        ...packNode({ turn: to.turn, board: canonical(to.board) }),
        ...bound,
      }));
      database.bounds({ shape: { rows: 2, cols: 3 }, tiles: [2, 4] }).merge(stored);
    }
    const library = openLibrary(db, { readOnly: true, tableBytes: () => undefined });
    expect(library.worth(asked).source).toBe("rules");
    expect(library.answer(asked)).toMatchObject({ bound: { lo: 44, hi: 44 }, source: "database" });
    expect(library.worth(asked).source).toBe("database");
    const nothing = openLibrary(freshFile(), { tableBytes: () => undefined });
    for (const board of [START, "2 4 0/0 0 8"]) {
      expect(nothing.answer(query(board)).source, board).toBe("rules");
    }
  });

  it("searches a published board briefly, unless all of the budget is wanted", () => {
    const library = openLibrary(freshFile(), { published: true });
    const asked = { ...query("2 2 0 0/0 0 0 0/0 0 0 0"), budget: 1000 };
    // It takes too long for its value to be found within these tests.
    const many = 30;
    let looks = 0;
    const isStopped = () => ++looks > many;
    library.answer({ ...asked, isStopped: () => false });
    library.answer({ ...asked, isStopped, wholeBudget: true });
    expect(looks).toBeGreaterThan(many);
  });

  it("sees bounds stored by others once it is refreshed", () => {
    const db = begunFile("2x3");
    const searching = openLibrary(db);
    const reading = openLibrary(db, { readOnly: true, tableBytes: () => undefined });
    const asked = query(START);
    expect(reading.lookUp(asked)).toBeUndefined();
    const answer = searching.answer(asked);
    searching.save();
    reading.refresh();
    expect(reading.lookUp(asked)).toEqual({ ...answer, source: "database" });
  });

  it("searches with the table entries that a solve has kept, and never with damaged ones", async () => {
    const db = begunFile("2x3");
    const asked = query(START);
    const table = createTable({ shape: parseShape("2x3"), tiles: [2, 4] }, 2 ** 24, 1);
    const kernel = new Kernel(table, 0);
    kernel.ask(packNode(asked), 44);
    {
      using database = Database.open(db);
      await storeEntries(table.game, database, kernel, {});
      database.run("UPDATE entries SET data = zeroblob(9)");
    }
    expect(() => openLibrary(db).worth(asked)).toThrow(/damaged/);
    {
      using database = Database.open(db);
      await storeEntries(table.game, database, kernel, {});
    }
    expect(openLibrary(db).worth(asked).bound).toEqual({ lo: 44, hi: 44 });
  });

  it("looks at once, however short ago it looked, when changes are expected", () => {
    const db = begunFile("2x3");
    const searching = openLibrary(db);
    const reading = openLibrary(db, { readOnly: true, tableBytes: () => undefined });
    const asked = query(START);
    const answer = searching.answer(asked);
    reading.refresh();
    expect(reading.lookUp(asked)).toBeUndefined();
    searching.save();
    reading.expectChanges();
    reading.refresh();
    expect(reading.lookUp(asked)).toEqual({ ...answer, source: "database" });
  });

  it("sees a tabulation made meanwhile once it is refreshed", async () => {
    const db = freshFile();
    const library = openLibrary(db);
    const asked = query(START);
    expect(library.answer(asked)).toMatchObject({ tabulated: false, expected: undefined });
    await tabulateBeside(db, START);
    library.refresh();
    const answer = library.lookUp(asked);
    expect(answer).toMatchObject({ tabulated: true, bound: { lo: 44, hi: 44 } });
    expect(answer?.expected).toBeGreaterThan(44);
    expect(answer?.moves.every(({ expected }) => expected !== undefined)).toBe(true);
    expect(library.lookUpWorth(asked)).toMatchObject({ expected: answer?.expected });
  });

  it("keeps what it proves until the database is no longer locked", () => {
    const db = begunFile("2x2");
    const warnings: string[] = [];
    const searching = openLibrary(db, { warn: (sentence) => warnings.push(sentence) });
    const reading = openLibrary(db, { readOnly: true, tableBytes: () => undefined });
    searching.worth(query("2 2/0 0"));
    searching.save();
    const asked = query("0 2/2 0");
    const lock = acquireLock(db, "testing");
    const { bound } = searching.worth(asked);
    expect(bound.lo).toBe(bound.hi);
    for (let again = 0; again < 2; again++) searching.save();
    expect(warnings).toEqual([expect.stringMatching(/test\.db is locked by another process: /)]);
    reading.expectChanges();
    reading.refresh();
    expect(reading.lookUpWorth(asked)).toBeUndefined();
    lock[Symbol.dispose]();
    searching.save();
    reading.expectChanges();
    reading.refresh();
    expect(reading.lookUpWorth(asked)?.bound).toEqual(bound);
  });

  it("saves nothing of games that the database does not list", () => {
    const db = begunFile("2x2");
    {
      using searching = makeLibrary(db);
      for (const board of ["2 2/0 0", START]) searching.worth(query(board));
      searching.save();
      searching.worth(query("2 2 2/0 0 0"));
    }
    using database = Database.open(db, { readOnly: true });
    const game = { shape: { rows: 2, cols: 2 }, tiles: [2, 4] } as const;
    expect(database.games()).toEqual([game]);
    expect(database.bounds(game).count().exact).not.toBe(0);
  });

  it("saves what it proves of a game once a solve of it has begun", () => {
    const db = freshFile();
    const game = { shape: { rows: 2, cols: 3 }, tiles: [2, 4] } as const;
    using database = Database.open(db);
    const searching = openLibrary(db);
    searching.worth(query(START));
    searching.save();
    expect(database.games()).toEqual([]);
    beginSolves(db, "2x3");
    searching.worth(query("2 2 2/0 0 0"));
    searching.save();
    expect(database.bounds(game).count().exact).not.toBe(0);
  });

  it("answers from a certificate that it checked, also after its file was replaced", async () => {
    const folder = temporaryFolder();
    for (const command of ["solve", "prove"]) {
      await json(folder, [command, "2x3", "--db", "first.db", "--json"]);
    }
    const path = (name: string) => join(folder, name);
    const db = path("test.db");
    const [proof, otherProof] = [path("test.2x3.certificate"), path("other.certificate")];
    copyFileSync(path("first.db"), db);
    for (const file of [proof, otherProof]) copyFileSync(path("first.2x3.certificate"), file);
    const warnings: string[] = [];
    const warn = (sentence: string) => warnings.push(sentence);
    const library = openLibrary(db, { verified: true, tableBytes: () => undefined, warn });
    const asked = query(START);
    const game = { shape: { rows: 2, cols: 3 }, tiles: asked.tiles };
    let checks = 0;
    const verify = async () => {
      const before = checks;
      const onProgress = () => checks++;
      await library.verify(game, { threads: 1, memory: LEAST_MEMORY, onProgress });
      expect(library.hasVerified(game)).toBe(true);
      return checks > before;
    };
    expect(await verify()).toBe(true);
    const value = { lo: 44, hi: 44 };
    expect(library.worth(asked).bound).toEqual(value);
    expect(await verify()).toBe(false);

    renameSync(otherProof, proof);
    expect(library.hasVerified(game)).toBe(false);
    expect(library.worth(asked).bound).toEqual(value);
    expect(await verify()).toBe(true);
    expect(library.worth(asked).bound).toEqual(value);

    const again = openLibrary(db, { verified: true, tableBytes: () => undefined, warn });
    checks = 0;
    const onProgress = () => checks++;
    await again.verify(game, { threads: 1, memory: LEAST_MEMORY, onProgress });
    expect(checks).toBe(0);
    expect(again.worth(asked).bound).toEqual(value);

    const changed = readFileSync(proof);
    changed[changed.length - 70] = (changed[changed.length - 70] as number) ^ 1;
    writeFileSync(proof, changed);
    await expect(verify()).rejects.toThrow(/damaged/);
  });

  it("omits unknown values from JSON", () => {
    const library = openLibrary(freshFile(), { tableBytes: () => undefined });
    const asked = query("2 4/8 2");
    expect(worthAsJson(library.worth(asked))).toEqual({
      board: "2 4/8 2",
      turn: "slider",
      lo: 0,
      hi: 0,
      value: 0,
      source: "rules",
    });
    expect(answerAsJson(library.answer(asked))).toEqual({
      board: "2 4/8 2",
      turn: "slider",
      lo: 0,
      hi: 0,
      value: 0,
      source: "rules",
      moves: [],
      line: [],
      end: "2 4/8 2",
    });
  });
});
