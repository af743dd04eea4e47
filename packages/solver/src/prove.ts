import {
  type Board,
  type Bound,
  type Game,
  mergeBounds,
  normalShape,
  type PackedNode,
  packBoard,
  packedFromNumber,
  packedToNumber,
  placements,
  slides,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel";
import { type Claim, showsLower, showsUpper } from "@gridlock/verify";

/** How far a proof has come. */
export interface ProofProgress {
  /** The tile sum that has been reached, and the claims made so far. */
  readonly layer: number;
  readonly claims: number;
  /** Boards of larger sums that are known to need a claim. */
  readonly waiting: number;
}

/** The claims of a proof, in no particular order, and what they rest on. */
export interface Proof {
  readonly claims: readonly Claim[];
  /** Sides of claims that the rules alone show. */
  readonly bySearch: number;
}

/** What is to be claimed of boards, by packed canonical board: as numbers, which 13 cells fit. */
type Demands = Map<number, Bound>;

/**
 * Extracts a certificate from what a table knows: the claims that the starts have their values, the claims these
 * follow from by one slide and one placement, and so on. A lower claim needs one slide and all its
 * placements, an upper claim all slides and one placement each; those are taken that add the fewest
 * boards. It goes by tile sums, the smallest first, so that all that is demanded of a board is known when its
 * turn comes. Where the table does not say what it needs, the kernel is asked again.
 */
export class Prover {
  readonly #game: Game;
  readonly #kernel: Kernel;
  readonly #effort: number;
  readonly #layers = new Map<number, Demands>();
  readonly #claims: Claim[] = [];
  #bySearch = 0;

  /** @param effort positions that a search may expand to show a claim by the rules alone */
  constructor(game: Game, kernel: Kernel, effort: number) {
    this.#game = { ...game, shape: normalShape(game.shape) };
    this.#kernel = kernel;
    this.#effort = effort;
  }

  /**
   * Proves the values of starts.
   *
   * @throws {Error} when a value is not what is said, or the kernel's stack does not reach to the end of the
   *   game
   */
  prove(
    starts: readonly { readonly board: Board; readonly value: number }[],
    onProgress: (progress: ProofProgress) => void = () => {},
  ): Proof {
    for (const { board, value } of starts) {
      this.#demand(tileSum(board), this.#canonical(board), { lo: value, hi: value });
    }
    for (let layer = this.#next(); layer !== undefined; layer = this.#next()) {
      const demands = this.#layers.get(layer) as Demands;
      this.#layers.delete(layer);
      const waiting = [...this.#layers.values()].reduce((sum, { size }) => sum + size, 0);
      onProgress({ layer, claims: this.#claims.length, waiting: waiting + demands.size });
      for (const [packed, { lo, hi }] of demands) this.#claim(layer, packed, { lo, hi });
    }
    return { claims: this.#claims, bySearch: this.#bySearch };
  }

  /** The smallest tile sum of which something is demanded. */
  #next(): number | undefined {
    return this.#layers.size === 0 ? undefined : Math.min(...this.#layers.keys());
  }

  #demand(layer: number, packed: number, bound: Bound): void {
    let demands = this.#layers.get(layer);
    if (demands === undefined) {
      demands = new Map();
      this.#layers.set(layer, demands);
    }
    demands.set(packed, mergeBounds(demands.get(packed) ?? UNKNOWN, bound));
  }

  #demanded(layer: number, packed: number): Bound {
    return this.#layers.get(layer)?.get(packed) ?? UNKNOWN;
  }

  #claim(layer: number, packed: number, { lo, hi }: Bound): void {
    if (lo <= 0 && hi === Number.POSITIVE_INFINITY) return;
    const board = unpackBoard(this.#game.shape, packedFromNumber(this.#game.shape, packed));
    this.#claims.push({ board: packedFromNumber(this.#game.shape, packed), lo, hi });
    const { tiles } = this.#game;
    if (lo > 0) {
      if (showsLower(board, tiles, lo, this.#effort).shown) this.#bySearch++;
      else this.#proveLower(layer, board, lo);
    }
    if (hi < Number.POSITIVE_INFINITY) {
      if (showsUpper(board, tiles, hi, this.#effort).shown) this.#bySearch++;
      else this.#proveUpper(layer, board, hi);
    }
  }

  /** Demands what one slide needs: of the slides that reach `lo` the one that needs the fewest new claims. */
  #proveLower(layer: number, board: Board, lo: number): void {
    const options = slides(board).map(({ board: after, score }) => ({
      after,
      need: lo - score,
      packed: this.#canonical(after),
    }));
    if (options.some(({ need }) => need <= 0)) return;
    let known = options.filter(({ packed, need }) => this.#look("placer", packed).lo >= need);
    if (known.length === 0) {
      const found = options.find(
        ({ packed, need }) => this.#ask("placer", packed, need).lo >= need,
      );
      if (found === undefined) throw this.#untrue(board, `≥ ${lo}`);
      known = [found];
    }
    const choices = known.map(({ after, need }) => {
      const missing = this.#replies(layer, after).filter(
        (reply) => this.#demanded(reply.layer, reply.packed).lo < need,
      );
      return { need, missing, cost: new Set(missing.map(({ packed }) => packed)).size };
    });
    const { need, missing } = choices.reduce((a, b) => (b.cost < a.cost ? b : a));
    for (const reply of missing)
      this.#demand(reply.layer, reply.packed, { lo: need, hi: Number.POSITIVE_INFINITY });
  }

  /** Demands what every slide needs: one placement that keeps it to `hi`, if possible one demanded already. */
  #proveUpper(layer: number, board: Board, hi: number): void {
    for (const { board: after, score } of slides(board)) {
      const need = hi - score;
      const replies = this.#replies(layer, after);
      if (replies.some((reply) => this.#demanded(reply.layer, reply.packed).hi <= need)) continue;
      let found = replies.find(({ packed }) => this.#look("slider", packed).hi <= need);
      if (found === undefined) {
        this.#ask("placer", this.#canonical(after), need + 4); // mostly leaves a placement in the table
        found =
          replies.find(({ packed }) => this.#look("slider", packed).hi <= need) ??
          replies.find(({ packed }) => this.#ask("slider", packed, need + 4).hi <= need);
      }
      if (found === undefined) throw this.#untrue(board, `≤ ${hi}`);
      this.#demand(found.layer, found.packed, { lo: 0, hi: need });
    }
  }

  /** The positions that placements leave, 4s first: they are worse for the slider, mostly. */
  #replies(layer: number, after: Board): { layer: number; packed: number }[] {
    return placements(after, this.#game.tiles)
      .map(({ tile, board }) => ({ layer: layer + tile, packed: this.#canonical(board) }))
      .sort((a, b) => b.layer - a.layer);
  }

  #canonical(board: Board): number {
    return packedToNumber(this.#game.shape, this.#kernel.canonical(packBoard(board)));
  }

  #look(turn: PackedNode["turn"], packed: number): Bound {
    return this.#kernel.look({ turn, board: packedFromNumber(this.#game.shape, packed) });
  }

  #ask(turn: PackedNode["turn"], packed: number, threshold: number): Bound {
    const answer = this.#kernel.ask(
      { turn, board: packedFromNumber(this.#game.shape, packed) },
      threshold,
    );
    if (answer === undefined) throw new Error("the search went deeper than the stack allows");
    return answer;
  }

  #untrue(board: Board, claim: string): Error {
    return new Error(
      `${packBoard(board)}: h ${claim} is said to be proven, and the kernel finds it is not`,
    );
  }
}
