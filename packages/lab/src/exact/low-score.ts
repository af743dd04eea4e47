import type { Board, Game } from "@gridlock/game";
import { type Cells, Grid, type Player } from "@gridlock/players";
import { isEnd } from "@gridlock/players/parts";
import { Pauses } from "./pauses.js";
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
  readonly signal?: AbortSignal;
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
  game: Game,
  options: LowScoreOptions,
): Promise<LowScore> {
  const search = new LowScoreSearch(player, game, options);
  let best: LowScore | undefined;
  for (const width of options.widths) best = await search.within(width, best);
  return best as LowScore;
}

class LowScoreSearch {
  readonly #grid: Grid;
  readonly #policies: Policies;
  readonly #tiles: Game["tiles"];
  readonly #options: LowScoreOptions;
  readonly #pauses: Pauses;
  #asked = 0;

  constructor(player: Player, { shape, tiles }: Game, options: LowScoreOptions) {
    this.#grid = new Grid(shape);
    this.#policies = new Policies([player]);
    this.#tiles = tiles;
    this.#options = options;
    this.#pauses = new Pauses(options.signal);
  }

  /**
   * Returns the lowest score that a search of a given width finds, or `best` if it finds no lower
   * one.
   */
  async within(width: number, best: LowScore | undefined): Promise<LowScore | undefined> {
    let lowest = best;
    let lines = this.#starts();
    for (let slides = 0; lines.length > 0; slides++) {
      const next = new Map<string, PlayedLine>();
      for (const line of lines) {
        const most = lowest?.score ?? Number.POSITIVE_INFINITY;
        if (line.score >= most) continue;
        if (line.empty === 0 && isEnd(line.cells, this.#grid)) {
          lowest = { score: line.score, slides, end: this.#grid.board(line.cells) };
        } else this.#follow(line, next);
        if (this.#pauses.isDue) await this.#pauses.take();
      }
      lines = [...next.values()]
        .sort((a, b) => a.score - b.score || a.empty - b.empty)
        .slice(0, width);
    }
    return lowest;
  }

  /** Returns all images of all starts. */
  #starts(): PlayedLine[] {
    let lines: PlayedLine[] = [
      { cells: new Uint8Array(this.#grid.size), empty: this.#grid.size, score: 0 },
    ];
    for (let tile = 0; tile < 2; tile++) {
      const next = new Map<string, PlayedLine>();
      for (const { cells, empty } of lines) this.#place(cells, empty, 0, next);
      lines = [...next.values()];
    }
    return lines;
  }

  /** Adds all positions to which a slide of the player and a placement lead. */
  #follow({ cells, score }: PlayedLine, next: Map<string, PlayedLine>): void {
    this.#asked++;
    this.#options.onProgress?.(this.#asked);
    for (const { score: points, after } of this.#policies.slidesOf(this.#grid, cells)) {
      let empty = 0;
      for (const exponent of after) if (exponent === 0) empty++;
      this.#place(after, empty, score + points, next);
    }
  }

  /** Adds all positions to which a placement leads. */
  #place(after: Cells, empty: number, score: number, next: Map<string, PlayedLine>): void {
    for (let cell = 0; cell < after.length; cell++) {
      if (after[cell] !== 0) continue;
      for (const tile of this.#tiles) {
        const cells = after.slice();
        cells[cell] = tile / 2;
        // The tile sum after a number of slides determines how many 4s were placed, and so the
        // points earned.
        const key = String.fromCharCode(...cells);
        if (!next.has(key)) next.set(key, { cells, empty: empty - 1, score });
      }
    }
  }
}
