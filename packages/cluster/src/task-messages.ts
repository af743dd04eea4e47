/*
 * The tasks of a proof by layers, as data of jobs, and their results. Names of files are checked
 * too: workers read and write nothing outside the proof's folder.
 */
import {
  type CheckRequest,
  type CheckVerdict,
  MOST_SPLIT,
  type Remainder,
  type StepOutcome,
  type Visit,
  type VisitOutcome,
} from "@gridlock/layers";
import { LAYERS_NAMES } from "@gridlock/store";
import { z } from "zod";

/** The work of a task that two workers can do, to be compared: a visit or a check. */
export type ComparedWork = { readonly visit: Visit } | { readonly check: CheckRequest };

/** The outcome of such a task. */
export type ComparedOutcome = { readonly visit: VisitOutcome } | { readonly check: CheckVerdict };

/** The work of a task. */
export type TaskWork = ComparedWork | { readonly remainder: Remainder };

/** The outcome of a task: for what is left of a round, that of each visit, step by step. */
export type TaskOutcome = ComparedOutcome | { readonly remainder: readonly StepOutcome[] };

/** Returns the file that a task found missing or damaged, or `undefined`. */
export function damageIn(outcome: TaskOutcome): string | undefined {
  const found =
    "remainder" in outcome
      ? outcome.remainder.flat().map((one) => one.outcome)
      : ["visit" in outcome ? outcome.visit : outcome.check];
  return found.flatMap((one) => ("damaged" in one ? [one.damaged] : []))[0];
}

/** Returns a task's name for the log. */
export function nameOf(work: TaskWork): string {
  if ("visit" in work) return `visit ${work.visit.block}.${work.visit.step}`;
  if ("remainder" in work) return `steps from ${work.remainder.step} on`;
  if ("file" in work.check) return `check ${work.check.file}`;
  const { bits, value } = work.check.slice;
  return `check slice ${value} of ${2 ** bits}`;
}

/** Returns the kind of a task or of its outcome. */
export function kindOf(one: TaskWork | TaskOutcome): "visit" | "check" | "remainder" {
  return "visit" in one ? "visit" : "check" in one ? "check" : "remainder";
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
/** A text to show: without control characters, so that it is one line. */
export const Line = z.string().regex(/^\P{Cc}*$/u);
export const Name = Line.min(1).max(200);
const Block = z.string().regex(LAYERS_NAMES.block);
const BlockFile = z.string().regex(LAYERS_NAMES.blockFile);
const LettersFile = z.string().regex(LAYERS_NAMES.lettersFile);
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

const RemainderWork = z.object({
  split: z.int().min(1).max(MOST_SPLIT),
  ...{ round: Count, step: Count },
  blocks: z.array(
    z.object({
      block: Block,
      ...{ step: Count, round: Count, boards: Count, live: Count, waiting: Count },
      isMerged: z.boolean(),
    }),
  ),
  letters: z.array(z.object({ to: Block, file: LettersFile, items: Count })),
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
  work: z.union([
    z.object({ visit: VisitWork }),
    z.object({ check: CheckWork }),
    z.object({ remainder: RemainderWork }),
  ]),
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

const AnyVisit = z.union([VisitResult, Damage]);
const StepResult = z.array(z.object({ block: Block, outcome: AnyVisit }));

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
    z.object({ visit: AnyVisit }),
    z.object({ check: z.union([BlockVerdict, SliceVerdict, Damage]) }),
    z.object({ remainder: z.array(StepResult) }),
  ]),
});
