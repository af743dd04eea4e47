import { type Game, GameError, parseShape, parseTiles } from "@gridlock/game";
import type { Visit, VisitCost } from "./visits.js";

/*
 * A record of a run: a file of lines, each a JSON object. The first line describes the run. Then
 * follow, for each step, a line with the coordinator's seconds before it, and a line for each of
 * its visits, in the order in which they were queued. The last line has the coordinator's seconds
 * after the last step; the record of a killed run lacks it.
 */

/** Version of the format. */
const VERSION = 2;

/** The first line of a record. */
export interface RecordHead {
  readonly record: typeof VERSION;
  readonly shape: string;
  readonly tiles: string;
  /** The first threshold, in points; null if the shape suggested it. */
  readonly guess: number | null;
  /** The version of the compiled module. */
  readonly module: string;
}

/** A visit: its block and step, its dependencies, and its cost. */
export interface RecordedVisit extends VisitCost {
  readonly block: string;
  readonly step: number;
  /** The step of the block's last visit; null if there was none. */
  readonly last: number | null;
  /** The visits whose letters it reads, as `block.step`. */
  readonly from: readonly string[];
  /** True if it wrote letters to the starts. */
  readonly answers: boolean;
}

/** A step: its visits, and the seconds that the coordinator took before it. */
interface RecordedStep {
  readonly coordinator: number;
  /** True if one machine makes all of its visits: few nodes were open. */
  readonly isRemainder: boolean;
  readonly visits: readonly RecordedVisit[];
}

/** A run. */
export interface LayersRecord {
  readonly game: Game;
  readonly guess: number | undefined;
  readonly steps: readonly RecordedStep[];
  /** Seconds of the coordinator after the last step. */
  readonly end: number;
}

/** Returns the first line of the record of a game's run. */
export function headOf(
  game: { readonly shape: string; readonly tiles: string },
  guess: number | undefined,
  module: string,
): RecordHead {
  return { record: VERSION, ...game, guess: guess ?? null, module };
}

/** Returns the name of a visit in a record. */
export function visitName({ block, step }: Pick<Visit, "block" | "step">): string {
  return `${block}.${step}`;
}

/** A text that is not a record. */
export class BadRecord extends Error {
  override readonly name = "BadRecord";
}

type Line = Readonly<Record<string, unknown>>;

/**
 * Reads a record, line by line. An incomplete last line is ignored.
 *
 * @throws {BadRecord} if the text is not a record
 */
export function parseRecord(text: string): LayersRecord {
  const lines = text.split("\n").slice(0, -1); // the text after the last line break is incomplete
  const head = objectOf(lines[0] ?? "", 1);
  const { record } = head;
  if (record !== VERSION) {
    throw new BadRecord(`it is not a record of version ${VERSION} of a run by layers`);
  }
  const steps: (Omit<RecordedStep, "visits"> & { visits: RecordedVisit[] })[] = [];
  let end = 0;
  for (const [i, text] of lines.slice(1).entries()) {
    const number = i + 2;
    const line = objectOf(text, number);
    if ("block" in line) {
      const { visits } = steps.at(-1) ?? fail(number, "a step before its first visit");
      visits.push(visitOf(line, number));
    } else if ("end" in line) end = numberIn(line, "end", number);
    else {
      const coordinator = numberIn(line, "coordinator", number);
      const { isRemainder = false } = line;
      steps.push({ coordinator, isRemainder: isRemainder === true, visits: [] });
    }
  }
  return { ...gameOf(head), steps, end };
}

function gameOf({ shape, tiles, guess }: Line): Pick<LayersRecord, "game" | "guess"> {
  if (typeof shape !== "string" || typeof tiles !== "string") fail(1, "shape and tiles, as texts");
  try {
    const game = { shape: parseShape(shape), tiles: parseTiles(tiles) };
    return { game, guess: typeof guess === "number" ? guess : undefined };
  } catch (error) {
    if (error instanceof GameError) throw new BadRecord(`line 1: ${error.message}`);
    throw error;
  }
}

function visitOf(line: Line, number: number): RecordedVisit {
  const { block, last, from, answers, isInMemory } = line;
  const isWhole =
    typeof block === "string" &&
    (last === null || typeof last === "number") &&
    Array.isArray(from) &&
    from.every((name) => typeof name === "string") &&
    typeof answers === "boolean" &&
    typeof isInMemory === "boolean";
  if (!isWhole) fail(number, "block, last, from, answers and isInMemory");
  const of = (name: keyof RecordedVisit) => numberIn(line, name, number);
  return {
    ...(line as { block: string; last: number | null; from: string[] }),
    ...(line as { answers: boolean; isInMemory: boolean }),
    ...{ step: of("step"), loading: of("loading"), working: of("working"), saving: of("saving") },
    ...{ blockRead: of("blockRead"), blockWritten: of("blockWritten") },
    blockBytes: of("blockBytes"),
    ...{ lettersRead: of("lettersRead"), lettersWritten: of("lettersWritten") },
  };
}

function objectOf(text: string, number: number): Line {
  try {
    const line = JSON.parse(text);
    if (typeof line === "object" && line !== null) return line;
  } catch {
    // Reported below.
  }
  return fail(number, "a JSON object");
}

function numberIn(line: Line, name: string, number: number): number {
  const value = line[name];
  return typeof value === "number" && value >= 0 ? value : fail(number, `${name}, a number`);
}

function fail(number: number, expected: string): never {
  throw new BadRecord(`line ${number} of the record is damaged; expected ${expected}`);
}
