import { describeGame } from "@gridlock/game";
import {
  BadRecord,
  type LayersRecord,
  type Machines,
  parseRecord,
  type Replay,
  type ReplayTimes,
  replay,
} from "@gridlock/layers";
import { formatCount, formatPercent, formatSeconds, formatTable } from "@gridlock/report";
import { readPlain, StoreError } from "@gridlock/store";
import { Command } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { jsonOption } from "../options/options.js";
import { parseFile } from "../options/parse.js";
import {
  diskOption,
  latencyOption,
  machinesOption,
  machineThreadsOption,
  networkOption,
  openOption,
} from "../options/replay.js";
import { gameAsJson } from "../output/json.js";
import { printLine } from "../output/stdout.js";

interface SimulateFlags {
  readonly machines: readonly number[];
  readonly threadsPerMachine: number;
  readonly network: number;
  readonly disk: number;
  readonly latency: number;
  readonly open: number;
  readonly forget?: true;
  readonly relaxed?: true;
  readonly json?: true;
}

/** A run replayed on a number of machines. */
interface Row extends Replay {
  readonly machines: number;
  /** The seconds of one machine, divided by those of all machines together. */
  readonly efficiency: number;
  /** The part of the threads' time in which they had a task. */
  readonly busy: number;
}

export function simulateCommand(): Command {
  return new Command("simulate")
    .description("replay a recorded proof by layers on any number of machines, in virtual time")
    .argument("<file>", "record of gridlock solve --method layers --record", parseFile)
    .addOption(machinesOption())
    .addOption(machineThreadsOption())
    .addOption(networkOption())
    .addOption(diskOption())
    .addOption(latencyOption())
    .addOption(openOption())
    .option("--forget", "keep no block in memory: read its file in each visit")
    .option(
      "--relaxed",
      "let a visit begin as soon as the visits that it depends on are done, without waiting for the rest of the step before",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Prints for each number of machines: the seconds, the efficiency (the seconds of one machine, divided by
those of all machines together), the part of the time in which threads had tasks, the seconds that no
number of machines could save, and where most of the threads' time is lost. The same record and options
give the same figures on any computer; docs/scaling.md describes the replay.

Examples:
  $ gridlock solve 2x5 --method layers --guess 196 --workers 1 --record 2x5.jsonl
  $ gridlock simulate 2x5.jsonl
  $ gridlock simulate 2x5.jsonl --machines 2,16 --network 1Gbit/s --disk 500MB/s --latency 10ms`,
    )
    .action((file: string, flags: SimulateFlags) => {
      const record = readRecord(file);
      const rows = replayAll(record, flags);
      if (flags.json) printLine(JSON.stringify(asJson(record, rows)));
      else print(record, rows);
      process.exitCode = EXIT.ok;
    });
}

/** The most bytes of a record: a line of some 300 for each visit. */
const MOST_BYTES = 2 ** 28;

function readRecord(file: string): LayersRecord {
  try {
    return parseRecord(readPlain(file, MOST_BYTES).toString());
  } catch (error) {
    if (error instanceof BadRecord) throw new UsageError(`cannot use ${file}: ${error.message}`);
    if (error instanceof StoreError) throw new UsageError(error.message);
    throw error;
  }
}

function replayAll(record: LayersRecord, flags: SimulateFlags): Row[] {
  const { threadsPerMachine: threads, network: link, disk, latency, open } = flags;
  const on = (count: number): Machines => ({
    ...{ machines: count, threads, latency, open, link, disk },
    keeps: !flags.forget,
  });
  const relaxed = flags.relaxed === true;
  const alone = replay(record, on(1), relaxed).seconds;
  return flags.machines.map((machines) => {
    const one = replay(record, on(machines), relaxed);
    const { queue, files, work } = one.times;
    const efficiency = alone / (machines * one.seconds);
    const busy = (queue + files + work) / (machines * threads * one.seconds);
    return { ...one, machines, efficiency, busy };
  });
}

/** The words for what time is lost to. */
const LOSSES: Readonly<Record<Exclude<keyof ReplayTimes, "work">, string>> = {
  idle: "threads without a task",
  coordinator: "the coordinator",
  queue: "the queue",
  files: "files",
};

/** Returns what most time is lost to, with its part of the threads' time. */
function largestLoss({ times }: Row): string {
  const all = Object.values(times).reduce((sum, seconds) => sum + seconds, 0);
  const kinds = Object.keys(LOSSES) as (keyof typeof LOSSES)[];
  const [most] = kinds.sort((a, b) => times[b] - times[a]);
  const kind = most as keyof typeof LOSSES;
  return `${LOSSES[kind]}, ${formatPercent(times[kind] / all)}`;
}

function print({ game, steps, end }: LayersRecord, rows: readonly Row[]): void {
  const visits = steps.flatMap((step) => step.visits);
  const sum = (of: (visit: (typeof visits)[0]) => number) =>
    formatSeconds(visits.reduce((sum, visit) => sum + of(visit), 0));
  const coordinator = steps.reduce((sum, step) => sum + step.coordinator, end);
  printLine(
    `${describeGame(game)}: ${formatCount(visits.length)} visits in ${formatCount(steps.length)} steps; ${sum((visit) => visit.working)} of work, ${sum((visit) => visit.loading)} of reading blocks, ${sum((visit) => visit.saving)} of writing them, ${formatSeconds(coordinator)} of the coordinator`,
  );
  const head = ["machines", "time", "efficiency", "busy", "critical path", "most lost to"];
  printLine(
    formatTable(
      head,
      rows.map((row) => [
        formatCount(row.machines),
        formatSeconds(row.seconds),
        formatPercent(row.efficiency),
        formatPercent(row.busy),
        formatSeconds(row.criticalPath),
        largestLoss(row),
      ]),
      [0, 1, 2, 3, 4],
    ),
  );
}

function asJson({ game, guess, steps }: LayersRecord, rows: readonly Row[]) {
  return {
    ...gameAsJson(game),
    ...{ guess: guess ?? null, steps: steps.length },
    visits: steps.reduce((sum, { visits }) => sum + visits.length, 0),
    replays: rows,
  };
}
