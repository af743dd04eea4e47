import type { Board, Game } from "@gridlock/game";
import { type Cells, isEnd, type Player } from "@gridlock/players";
import { Pauses } from "../pauses.js";
import { Policies } from "./policies.js";

/** A game in which a player scores little. */
export interface LowScore {
  readonly score: number;
  /** The number of slides. */
  readonly slides: number;
  readonly end: Board;
}

/** Options of a search for a low score. */
export interface LowScoreOptions {
  /** Numbers of positions to keep after each slide, one for each search. */
  readonly widths: readonly number[];
  /** Stops the search: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of positions about which the player was asked. */
  onProgress?(asked: number): void;
}

/** A position and the points that the player earned before it. */
interface PlayedLine {
  readonly cells: Cells;
  readonly empty: number;
  readonly score: number;
}

/**
 * Looks for a game in which a player scores little, on shapes of any size. A placer that knows the
 * player, and decides its random ties, tries all placements from all starts at once. After each
 * slide it keeps the positions with the fewest points earned, among equal ones those with the
 * fewest empty cells (a beam search). The score that it finds is an upper bound of the least to
 * which the player can be held from any start if its ties go against it.
 *
 * @throws {PlayerError} if the player's choice is not valid
 */
export async function findLowScore(
  player: Player,
  { shape, tiles }: Game,
  { widths, signal, onProgress }: LowScoreOptions,
): Promise<LowScore> {
  const policies = new Policies([player], shape);
  const { cellRules } = policies;
  const pauses = new Pauses(signal);
  let asked = 0;
  let best: LowScore | undefined;
  for (const width of widths) {
    let lines = startLines(cellRules.size, tiles);
    for (let slides = 0; lines.length > 0; slides++) {
      const next = new Map<string, PlayedLine>();
      for (const { cells, empty, score } of lines) {
        if (best !== undefined && score >= best.score) continue;
        if (empty === 0 && isEnd(cells, cellRules))
          best = { score, slides, end: cellRules.board(cells) };
        else {
          onProgress?.(++asked);
          for (const slide of policies.slidesOf(cells)) {
            addPlacements(slide.after, score + slide.score, tiles, next);
          }
        }
        if (pauses.isDue) await pauses.take();
      }
      lines = [...next.values()]
        .sort((a, b) => a.score - b.score || a.empty - b.empty)
        .slice(0, width);
    }
  }
  return best as LowScore;
}

/** Returns all images of all starts. */
function startLines(size: number, tiles: Game["tiles"]): PlayedLine[] {
  const first = new Map<string, PlayedLine>();
  addPlacements(new Uint8Array(size), 0, tiles, first);
  const second = new Map<string, PlayedLine>();
  for (const { cells } of first.values()) addPlacements(cells, 0, tiles, second);
  return [...second.values()];
}

/** Adds all positions to which a placement leads. */
function addPlacements(
  after: Cells,
  score: number,
  tiles: Game["tiles"],
  next: Map<string, PlayedLine>,
): void {
  const empty = after.reduce((count, exponent) => count + (exponent === 0 ? 1 : 0), 0);
  for (let cell = 0; cell < after.length; cell++) {
    if (after[cell] !== 0) continue;
    for (const tile of tiles) {
      const cells = after.slice();
      cells[cell] = tile / 2;
      // The tile sum after a number of slides determines how many 4s were placed, and so the
      // points earned.
      const key = String.fromCharCode(...cells);
      if (!next.has(key)) next.set(key, { cells, empty: empty - 1, score });
    }
  }
}
