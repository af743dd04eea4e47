import { z } from "zod";
import { points } from "./common.js";

/*
 * The messages that coordinators and workers exchange through Redis; docs/protocol.md has an
 * example of each.
 */

const Count = z.number().nonnegative();
/** A text to show: without control characters, so that it is one line. */
const TextLine = z.string().regex(/^\P{Cc}*$/u);
const Name = TextLine.min(1).max(200);
const Board = TextLine.max(200);
const Id = z.string().regex(/^[a-z0-9_-]{1,100}$/i);

const AnyBound = z
  .object({ lo: points(), hi: points().nullable() })
  .refine(({ lo, hi }) => hi === null || lo <= hi, "lo must not exceed hi");

const BoundedBoard = z.object({ board: Board, bound: AnyBound });

/** The fields of a question: is the board worth at least the threshold? */
const Asked = { board: Board, threshold: points().min(4) };

const Counts = z.object({ positions: Count, afterstates: Count });

/** The data of a job: a subtree to search. */
export const SubtreeMessage = z.object({
  protocol: z.int(),
  run: Id,
  ...Asked,
  /** Most nodes to expand; null: prove a line of best play from this start, worth the threshold. */
  budget: z.int().positive().nullable(),
  /** The question of the subtree: once it is answered, the subtree no longer matters. */
  of: z.object(Asked).nullable(),
});
export type SubtreeMessage = z.infer<typeof SubtreeMessage>;

/** The return value of a job. */
export const ResultMessage = z.object({
  protocol: z.int(),
  worker: Name,
  /** Proven bounds: the subtree's, unless its budget was spent, or those of a line of best play. */
  bounds: z.array(BoundedBoard).max(100_000),
  /** Nodes that the worker has searched in the run. */
  counts: Counts,
});
export type ResultMessage = z.infer<typeof ResultMessage>;

/** A coordinator's description of its run, sent every second and whenever the run changes. */
export const RunMessage = z.object({
  protocol: z.int(),
  run: Id,
  host: Name,
  pid: z.int().nonnegative(),
  shape: TextLine.max(10),
  tiles: TextLine.max(10),
  /** The version of the coordinator's kernel of that shape. Workers with another one end. */
  kernel: TextLine.max(100).optional(),
  began: z.iso.datetime(),
  /** The question that waits for an answer; null if none does. */
  question: z.object({ id: Id, ...Asked }).nullable(),
  /** The workers, in the order in which they joined: they share bounds. */
  workers: z.array(Name).max(10_000),
  /** The subtrees of all questions that were decided, and those on the queue now. */
  subtrees: z.object({
    done: Count,
    queued: Count,
    /** The boards on the way from the start to the one that may take most nodes. */
    largest: z.array(Board).max(100),
  }),
  /** The starts, in the order in which they are solved. */
  starts: z.array(BoundedBoard).max(10_000),
  /** The guess of the next value; with the starts, it determines this and all later questions. */
  guess: z.object({ threshold: z.number(), step: z.number() }).nullable(),
  /** Questions that were answered. */
  questions: Count,
  counts: Counts,
  /** Nodes of the earlier runs that this one resumes. */
  before: Count.optional(),
});
export type RunMessage = z.infer<typeof RunMessage>;

const Shared = z.object({
  /** Bounds sent to other workers, and taken from them into the table. */
  sent: Count,
  received: Count,
  bytesSent: Count,
  bytesReceived: Count,
  /** Batches that were not for this worker, or not readable. */
  refused: Count,
  /** Bounds of another worker's table, received after joining. */
  table: Count,
});

/** Counts of what a worker has shared since it made its table. */
export type SharedCounts = z.infer<typeof Shared>;

/** A worker's status, sent every second and whenever it changes. */
export const WorkerMessage = z.object({
  protocol: z.int(),
  worker: Name,
  host: Name,
  pid: z.int().nonnegative(),
  version: Name,
  threads: z.int().positive(),
  /** Bytes for its table; 0 if it has none yet. */
  memory: Count,
  state: z.enum(["idle", "working"]),
  /** The question that the worker searches. */
  question: Id.nullable(),
  /** The subtree that the worker searches instead of the question. */
  subtree: z.object({ id: Id, ...Asked }).nullable(),
  /** The answer to the run's question, if the worker knows it, or else the last one it found. */
  answer: z.object({ ...Asked, bound: AnyBound }).nullable(),
  /** The run that the worker belongs to. */
  run: Id.nullable(),
  /** Nodes that the worker has searched in that run. */
  counts: Counts,
  nodesPerSecond: Count,
  /** Bounds sent to other workers. */
  boundsPerSecond: Count,
  shared: Shared,
});
export type WorkerMessage = z.infer<typeof WorkerMessage>;
