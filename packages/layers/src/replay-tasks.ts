import { LETTER_BYTES } from "./block-file.js";
import { STARTS } from "./blocks.js";
import { estimateOf, type VisitEstimate } from "./dispatch.js";
import { type LayersRecord, type RecordedVisit, visitName } from "./record.js";

/**
 * Machines for a replay. They share a folder; the threads of a machine share its memory and its
 * link.
 */
export interface Machines {
  readonly machines: number;
  /** Threads per machine. */
  readonly threads: number;
  /** Seconds until the queue has given a thread its next task. */
  readonly latency: number;
  /** Seconds to open or create a file. */
  readonly open: number;
  /** Bytes per second of each machine's link, and of the folder for all machines together. */
  readonly link: number;
  readonly disk: number;
  /**
   * True if blocks stay in the memory of the machine that visited them last, which then need not
   * read them.
   */
  readonly keeps: boolean;
}

/** Bytes of a board in a block's file, roughly. */
const BOARD_BYTES = 6;

/** A visit to be replayed. */
export interface ReplayTask {
  readonly block: string;
  /** False in a remainder: only its first visit waits for the queue. */
  readonly isQueued: boolean;
  /**
   * A coordinator's estimate: the bytes of letters and of the block stand for its work and its
   * boards.
   */
  readonly estimate: VisitEstimate;
  /**
   * True if the block has files to read, unless it is in memory; their bytes, and the seconds of
   * reading them.
   */
  readonly hasFile: boolean;
  readonly blockRead: number;
  readonly loading: number;
  readonly working: number;
  readonly saving: number;
  /** Files and bytes of letters to read; files and bytes to write. */
  readonly lettersFiles: number;
  readonly lettersRead: number;
  readonly filesWritten: number;
  readonly written: number;
  /** The tasks on which it depends. */
  readonly after: readonly ReplayTask[];
}

/** A part of a thread's work on a task, in seconds or, for a transfer, in bytes. */
export interface Phase {
  readonly kind: "queue" | "files" | "work";
  readonly isTransfer: boolean;
  readonly amount: number;
}

/** Returns the phases of a task in order; with `isHeld`, its block is in memory. */
export function phasesOf(task: ReplayTask, { latency, open }: Machines, isHeld: boolean): Phase[] {
  const reads = task.hasFile && !isHeld;
  const files = task.lettersFiles + task.filesWritten + (reads ? 1 : 0);
  const read = task.lettersRead + (reads ? task.blockRead : 0);
  return [
    { kind: "queue", isTransfer: false, amount: task.isQueued ? latency : 0 },
    { kind: "files", isTransfer: false, amount: open * files },
    { kind: "files", isTransfer: true, amount: read },
    { kind: "files", isTransfer: false, amount: reads ? task.loading : 0 },
    { kind: "work", isTransfer: false, amount: task.working },
    { kind: "files", isTransfer: false, amount: task.saving },
    { kind: "files", isTransfer: true, amount: task.written },
  ];
}

/** Returns a task as it is in a remainder: block and letters stay in memory. */
function inMemory(task: ReplayTask): ReplayTask {
  const written = { filesWritten: 0, written: 0, saving: 0 };
  return { ...task, isQueued: false, lettersFiles: 0, lettersRead: 0, ...written };
}

/**
 * Returns the fewest seconds that a task takes: alone on the link, its block in memory if machines
 * keep blocks.
 */
export function leastSeconds(task: ReplayTask, machines: Machines): number {
  const rate = Math.min(machines.link, machines.disk);
  return phasesOf(task, machines, machines.keeps).reduce(
    (sum, { isTransfer, amount }) => sum + (isTransfer ? amount / rate : amount),
    0,
  );
}

/** Returns the tasks of a record, step by step. */
export function tasksOf({ steps }: LayersRecord): ReplayTask[][] {
  const visits = steps.flatMap((step) => step.visits);
  const loadingOfByte = loadingRate(visits);
  const bytesOf = new Map(visits.map((visit) => [visitName(visit), visit.blockBytes]));
  const tasks = new Map<string, ReplayTask>();
  const answers: { readonly step: number; readonly task: ReplayTask }[] = [];
  const tasksBefore = (name: string) => {
    const [block, step] = name.split(".");
    // A visit of the starts reads all answers before it.
    if (block === STARTS)
      return answers.filter((one) => one.step < Number(step)).map((one) => one.task);
    return tasks.get(name) ?? []; // absent if the record began later
  };
  return steps.map((step) => {
    const made = step.visits.map((visit): [RecordedVisit, ReplayTask] => {
      const { block, last, from, isInMemory } = visit;
      const lastName = last === null ? undefined : visitName({ block, step: last });
      const blockRead = isInMemory ? (bytesOf.get(lastName ?? "") ?? 0) : visit.blockRead;
      const task = {
        ...{ block, isQueued: true, hasFile: last !== null, blockRead },
        estimate: estimateOf({
          pending: visit.lettersRead / LETTER_BYTES,
          ...{ boards: blockRead / BOARD_BYTES, live: 0 },
        }),
        loading: isInMemory ? loadingOfByte * blockRead : visit.loading,
        ...{ working: visit.working, saving: visit.saving },
        ...{ lettersFiles: from.length, lettersRead: visit.lettersRead },
        filesWritten: [visit.blockWritten, visit.lettersWritten].filter((bytes) => bytes > 0)
          .length,
        written: visit.blockWritten + visit.lettersWritten,
        after: [...from, ...(lastName === undefined ? [] : [lastName])].flatMap(tasksBefore),
      };
      return [visit, step.isRemainder ? inMemory(task) : task];
    });
    // Only after the step: its visits do not depend on each other.
    for (const [visit, task] of made) {
      tasks.set(visitName(visit), task);
      if (visit.answers) answers.push({ step: visit.step, task });
    }
    return made.map(([, task]) => task);
  });
}

/** Returns the seconds of reading one byte of a block, from the visits that read their block. */
function loadingRate(visits: readonly RecordedVisit[]): number {
  let [seconds, bytes] = [0, 0];
  for (const { isInMemory, loading, blockRead } of visits) {
    if (isInMemory) continue;
    seconds += loading;
    bytes += blockRead;
  }
  return bytes === 0 ? 0 : seconds / bytes;
}
