/*
 * The messages that coordinators and workers exchange through Redis. Every received message is
 * checked against its schema here, and every board against the rules. `docs/protocol.md` has an
 * example of each message.
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
export const PROTOCOL = 9;

const Points = z.int().nonnegative().multipleOf(4);
const Count = z.number().nonnegative();
/** A text to show: without control characters, so that it is one line. */
const TextLine = z.string().regex(/^\P{Cc}*$/u);
const Name = TextLine.min(1).max(200);
const Id = z.string().regex(/^[a-z0-9_-]{1,100}$/i);

const AnyBound = z
  .object({ lo: Points, hi: Points.nullable() })
  .refine(({ lo, hi }) => hi === null || lo <= hi, "lo must not exceed hi");

/** The fields that name a game. */
const GameName = { shape: TextLine.max(10), tiles: TextLine.max(10) };

/** The fields of a question: is the board worth at least the threshold? */
const Asked = { board: TextLine.max(200), threshold: Points.min(4) };

const Counts = z.object({ positions: Count, afterstates: Count });

const AnswerMessage = z.object({
  protocol: z.int(),
  run: Id,
  /** The worker's group when it began the search. */
  group: Id,
  worker: Name,
  question: Id,
  bound: AnyBound,
  /** Nodes that the worker has searched in that run. */
  counts: Counts,
});

/** A worker's answer to a question: the data of a job. */
export type AnswerMessage = z.infer<typeof AnswerMessage>;

const RunMessage = z.object({
  protocol: z.int(),
  run: Id,
  host: Name,
  pid: z.int().nonnegative(),
  ...GameName,
  /** The version of the coordinator's kernel of that shape. Workers with another one end. */
  kernel: TextLine.max(100).optional(),
  began: z.iso.datetime(),
  /** True if every answer must be given by two groups. */
  check: z.boolean(),
  /** The question that waits for an answer; null between two questions. */
  question: z.object({ id: Id, ...Asked }).nullable(),
  /** Workers share bounds within their group; `answered`: the question needs no more of its work. */
  groups: z
    .array(z.object({ id: Id, workers: z.array(Name).max(10_000), answered: z.boolean() }))
    .max(2),
  starts: z.array(z.object({ board: TextLine.max(200), bound: AnyBound })).max(10_000),
  /** Questions that were answered. */
  questions: Count,
  counts: Counts,
  shutOut: z.array(Name).max(1000),
});

/** A coordinator's description of its run, sent every second and whenever the run changes. */
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

const WorkerMessage = z.object({
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
  /** The run that the worker belongs to. */
  run: Id.nullable(),
  /** Nodes that the worker has searched in that run. */
  counts: Counts,
  nodesPerSecond: Count,
  shared: Shared,
});

/** A worker's status, sent every second and whenever it changes. */
export type WorkerMessage = z.infer<typeof WorkerMessage>;

/** The status of a run as JSON: the coordinator's message and the workers'. */
export const ClusterStatusSchema = z.object({
  run: RunMessage.nullable().describe("Null while there is no coordinator."),
  workers: z.array(WorkerMessage),
});

const SCHEMAS = {
  answer: AnswerMessage,
  run: RunMessage,
  worker: WorkerMessage,
};
type Messages = { [Kind in keyof typeof SCHEMAS]: z.infer<(typeof SCHEMAS)[Kind]> };

/**
 * Checks a received message.
 *
 * @param message a value, or the JSON of one
 * @throws {ClusterError} `protocol` if it is of another version, `job` if it is not a valid message
 *   of this kind
 */
export function read<Kind extends keyof Messages>(kind: Kind, message: unknown): Messages[Kind] {
  const value = typeof message === "string" ? fromJson(message) : message;
  const other = otherProtocol(value);
  if (other !== undefined) {
    throw new ClusterError(
      "protocol",
      `received a message of protocol ${other}, but this version speaks protocol ${PROTOCOL}; use the same version of gridlock for the coordinator and all workers`,
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

/** Returns the protocol version of a message if it differs from ours. */
function otherProtocol(value: unknown): number | undefined {
  if (typeof value !== "object" || value === null || !("protocol" in value)) return undefined;
  return typeof value.protocol === "number" && value.protocol !== PROTOCOL
    ? value.protocol
    : undefined;
}

/** Returns a game as messages name it. */
export function nameGame({ shape, tiles }: Game): { shape: string; tiles: string } {
  return { shape: formatShape(normalShape(shape)), tiles: formatTiles(tiles) };
}

/**
 * Returns the game that a message names.
 *
 * @throws {GameError} if the shape or the tiles are invalid
 */
export function gameNamed({ shape, tiles }: { shape: string; tiles: string }): Game {
  return { shape: normalShape(parseShape(shape)), tiles: parseTiles(tiles) };
}

/** Converts a bound for a message: JSON has no infinity. */
export function writeBound({ lo, hi }: Bound): { lo: number; hi: number | null } {
  return { lo, hi: hi === Number.POSITIVE_INFINITY ? null : hi };
}

/** Reads a bound from a message, in points: a `hi` of null is infinite. */
export function readBound({ lo, hi }: { lo: number; hi: number | null }): Bound {
  return { lo, hi: hi ?? Number.POSITIVE_INFINITY };
}

/** Converts a question for a message: the board as text, and the threshold. */
export function writeQuestion(game: Game, { turn, board, threshold }: Question) {
  return { board: formatBoard(unpackBoard(normalShape(game.shape), board), turn), threshold };
}

/**
 * Returns the question that a message asks.
 *
 * @throws {ClusterError} `job` if its board has another shape than the game or is not canonical
 * @throws {GameError} if the text is not a board
 */
export function readQuestion(
  game: Game,
  { board: text, threshold }: { board: string; threshold: number },
): Question {
  const { board, turn } = parseBoard(text);
  const { rows, cols } = normalShape(game.shape);
  if (board.rows !== rows || board.cols !== cols) {
    throw new ClusterError("job", `${text} is not a board of ${formatShape(game.shape)}`);
  }
  const packed = packBoard(board);
  if (packBoard(canonical(board)) !== packed) {
    throw new ClusterError("job", `${text} is not canonical`);
  }
  return { turn, board: packed, threshold };
}

/** Returns a question's id. */
export function questionId(game: Game, { turn, board, threshold }: Question): string {
  const { shape, tiles } = nameGame(game);
  return `${shape}_${tiles.replace(",", "")}_${turn}_${board.toString(16)}_${threshold}`;
}
