import { setImmediate } from "node:timers/promises";
import {
  applySymmetry,
  type Board,
  type Bound,
  cellPlaces,
  type Game,
  isExact,
  packBoard,
  SYMMETRIES,
  starts,
  symmetriesOf,
} from "@gridlock/game";
import { type Cells, isEnd, type Player } from "@gridlock/players";
import { Policies } from "./policies.js";

/** The result of a search for a start. */
export interface HeldBounds {
  /**
   * Least score that a placer can hold the player to if it decides the player's random ties too.
   */
  readonly heldToWorstTie: Bound;
  /**
   * The same with random ties averaged. It is no less, and equal for a player that always chose a
   * single slide in this search.
   */
  readonly heldTo: Bound;
}

/** Limits of a {@link HeldSearch}. */
export interface SearchLimits {
  /** Seconds to search, in all calls together. */
  readonly seconds: number;
  /** Most positions to remember, about 1 KB each. */
  readonly positions: number;
  /** Stops the search: its promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A position with the slides that the player may choose, and its value or a lower bound of it. */
interface Position {
  readonly moves: readonly Move[];
  bound: number;
  isExact: boolean;
}

/** The points of a slide, and the key of its afterstate. */
interface Move {
  readonly score: number;
  readonly after: string;
}

/** Milliseconds of search between two pauses, in which signals are handled. */
const SLICE_MS = 200;
/** The first limit in points, and the factor by which limits grow. */
const FIRST_LIMIT = 8;
const GROWTH = 1.5;

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Thrown to leave a search at the end of a slice; the search remembers all finished positions. */
class SliceOver extends Error {}

/**
 * Finds the score to which a placer holds a player, on shapes too large to enumerate. Only the
 * placer and random ties branch, so this is a search for the line of play that scores least:
 * depth-first, within a limit of points that is raised until there is a line. Positions are
 * remembered from one start to the next, and the player is asked once about each.
 */
export class HeldSearch {
  readonly #policies: Policies;
  readonly #tiles: Game["tiles"];
  readonly #limits: SearchLimits;
  readonly #images: readonly (readonly number[])[];
  readonly #positions = new Map<string, Position>();
  #isCertain = true;
  #secondsLeft: number;
  #sliceEnd = 0;

  constructor(player: Player, { shape, tiles }: Game, limits: SearchLimits) {
    this.#policies = new Policies([player], shape);
    this.#tiles = tiles;
    this.#limits = limits;
    const all = symmetriesOf(shape).map((symmetry) => cellPlaces(shape, symmetry));
    this.#images = player.isSymmetric ? all : all.slice(0, 1);
    this.#secondsLeft = limits.seconds;
  }

  /**
   * Returns the scores to which the player is held from a position; only lower bounds if the limits
   * do not suffice.
   *
   * @throws {PlayerError} if the player's choice is not valid
   */
  async from(board: Board): Promise<HeldBounds> {
    const cells = this.#policies.cellRules.cells(board);
    let bound = { lo: 0, hi: UNLIMITED };
    let limit = FIRST_LIMIT;
    while (!isExact(bound) && this.#secondsLeft > 0 && !this.#isFull) {
      this.#limits.signal?.throwIfAborted();
      const began = performance.now();
      this.#sliceEnd = began + SLICE_MS;
      try {
        const lo = this.#position(cells, limit);
        bound = { lo, hi: lo < limit ? lo : UNLIMITED };
        limit *= GROWTH;
      } catch (error) {
        if (!(error instanceof SliceOver)) throw error;
      }
      this.#secondsLeft -= (performance.now() - began) / 1000;
      await setImmediate();
    }
    return {
      heldToWorstTie: bound,
      heldTo: this.#isCertain ? bound : { ...bound, hi: UNLIMITED },
    };
  }

  get #isFull(): boolean {
    return this.#positions.size >= this.#limits.positions;
  }

  /** Returns a position's value if below a limit, else a lower bound of at least the limit. */
  #position(cells: Cells, limit: number): number {
    const key = this.#keyOf(cells);
    let position = this.#positions.get(key);
    if (position === undefined) {
      if (this.#isFull || performance.now() >= this.#sliceEnd) throw new SliceOver();
      position = { moves: this.#movesOf(key), bound: 0, isExact: false };
      this.#positions.set(key, position);
    }
    if (position.isExact || position.bound >= limit) return position.bound;
    let least = position.moves.length === 0 ? 0 : UNLIMITED;
    for (const { score, after } of position.moves) {
      const most = Math.min(least, limit) - score;
      least = Math.min(least, score + this.#afterstate(cellsOf(after), most));
    }
    position.bound = least;
    position.isExact = least < limit;
    return least;
  }

  /** Returns an afterstate's value if below a limit, else a lower bound of at least the limit. */
  #afterstate(cells: Cells, limit: number): number {
    if (limit <= 0) return 0;
    let least = UNLIMITED;
    for (const tile of this.#tiles) {
      for (let cell = 0; cell < cells.length; cell++) {
        if (cells[cell] !== 0) continue;
        const next = cells.slice();
        next[cell] = tile / 2;
        least = Math.min(least, this.#position(next, Math.min(least, limit)));
      }
    }
    return least;
  }

  /** Returns the moves of a position; none at the end of the game. */
  #movesOf(key: string): Move[] {
    const cells = cellsOf(key);
    if (isEnd(cells, this.#policies.cellRules)) return [];
    const moves: Move[] = [];
    for (const { score, after: slid } of this.#policies.slidesOf(cells)) {
      const after = this.#keyOf(slid);
      // The symmetric moves of a symmetric position count as one.
      if (moves.some((move) => move.after === after && move.score === score)) continue;
      moves.push({ score, after });
    }
    if (moves.length > 1) this.#isCertain = false;
    return moves;
  }

  /** Returns a board as text, one character per cell: the least among all equivalent images. */
  #keyOf(cells: Cells): string {
    let least: string | undefined;
    const image = Buffer.alloc(cells.length);
    for (const places of this.#images) {
      for (let cell = 0; cell < places.length; cell++) {
        image[places[cell] as number] = cells[cell] as number;
      }
      const text = image.toString("latin1");
      if (least === undefined || text < least) least = text;
    }
    return least as string;
  }
}

function cellsOf(key: string): Cells {
  return Uint8Array.from(Buffer.from(key, "latin1"));
}

/**
 * Searches for the score to which a placer holds a player from each start. If the player is not
 * symmetric, a start stands for all its images, and the placer takes the one that suits it best.
 *
 * @param onStart called after each start with the number of starts done
 * @returns one result for each of `starts`, in their order
 * @throws {PlayerError} if the player's choice is not valid
 */
export async function searchStarts(
  player: Player,
  game: Game,
  limits: SearchLimits,
  onStart?: (done: number) => void,
): Promise<HeldBounds[]> {
  const search = new HeldSearch(player, game, limits);
  const found: HeldBounds[] = [];
  for (const start of starts(game.shape)) {
    // Starts are boards of the normal shape, which may be the transpose of that of the game.
    const all = SYMMETRIES.map((symmetry) => applySymmetry(start, symmetry));
    const images = all.filter(({ rows }) => rows === game.shape.rows);
    const distinct = [...new Map(images.map((image) => [packBoard(image), image])).values()];
    const bounds: HeldBounds[] = [];
    for (const image of player.isSymmetric ? distinct.slice(0, 1) : distinct) {
      bounds.push(await search.from(image));
    }
    found.push({
      heldTo: least(bounds.map(({ heldTo }) => heldTo)),
      heldToWorstTie: least(bounds.map(({ heldToWorstTie }) => heldToWorstTie)),
    });
    onStart?.(found.length);
  }
  return found;
}

function least(bounds: readonly Bound[]): Bound {
  return {
    lo: Math.min(...bounds.map(({ lo }) => lo)),
    hi: Math.min(...bounds.map(({ hi }) => hi)),
  };
}
