/*
 * What coordinators and workers tell each other through Redis. Nothing that arrives is taken as it is: each message
 * is checked against its schema here, and a board against the rules. `docs/protocol.md` has an example of each.
 */
import {
  type Bound,
  canonical,
  formatBoard,
  formatShape,
  formatTiles,
  type Game,
  normalShape,
  packBoard,
  parseBoard,
  parseShape,
  parseTiles,
  unpackBoard,
} from "@gridlock/game";
import type { Question } from "@gridlock/solver";
import { z } from "zod";
import { ClusterError } from "./errors.js";

/** Version of these messages. Coordinators and workers of different versions refuse each other. */
export const PROTOCOL = 2;

/** Milliseconds after which a coordinator or a worker that has said nothing counts as gone. */
export const GONE_MS = 10_000;
/** Milliseconds between two words of a coordinator or a worker. */
export const BEAT_MS = 1000;

const Points = z.int().nonnegative().multipleOf(4);
const Count = z.number().nonnegative();
const Name = z.string().min(1).max(200);
const Id = z.string().regex(/^[a-z0-9_-]{1,100}$/i);

const AnyBound = z
  .object({ lo: Points, hi: Points.nullable() })
  .refine(({ lo, hi }) => hi === null || lo <= hi, "lo must not exceed hi");

/** A game as messages name it. */
const GameName = { shape: z.string().max(10), tiles: z.string().max(10) };

/** A question as messages ask it: is the board worth the threshold? */
const Asked = { board: z.string().max(200), threshold: Points.min(4) };

const QuestionMessage = z.object({
  protocol: z.int(),
  ...GameName,
  ...Asked,
  /** Nodes after which the question is put down, to be taken up again. */
  budget: Count.optional(),
  /** The worker that has answered it: another one is to prove it again, from nothing. */
  audited: Name.optional(),
});

/** A job's data. */
export type QuestionMessage = z.infer<typeof QuestionMessage>;

const Counts = z.object({ positions: Count, afterstates: Count });

/** Rises when a worker is shut out: what was learned until then is not to be relied upon. */
const Epoch = z.int().nonnegative();

const AnswerMessage = z.intersection(
  z.object({ protocol: z.int(), run: Id, epoch: Epoch, worker: Name, counts: Counts }),
  z.discriminatedUnion("outcome", [
    z.object({ outcome: z.literal("answered"), bound: AnyBound }),
    z.object({ outcome: z.literal("unfinished") }),
    z.object({ outcome: z.literal("cancelled") }),
  ]),
);

/** What a job returns. */
export type AnswerMessage = z.infer<typeof AnswerMessage>;

const Sharing = z.object({
  /** Nodes that a bound must have cost to be passed on; null: none is. */
  share: Count.min(1).nullable(),
  reuse: z.boolean(),
  /** Nodes of work after which a node is announced. */
  announce: Count,
});

/** How workers search together. */
export type Sharing = z.infer<typeof Sharing>;

const RunMessage = z.object({
  protocol: z.int(),
  run: Id,
  epoch: Epoch,
  host: Name,
  pid: z.int().nonnegative(),
  ...GameName,
  began: z.iso.datetime(),
  sharing: Sharing,
  /** Questions that wait for an answer, the most urgent first. */
  open: z
    .array(
      z.object({
        id: Id,
        ...Asked,
        /** The subtrees of its first moves, where they are on the queue, and what is known of them. */
        parts: z.array(z.object({ ...Asked, bound: AnyBound })).max(4),
      }),
    )
    .max(1000),
  starts: z.array(z.object({ board: z.string().max(200), bound: AnyBound })).max(10_000),
  questions: Count,
  counts: Counts,
  shutOut: z.array(Name).max(1000),
});

/** What a coordinator says of its run, every second and whenever it changes. */
export type RunMessage = z.infer<typeof RunMessage>;

const WorkerMessage = z.object({
  protocol: z.int(),
  worker: Name,
  host: Name,
  pid: z.int().nonnegative(),
  version: Name,
  threads: z.int().positive(),
  memory: Count,
  state: z.enum(["idle", "working", "joined", "auditing"]),
  /** The question that it works on. */
  job: Id.nullable(),
  /** The run that it works for. */
  run: Id.nullable(),
  /** Nodes that it has searched in that run. */
  counts: Counts,
  nodesPerSecond: Count,
  shared: z.object({
    /** Bounds and announcements. */
    sent: Count,
    received: Count,
    refused: Count,
    bytesSent: Count,
    bytesReceived: Count,
    /** Nodes that a bound must cost at present to be passed on. */
    effort: Count.nullable(),
    /** Milliseconds that a batch took of late to be accepted. */
    delay: Count,
  }),
});

/** What a worker says of itself, every second and whenever it changes. */
export type WorkerMessage = z.infer<typeof WorkerMessage>;
export type SharedCounts = WorkerMessage["shared"];

const ControlMessage = z.discriminatedUnion("type", [
  /** The run has changed: read it again. */
  z.object({ type: z.literal("changed") }),
  /** Nobody waits for this answer any more. */
  z.object({ type: z.literal("cancel"), id: Id }),
  /** One who had joined a question has its answer. */
  z.object({ type: z.literal("answer"), id: Id, epoch: Epoch, worker: Name, bound: AnyBound }),
]);

/** What is called out to all. */
export type ControlMessage = z.infer<typeof ControlMessage>;

/** The header of a batch of bounds in a worker's stream, which says for whom it is; the records are bytes and come by themselves. */
const BatchHeader = z.object({
  protocol: z.int(),
  kernel: z.string().regex(/^[0-9a-f]{12}$/),
  ...GameName,
  epoch: Epoch,
});
type BatchHeader = z.infer<typeof BatchHeader>;

const SCHEMAS = {
  question: QuestionMessage,
  answer: AnswerMessage,
  run: RunMessage,
  worker: WorkerMessage,
  control: ControlMessage,
  batch: BatchHeader,
};
type Messages = { [Kind in keyof typeof SCHEMAS]: z.infer<(typeof SCHEMAS)[Kind]> };

/**
 * Checks a message that has arrived.
 *
 * @param message a value, or the JSON of one
 * @throws {ClusterError} `protocol` when it is of another version, `job` when it is no such message.
 */
export function read<Kind extends keyof Messages>(kind: Kind, message: unknown): Messages[Kind] {
  const value = typeof message === "string" ? fromJson(message) : message;
  const other = otherProtocol(value);
  if (other !== undefined) {
    throw new ClusterError(
      "protocol",
      `a message of protocol ${other} was received, and this version speaks protocol ${PROTOCOL}; expected coordinator and workers of one version of gridlock`,
    );
  }
  const result = SCHEMAS[kind].safeParse(value);
  if (result.success) return result.data as Messages[Kind];
  const issues = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new ClusterError("job", `not a valid ${kind}: ${issues.slice(0, 3).join("; ")}`);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The version of a message that names another one than ours. */
function otherProtocol(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("protocol" in value)) return undefined;
  return typeof value.protocol === "number" && value.protocol !== PROTOCOL
    ? value.protocol
    : undefined;
}

/** The header of all batches of a link: batches are for each other's links if these are the same text. */
export function writeBatchHeader(header: Omit<BatchHeader, "protocol">): string {
  return JSON.stringify({ protocol: PROTOCOL, ...header });
}

/** A game as messages name it. */
export function nameGame({ shape, tiles }: Game): { shape: string; tiles: string } {
  return { shape: formatShape(normalShape(shape)), tiles: formatTiles(tiles) };
}

/**
 * The game that a message names.
 *
 * @throws {GameError} when it names none.
 */
export function gameNamed({ shape, tiles }: { shape: string; tiles: string }): Game {
  return { shape: normalShape(parseShape(shape)), tiles: parseTiles(tiles) };
}

/** A bound as messages hold it, since JSON has no infinity. */
export function writeBound({ lo, hi }: Bound): { lo: number; hi: number | null } {
  return { lo, hi: hi === Number.POSITIVE_INFINITY ? null : hi };
}

export function readBound({ lo, hi }: { lo: number; hi: number | null }): Bound {
  return { lo, hi: hi ?? Number.POSITIVE_INFINITY };
}

/** What a question asks, in words: `2 0 0/0 4 0/0 0 0 ≥ 184`. */
export function writeQuestion(game: Game, { turn, board, threshold }: Question) {
  return { board: formatBoard(unpackBoard(normalShape(game.shape), board), turn), threshold };
}

/**
 * The question that a message asks.
 *
 * @throws {ClusterError} `job` when its board is none of the game, or not canonical.
 * @throws {GameError} when it is no board.
 */
export function readQuestion(
  game: Game,
  { board: text, threshold }: { board: string; threshold: number },
): Question {
  const { board, turn } = parseBoard(text);
  const { rows, cols } = normalShape(game.shape);
  if (board.rows !== rows || board.cols !== cols) {
    throw new ClusterError("job", `${text} is no board of ${formatShape(game.shape)}`);
  }
  const packed = packBoard(board);
  if (packBoard(canonical(board)) !== packed) {
    throw new ClusterError("job", `${text} is not the canonical one of its images`);
  }
  return { turn, board: packed, threshold };
}

/** A question's name on the queue: the same one is never queued twice. */
export function questionId(game: Game, { turn, board, threshold }: Question): string {
  const { shape, tiles } = nameGame(game);
  return `${shape}_${tiles.replace(",", "")}_${turn}_${board.toString(16)}_${threshold}`;
}
