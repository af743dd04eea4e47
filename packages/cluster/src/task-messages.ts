/*
 * The tasks of a proof by layers, as data of jobs, and their results. Names of files are checked
 * too: workers read and write nothing outside the proof's folder.
 */
import {
  type CheckRequest,
  type CheckVerdict,
  MOST_SPLIT,
  type Visit,
  type VisitOutcome,
} from "@gridlock/layers";
import { z } from "zod";

/** The work of a task: a visit or a check. */
export type TaskWork = { readonly visit: Visit } | { readonly check: CheckRequest };

/** The outcome of a task. */
export type TaskOutcome = { readonly visit: VisitOutcome } | { readonly check: CheckVerdict };

/** Returns the file that a task found missing or damaged, or `undefined`. */
export function damageIn(outcome: TaskOutcome): string | undefined {
  const found = "visit" in outcome ? outcome.visit : outcome.check;
  return "damaged" in found ? found.damaged : undefined;
}

/** A job's data: the work and, if it is repeated, the worker that may not do it. */
export interface TaskMessage {
  readonly protocol: number;
  readonly not?: string;
  readonly work: TaskWork;
}

/** A job's return value. */
export interface TaskResult {
  readonly protocol: number;
  readonly worker: string;
  readonly outcome: TaskOutcome;
}

const Count = z.int().nonnegative();
const Name = z.string().min(1).max(200);
const Block = z.string().regex(/^[0-9a-f]{1,16}$/);
const BlockFile = z.string().regex(/^[0-9a-f]{1,16}\.\d{1,15}\.block$/);
const LettersFile = z.string().regex(/^[0-9a-f]{1,16}\.\d{1,15}\.letters$/);
const Damage = z.object({ damaged: z.union([BlockFile, LettersFile]) });

const VisitWork = z.object({
  block: Block,
  split: z.int().min(1).max(MOST_SPLIT),
  step: Count,
  last: Count.optional(),
  isNewRound: z.boolean(),
  letters: z.array(LettersFile),
  isMerge: z.boolean().optional(),
});

const SliceWork = z.object({
  bits: Count.max(32),
  value: Count,
  boards: Count,
  files: z.array(z.object({ file: BlockFile, position: Count, count: Count })),
});

const CheckWork = z.union([
  z.object({ file: BlockFile, boards: Count }),
  z.object({ slice: SliceWork }),
]);

export const TaskSchema = z.object({
  protocol: z.int(),
  not: Name.optional(),
  work: z.union([z.object({ visit: VisitWork }), z.object({ check: CheckWork })]),
});

const Cost = z.object({
  loading: z.number(),
  working: z.number(),
  saving: z.number(),
  isInMemory: z.boolean(),
  blockRead: Count,
  blockWritten: Count,
  blockBytes: Count,
  lettersRead: Count,
  lettersWritten: Count,
});

const VisitResult = z.object({
  expanded: Count,
  lookedAgain: Count,
  looks: Count,
  letters: z.array(z.object({ to: Block, items: Count })),
  boards: Count,
  live: Count,
  waiting: Count,
  cost: Cost,
});

const BlockVerdict = z.object({
  failed: Count,
  boards: Count,
  files: z.array(
    z.object({
      file: BlockFile,
      chunks: z.array(z.object({ position: Count, first: Count })),
    }),
  ),
});

const SliceVerdict = z.object({ failed: Count, byFile: z.array(z.tuple([BlockFile, Count])) });

export const ResultSchema = z.object({
  protocol: z.int(),
  worker: Name,
  outcome: z.union([
    z.object({ visit: z.union([VisitResult, Damage]) }),
    z.object({ check: z.union([BlockVerdict, SliceVerdict, Damage]) }),
  ]),
});
