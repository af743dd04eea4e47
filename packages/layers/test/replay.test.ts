import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  LayeredProof,
  type LayersRecord,
  type Machines,
  parseRecord,
  type RecordedVisit,
  replay,
  solveByLayers,
  VisitCrew,
  VisitRecorder,
} from "@gridlock/layers";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gameOf } from "./setup.js";

const STARTS = "fffffffffffffffe";

/** Machines without latency, with infinitely fast links, that keep no blocks. */
const IDEAL: Machines = {
  ...{ machines: 1, threads: 1, latency: 0, open: 0 },
  ...{ link: Number.POSITIVE_INFINITY, disk: Number.POSITIVE_INFINITY, keeps: false },
};

/**
 * Makes a record of visits: in each step of some of eight blocks, each with letters from a visit of
 * the previous step or from the starts, which are visited between steps.
 */
function recordOf(coordinator: number, plan: readonly (readonly VisitPlan[])[]): LayersRecord {
  const last = new Map<string, RecordedVisit>();
  let before: string[] = [`${STARTS}.0`];
  const steps = plan.map((visits, i) => {
    const step = 2 * i;
    const made = visits.map(({ block, from, seconds, bytes, answers }): RecordedVisit => {
      const earlier = last.get(block);
      return {
        ...{ block, step, last: earlier?.step ?? null, answers, isInMemory: false },
        from: [before[from % before.length] as string],
        ...{ loading: earlier ? seconds / 4 : 0, working: seconds, saving: seconds / 8 },
        ...{ blockRead: earlier?.blockBytes ?? 0, blockWritten: bytes, blockBytes: bytes },
        ...{ lettersRead: bytes >> 4, lettersWritten: bytes >> 5 },
      };
    });
    for (const visit of made) last.set(visit.block, visit);
    before = [...made.map(({ block }) => `${block}.${step}`), `${STARTS}.${step + 1}`];
    return { coordinator, isRemainder: false, visits: made };
  });
  return { game: gameOf("2x2"), guess: undefined, steps, end: coordinator };
}

interface VisitPlan {
  readonly block: string;
  readonly from: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly answers: boolean;
}

const VISIT: fc.Arbitrary<VisitPlan> = fc.record({
  block: fc.integer({ min: 0, max: 7 }).map(String),
  from: fc.nat(7),
  // Eighths, so that sums are exact.
  seconds: fc.nat(80).map((eighths) => eighths / 8),
  bytes: fc.nat(1_000_000),
  answers: fc.boolean(),
});

const RECORD = fc
  .tuple(
    fc.nat(8).map((eighths) => eighths / 8),
    fc.array(fc.uniqueArray(VISIT, { selector: ({ block }) => block, minLength: 1 }), {
      minLength: 1,
      maxLength: 12,
    }),
  )
  .map(([coordinator, plan]) => recordOf(coordinator, plan));

const COUNT = fc.integer({ min: 1, max: 10 });
const visitsOf = ({ steps }: LayersRecord) => steps.flatMap(({ visits }) => visits);
const secondsOf = ({ loading, working, saving }: RecordedVisit) => loading + working + saving;
const sumOf = (visits: readonly RecordedVisit[], of: (visit: RecordedVisit) => number) =>
  visits.reduce((sum, visit) => sum + of(visit), 0);
const coordinatorOf = ({ steps, end }: LayersRecord) =>
  steps.reduce((sum, { coordinator }) => sum + coordinator, end);
/** Returns slightly less than a sum: floating-point sums depend on the order of their terms. */
const nearly = (seconds: number) => seconds * (1 - 1e-9) - 1e-9;

describe("a replay", () => {
  it("takes the recorded total on one ideal machine, without reading blocks that it keeps", () => {
    fc.assert(
      fc.property(RECORD, fc.boolean(), (record, relaxed) => {
        const coordinator = relaxed ? 0 : coordinatorOf(record);
        const visits = visitsOf(record);
        const { seconds } = replay(record, IDEAL, relaxed);
        expect(seconds).toBeCloseTo(sumOf(visits, secondsOf) + coordinator, 9);
        const kept = replay(record, { ...IDEAL, keeps: true }, relaxed);
        const work = sumOf(visits, ({ working, saving }) => working + saving);
        expect(kept.seconds).toBeCloseTo(work + coordinator, 9);
      }),
    );
  });

  it("takes at least a step's longest visit and each machine's share, and at most their sum", () => {
    fc.assert(
      fc.property(RECORD, COUNT, COUNT, (record, machines, threads) => {
        const { seconds, criticalPath } = replay(record, { ...IDEAL, machines, threads }, false);
        let [least, most] = [coordinatorOf(record), coordinatorOf(record)];
        for (const { visits } of record.steps) {
          const all = visits.map(secondsOf);
          const longest = Math.max(...all);
          const share = sumOf(visits, secondsOf) / (machines * threads);
          least += Math.max(longest, share);
          most += longest + share;
        }
        expect(seconds).toBeGreaterThanOrEqual(nearly(least));
        expect(nearly(seconds)).toBeLessThanOrEqual(most);
        expect(seconds).toBeGreaterThanOrEqual(nearly(criticalPath));
        expect(nearly(seconds)).toBeLessThanOrEqual(2 * least);
      }),
    );
  });

  it("is never faster with more latency, a slower link, or fewer machines", () => {
    const rates = fc.record({
      latency: fc.nat(8),
      open: fc.nat(8),
      rate: fc.integer({ min: 1, max: 1e6 }),
    });
    fc.assert(
      fc.property(RECORD, COUNT, rates, (record, machines, { latency, open, rate }) => {
        const on = (others: Partial<Machines>) =>
          replay(record, { ...IDEAL, machines, latency, open, link: rate, ...others }, false)
            .seconds;
        const seconds = on({});
        expect(on({ latency: latency + 1 })).toBeGreaterThanOrEqual(nearly(seconds));
        expect(on({ open: open + 1 })).toBeGreaterThanOrEqual(nearly(seconds));
        expect(on({ link: rate / 2 })).toBeGreaterThanOrEqual(nearly(seconds));
        expect(seconds).toBeGreaterThanOrEqual(nearly(on({ machines: machines + 1 })));
      }),
    );
  });

  it("gives a remainder to one machine, which waits for the queue once", () => {
    fc.assert(
      fc.property(RECORD, COUNT, fc.nat(8), (record, machines, latency) => {
        const steps = record.steps.map((step) => ({ ...step, isRemainder: true }));
        const { seconds, times, criticalPath } = replay(
          { ...record, steps },
          { ...IDEAL, machines, latency },
          false,
        );
        const workOf = ({ loading, working }: RecordedVisit) => loading + working;
        const all = sumOf(visitsOf(record), workOf) + coordinatorOf(record);
        expect(seconds).toBeCloseTo(latency + all, 9);
        expect(times.queue).toBe(latency);
        expect(criticalPath).toBeCloseTo(seconds, 9);
      }),
    );
  });

  it("does all work, whichever steps are remainders", () => {
    fc.assert(
      fc.property(RECORD, COUNT, fc.array(fc.boolean()), (record, machines, marks) => {
        const steps = record.steps.map((step, i) => ({ ...step, isRemainder: marks[i] ?? false }));
        const { times } = replay({ ...record, steps }, { ...IDEAL, machines }, false);
        expect(times.work).toBeCloseTo(
          sumOf(visitsOf(record), ({ working }) => working),
          9,
        );
      }),
    );
  });

  it("transfers all bytes through each machine's link and through the folder's disk", () => {
    fc.assert(
      fc.property(RECORD, COUNT, COUNT, fc.boolean(), (record, machines, threads, relaxed) => {
        const bytes = sumOf(
          visitsOf(record),
          ({ blockRead, blockWritten, lettersRead, lettersWritten }) =>
            blockRead + blockWritten + lettersRead + lettersWritten,
        );
        const on = (others: Partial<Machines>) =>
          replay(record, { ...IDEAL, machines, threads, ...others }, relaxed).seconds;
        expect(on({ disk: 1000 })).toBeGreaterThanOrEqual(nearly(bytes / 1000));
        expect(on({ link: 1000 })).toBeGreaterThanOrEqual(nearly(bytes / 1000 / machines));
        // The links of all machines together are no faster than a disk of the same rate.
        expect(on({ link: 1000, machines: 1 })).toBeCloseTo(on({ disk: 1000, machines: 1 }), 6);
      }),
    );
  });

  it("accounts for the time of all threads", () => {
    fc.assert(
      fc.property(RECORD, COUNT, COUNT, fc.boolean(), (record, machines, threads, relaxed) => {
        const how = { ...IDEAL, machines, threads, latency: 1, open: 1, disk: 1e5, keeps: true };
        const { seconds, times } = replay(record, how, relaxed);
        const all = Object.values(times);
        expect(all.reduce((sum, one) => sum + one, 0)).toBeCloseTo(machines * threads * seconds, 6);
        expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
        expect(times.work).toBeCloseTo(
          sumOf(visitsOf(record), ({ working }) => working),
          6,
        );
        expect(times.queue).toBeCloseTo(visitsOf(record).length, 6);
      }),
    );
  });

  it("without steps takes the longest chain of dependent visits, given enough machines", () => {
    fc.assert(
      fc.property(RECORD, (record) => {
        const ends = new Map<string, number>();
        const answered: [step: number, end: number][] = [];
        for (const visit of visitsOf(record)) {
          const { block, step, last, from, answers } = visit;
          const before = [...from, `${block}.${last}`].flatMap((name) => {
            const [sender, sent] = name.split(".");
            if (sender !== STARTS) return ends.get(name) ?? [];
            return answered.flatMap(([step, end]) => (step < Number(sent) ? [end] : []));
          });
          const end = Math.max(0, ...before) + secondsOf(visit);
          ends.set(`${block}.${step}`, end);
          if (answers) answered.push([step, end]);
        }
        const machines = visitsOf(record).length;
        const { seconds, criticalPath } = replay(record, { ...IDEAL, machines }, true);
        expect(seconds).toBeCloseTo(Math.max(...ends.values()), 9);
        expect(criticalPath).toBeCloseTo(seconds, 9);
        const steps = replay(record, { ...IDEAL, machines }, false);
        expect(nearly(seconds)).toBeLessThanOrEqual(steps.seconds);
      }),
    );
  });

  it("is the same each time", () => {
    fc.assert(
      fc.property(RECORD, COUNT, fc.boolean(), (record, machines, relaxed) => {
        const how = { ...IDEAL, machines, threads: 2, latency: 0.1, link: 1e6, keeps: true };
        expect(replay(record, how, relaxed)).toEqual(replay(record, how, relaxed));
      }),
    );
  });
});

/** Solves 2×4 with a record of the run; returns its text, and the files of the proof. */
async function recorded(threads: number, forgetsAll: boolean) {
  const folder = temporaryFolder();
  const game = gameOf("2x4");
  const database = Database.open(join(folder, "test.db"));
  const file = join(folder, "record");
  try {
    using proof = LayeredProof.open(game, join(folder, "layers"));
    const options = { threads, bytes: threads * 32 * 2 ** 20, savesAll: true, forgetsAll };
    await using crew = new VisitCrew(game, proof.folder, options);
    {
      using recorder = new VisitRecorder(crew, file, game, 124);
      await solveByLayers(game, database, proof, recorder, { guess: 124 });
    }
    const blocks = readdirSync(proof.folder).filter((name) => name.endsWith(".block"));
    const contents = blocks.map((name) => [name, readFileSync(join(proof.folder, name))] as const);
    return { text: readFileSync(file, "utf8"), contents: Object.fromEntries(contents) };
  } finally {
    database.close();
  }
}

/** Returns the parts of a record's visits that do not depend on the machine. */
function withoutSeconds({ steps }: LayersRecord) {
  return steps.map(({ visits }) =>
    visits.map((visit) => ({ ...visit, loading: 0, working: 0, saving: 0 })),
  );
}

describe("a record", () => {
  it("has each visit with its bytes, its dependencies, and whether its block was in memory", async () => {
    const { text, contents } = await recorded(1, true);
    const record = parseRecord(text);
    expect(record).toMatchObject({ game: gameOf("2x4"), guess: 124 });
    const visits = visitsOf(record);
    const known = new Map<string, RecordedVisit>();
    for (const visit of visits) {
      const { block, step, last, from } = visit;
      if (last !== null) expect(visit.blockRead).toBe(known.get(`${block}.${last}`)?.blockBytes);
      else expect(visit.blockRead).toBe(0);
      for (const name of from) {
        if (!name.startsWith(STARTS)) expect(known.get(name)?.lettersWritten).toBeGreaterThan(0);
      }
      expect(visit.isInMemory).toBe(false);
      known.set(`${block}.${step}`, visit);
    }
    expect(visits.some(({ answers }) => answers)).toBe(true);
    expect(visits.some(({ last }) => last !== null)).toBe(true);
    for (const [name, bytes] of Object.entries(contents)) {
      const visit = known.get(name.replace(".block", ""));
      if (!name.startsWith(STARTS)) expect(visit?.blockWritten).toBe(bytes.length);
    }
  });

  it("is the same with several threads, except for the seconds, and so are the files", async () => {
    const once = await recorded(1, true);
    const threaded = await recorded(2, true);
    expect(threaded.contents).toEqual(once.contents);
    expect(withoutSeconds(parseRecord(threaded.text))).toEqual(
      withoutSeconds(parseRecord(once.text)),
    );
  });

  it("of blocks in memory is replayed with the bytes that a read would have taken", async () => {
    const whole = parseRecord((await recorded(1, true)).text);
    const kept = parseRecord((await recorded(1, false)).text);
    expect(visitsOf(kept).some(({ isInMemory }) => isInMemory)).toBe(true);
    const bytes = 1;
    const seconds = (record: LayersRecord) =>
      replay(record, { ...IDEAL, disk: bytes }, false).seconds;
    // At one byte per second nothing else matters.
    expect(seconds(kept) / seconds(whole)).toBeCloseTo(1, 3);
  });

  it("may lack its end; any other loss or damage is detected", async () => {
    const { text } = await recorded(1, true);
    const lines = text.split("\n");
    expect(visitsOf(parseRecord(lines.slice(0, -2).join("\n")))).toHaveLength(
      visitsOf(parseRecord(text)).length - 1,
    );
    for (const [bad, reason] of [
      ["", /line 1 .* a JSON object/],
      ["# 2x4\n", /line 1 .* a JSON object/],
      ['{"record":9}\n', /not a record of version 2/],
      [`${lines[0]}\n${lines[2]}\n`, /line 2 .* a step before its first visit/],
      [text.replace('"working":', '"worked":'), /line 3 .* working, a number/],
      [text.replace('"answers":', '"answered":'), /line 3 .* answers/],
      [text.replace("2x4", "2x99"), /line 1: /],
      [text.replace('"coordinator":', '"coordinator":-'), /line 2 .* coordinator, a number/],
    ] as const) {
      expect(() => parseRecord(bad)).toThrow(reason);
    }
  });
});
