/*
 * The messages that coordinators and workers exchange through Redis. Every received message is
 * checked against its schema here, and every board against the rules.
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
import {
  ResultMessage,
  RunMessage,
  SubtreeMessage,
  WorkerMessage,
} from "@gridlock/schemas/cluster";
import type { Agenda, Question } from "@gridlock/solver";
import type { BoundEntry } from "@gridlock/store";
import type { z } from "zod";
import { ClusterError } from "./errors.js";

/** Version of these messages. Coordinators and workers of different versions refuse each other. */
export const PROTOCOL = 14;

const SCHEMAS = {
  result: ResultMessage,
  run: RunMessage,
  subtree: SubtreeMessage,
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
  const protocol = (value as { protocol?: unknown } | null | undefined)?.protocol;
  if (typeof protocol === "number" && protocol !== PROTOCOL) {
    throw new ClusterError(
      "protocol",
      `received a message of protocol ${protocol}, but this version speaks protocol ${PROTOCOL}; use the same version of gridlock for the coordinator and all workers`,
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

/**
 * Returns the agenda of a run, if its coordinator has named one.
 *
 * @throws {GameError} if the text of a start is not a board
 */
export function readAgenda({ starts, guess }: RunMessage): Agenda | undefined {
  if (guess === null) return undefined;
  const read = starts.map(({ board, bound }) => ({
    board: parseBoard(board).board,
    bound: readBound(bound),
  }));
  return { starts: read, guess };
}

/** Converts the bound of a node for a message. */
export function writeEntry(game: Game, { lo, hi, ...node }: BoundEntry) {
  return {
    board: writeQuestion(game, { ...node, threshold: 0 }).board,
    bound: writeBound({ lo, hi }),
  };
}

/**
 * Reads the bound of a node from a message.
 *
 * @throws as {@link readQuestion} does
 */
export function readEntry(game: Game, { board, bound }: ReturnType<typeof writeEntry>): BoundEntry {
  const { threshold: _, ...node } = readQuestion(game, { board, threshold: 0 });
  return { ...node, ...readBound(bound) };
}

/** Converts a question for a message that gives its id, too. */
export function namedQuestion(game: Game, question: Question) {
  return { id: questionId(game, question), ...writeQuestion(game, question) };
}

/** Returns a question's id. */
export function questionId(game: Game, { turn, board, threshold }: Question): string {
  const { shape, tiles } = nameGame(game);
  return `${shape}_${tiles.replace(",", "")}_${turn}_${board.toString(16)}_${threshold}`;
}
