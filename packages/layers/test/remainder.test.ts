import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  areStepsOf,
  blockFileName,
  LayeredProof,
  parseRecord,
  type Remainder,
  type StepOutcome,
  solveByLayers,
  type Visit,
  VisitCrew,
  type VisitOutcome,
  VisitRecorder,
} from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { filesIn, gameOf, solveInPieces, solveWith, workingOff } from "./setup.js";

const GAME = gameOf("2x4");
/** A first threshold near the values. */
const GUESS = 124;

/** Solves the game, and returns the remainders that were worked off, too. */
async function solveWorkingOff(threads = 1) {
  const found: { remainder: Remainder; steps: readonly StepOutcome[] }[] = [];
  const folder = temporaryFolder();
  const { starts, status } = await solveWith(GAME, {
    ...{ folder, threads, guess: GUESS },
    onWorkedOff: (remainder, steps) => found.push({ remainder, steps }),
  });
  return { starts, status, found, folder };
}

describe("a proof whose remainders one machine works off", () => {
  it.each([1, 2])(
    "has the values, steps, node counts and files of any other, with %i threads",
    async (threads) => {
      const folder = temporaryFolder();
      const plain = await solveWith(GAME, { folder, guess: GUESS });
      const { starts, status, found, folder: other } = await solveWorkingOff(threads);
      expect(starts).toEqual(plain.starts);
      expect({ ...status, seconds: 0 }).toEqual({ ...plain.status, seconds: 0 });
      expect(filesIn(join(other, "layers"))).toEqual(filesIn(join(folder, "layers")));
      const steps = found.flatMap((one) => one.steps);
      expect(steps.length).toBeGreaterThan(2 * found.length);
      expect(steps.length).toBeLessThan(status.step);
    },
  );

  it("can be stopped and resumed at any time", async () => {
    const folder = temporaryFolder();
    const plain = await solveWith(GAME, { folder, guess: GUESS });
    const resumed = await solveInPieces(GAME, 5, { guess: GUESS, onWorkedOff: () => {} });
    expect(resumed.starts).toEqual(plain.starts);
    expect(resumed.status).toMatchObject({ expanded: plain.status.expanded });
    expect(filesIn(join(resumed.folder, "layers"))).toEqual(filesIn(join(folder, "layers")));
  });

  it("has the right values even if files are missing in the middle of them", async () => {
    const plain = await solveWith(GAME, { guess: GUESS });
    const folder = temporaryFolder();
    const layers = join(folder, "layers");
    const damaged: string[] = [];
    const database = Database.open(join(folder, "test.db"));
    try {
      using proof = LayeredProof.open(GAME, layers, { onDamage: (file) => damaged.push(file) });
      const room = { threads: 1, bytes: 2 ** 25, savesAll: true, forgetsAll: true };
      await using crew = new VisitCrew(GAME, layers, room);
      const port = workingOff(GAME, crew);
      const starts = await solveByLayers(
        GAME,
        database,
        proof,
        {
          ...port,
          workOff: async (remainder) => {
            if (damaged.length === 0) {
              for (const { block, step } of remainder.blocks) {
                rmSync(join(layers, blockFileName(block, step)), { force: true });
              }
            }
            return await port.workOff(remainder);
          },
        },
        { guess: GUESS },
      );
      expect(starts).toEqual(plain.starts);
      expect(damaged.length).toBeGreaterThan(0);
    } finally {
      database.close();
    }
  });

  it("has the same record as any other, in which their steps are marked", async () => {
    const recorded = async (worksOff: boolean) => {
      const folder = temporaryFolder();
      const layers = join(folder, "layers");
      const file = join(folder, "record.jsonl");
      const database = Database.open(join(folder, "test.db"));
      try {
        using proof = LayeredProof.open(GAME, layers);
        const room = { threads: 1, bytes: 2 ** 25, savesAll: true };
        await using crew = new VisitCrew(GAME, layers, room);
        const port = worksOff ? workingOff(GAME, crew) : crew;
        using recorder = new VisitRecorder(port, file, GAME, GUESS);
        await solveByLayers(GAME, database, proof, recorder, { guess: GUESS });
      } finally {
        database.close();
      }
      return parseRecord(readFileSync(file, "utf8")).steps.map(({ isRemainder, visits }) => ({
        isRemainder,
        visits: visits.map(({ block, step, last, from, answers, lettersRead }) => ({
          ...{ block, step, last, from, answers, lettersRead },
        })),
      }));
    };
    const steps = await recorded(true);
    expect(steps).toEqual(await recorded(false));
    expect(steps.filter(({ isRemainder }) => isRemainder).length).toBeGreaterThan(0);
    expect(steps.filter(({ isRemainder }) => !isRemainder).length).toBeGreaterThan(0);
  });
});

describe("a block in memory whose visit is made again", () => {
  it("is written first, since others may know its visit by now", async () => {
    const folder = temporaryFolder();
    const layers = join(folder, "layers");
    const database = Database.open(join(folder, "test.db"));
    let visited = 0;
    try {
      using proof = LayeredProof.open(GAME, layers);
      await using crew = new VisitCrew(GAME, layers, { threads: 1, bytes: 2 ** 25 });
      const boardsOf = (outcomes: readonly VisitOutcome[]) =>
        outcomes.map((outcome) => "boards" in outcome && outcome.boards);
      await solveByLayers(
        GAME,
        database,
        proof,
        {
          ...workingOff(GAME, crew),
          workOff: async () => undefined,
          visit: async (visits) => {
            const fileOf = ({ block, step }: Visit) => join(layers, blockFileName(block, step));
            const first = await crew.visit(visits);
            const isMerge = visits[0]?.isMerge ?? false;
            if (!isMerge) expect(visits.map(fileOf).some(existsSync)).toBe(false);
            const again = await crew.visit(visits);
            expect(boardsOf(again)).toEqual(boardsOf(first));
            expect(visits.map(fileOf).every(existsSync)).toBe(true);
            visited += visits.length;
            await crew.save(visits);
            return again;
          },
        },
        { guess: GUESS },
      );
    } finally {
      database.close();
    }
    expect(visited).toBeGreaterThan(100);
  });
});

describe("the steps of a remainder", () => {
  it("are those that follow from it, and no others", async () => {
    const { found } = await solveWorkingOff();
    const longest = found.sort((a, b) => b.steps.length - a.steps.length)[0];
    const { remainder, steps } = longest as (typeof found)[0];
    const areRight = (given: readonly StepOutcome[]) => areStepsOf(GAME.shape, remainder, given);
    expect(await areRight(steps)).toBe(true);
    expect(await areRight([])).toBe(false);
    expect(await areRight(steps.slice(0, -1))).toBe(false);
    expect(await areRight([...steps, ...steps.slice(-1)])).toBe(false);
    expect(await areRight([...steps.slice(1)])).toBe(false);
    const [first = [], ...later] = steps;
    expect(await areRight([first.slice(1), ...later])).toBe(false);
    const renamed = first.map(({ outcome }) => ({ block: "abc", outcome }));
    expect(await areRight([renamed, ...later])).toBe(false);
  });
});
