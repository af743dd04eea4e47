import {
  type Board,
  type Bound,
  formatBoard,
  type Game,
  mergeBounds,
  normalShape,
  type PackedBoard,
  type PackedNode,
  packBoard,
  placements,
  slides,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel";
import { type Claim, searchFor } from "@gridlock/verify";
import { boardOfKey, keyOf, type NodeKey } from "./node-keys.js";

/** The progress of a proof. */
export interface ProofProgress {
  /** The tile sum that the proof has reached. */
  readonly layer: number;
  /** Claims made so far. */
  readonly claims: number;
  /** Boards with larger tile sums that are known to need a claim. */
  readonly waiting: number;
}

/** A proof: claims in no particular order. */
export interface Proof {
  readonly claims: readonly Claim[];
  /** Number of lower and upper claims that a search by the rules alone shows. */
  readonly bySearch: number;
}

/** The bounds to claim of the positions of one layer. */
type Demands = Map<NodeKey, Bound>;

/** A canonical position. */
interface Position {
  /** Its tile sum. */
  readonly layer: number;
  readonly board: PackedBoard;
  readonly key: NodeKey;
}

/**
 * Extracts a certificate from a table: claims of the starts' values, the claims from which these
 * follow by one slide and one placement, and so on. A lower claim needs one slide and all its
 * placements, an upper claim all slides and one placement each; the prover takes those that add the
 * fewest boards. It proceeds by tile sum, smallest first, so that all demands on a board are known
 * when its turn comes. Where the table lacks a bound, the prover asks the kernel to search again.
 */
export class Prover {
  readonly #game: Game;
  readonly #kernel: Kernel;
  readonly #effort: number;
  readonly #layers = new Map<number, Demands>();
  readonly #claims: Claim[] = [];
  #bySearch = 0;

  /**
   * @param effort the most positions that a search may expand to show a claim by the rules alone
   */
  constructor(game: Game, kernel: Kernel, effort: number) {
    this.#game = { ...game, shape: normalShape(game.shape) };
    this.#kernel = kernel;
    this.#effort = effort;
  }

  /**
   * Proves the values of positions, usually a game's starts.
   *
   * @throws {Error} if a value is wrong, or the game is too long for the kernel's stack
   */
  prove(
    starts: readonly { readonly board: Board; readonly value: number }[],
    onProgress: (progress: ProofProgress) => void = () => {},
  ): Proof {
    for (const { board, value } of starts) {
      this.#demand(this.#position(tileSum(board), board), { lo: value, hi: value });
    }
    for (let layer = this.#next(); layer !== undefined; layer = this.#next()) {
      const demands = this.#layers.get(layer) as Demands;
      this.#layers.delete(layer);
      const waiting = [...this.#layers.values()].reduce((sum, { size }) => sum + size, 0);
      onProgress({ layer, claims: this.#claims.length, waiting: waiting + demands.size });
      for (const [key, bound] of demands) {
        this.#claim(layer, boardOfKey(this.#game.shape, key), bound);
      }
    }
    return { claims: this.#claims, bySearch: this.#bySearch };
  }

  /** Returns the smallest tile sum with demands. */
  #next(): number | undefined {
    return this.#layers.size === 0 ? undefined : Math.min(...this.#layers.keys());
  }

  #demand({ layer, key }: Position, bound: Bound): void {
    const demands: Demands = this.#layers.get(layer) ?? new Map();
    this.#layers.set(layer, demands);
    demands.set(key, mergeBounds(demands.get(key) ?? UNKNOWN, bound));
  }

  #demanded({ layer, key }: Position): Bound {
    return this.#layers.get(layer)?.get(key) ?? UNKNOWN;
  }

  #claim(layer: number, packed: PackedBoard, { lo, hi }: Bound): void {
    if (lo <= 0 && hi === Number.POSITIVE_INFINITY) return;
    const board = unpackBoard(this.#game.shape, packed);
    this.#claims.push({ board: packed, lo, hi });
    const { tiles } = this.#game;
    if (lo > 0) {
      if (searchFor("lower", board, tiles, lo, this.#effort).shown) this.#bySearch++;
      else this.#proveLower(layer, board, lo);
    }
    if (hi < Number.POSITIVE_INFINITY) {
      if (searchFor("upper", board, tiles, hi, this.#effort).shown) this.#bySearch++;
      else this.#proveUpper(layer, board, hi);
    }
  }

  /**
   * Demands the claims for one slide: of the slides that reach `lo`, the one with the fewest new
   * claims.
   */
  #proveLower(layer: number, board: Board, lo: number): void {
    const options = slides(board).map(({ board: after, score }) => ({
      after,
      need: lo - score,
      packed: this.#canonical(after),
    }));
    if (options.some(({ need }) => need <= 0)) return;
    let known = options.filter(({ packed, need }) => this.#look("placer", packed).lo >= need);
    if (known.length === 0) {
      known = options.filter(({ packed, need }) => this.#kernel.surelyEarned(packed) >= need);
    }
    if (known.length === 0) {
      const found = options.find(
        ({ packed, need }) => this.#ask("placer", packed, need).lo >= need,
      );
      if (found === undefined) throw this.#untrue(board, `≥ ${lo}`);
      known = [found];
    }
    const choices = known.map(({ after, need }) => {
      const missing = this.#replies(layer, after).filter(
        (reply) => this.#demanded(reply).lo < need,
      );
      return { need, missing, cost: new Set(missing.map(({ key }) => key)).size };
    });
    const { need, missing } = choices.reduce((a, b) => (b.cost < a.cost ? b : a));
    for (const reply of missing) this.#demand(reply, { lo: need, hi: Number.POSITIVE_INFINITY });
  }

  /**
   * Demands, for each slide, one placement that limits it to `hi`: one already demanded, if
   * possible.
   */
  #proveUpper(layer: number, board: Board, hi: number): void {
    for (const { board: after, score } of slides(board)) {
      const need = hi - score;
      const replies = this.#replies(layer, after);
      if (replies.some((reply) => this.#demanded(reply).hi <= need)) continue;
      let found = replies.find((reply) => this.#look("slider", reply.board).hi <= need);
      if (found === undefined) {
        this.#ask("placer", this.#canonical(after), need + 4); // usually adds a placement to the table
        found =
          replies.find((reply) => this.#look("slider", reply.board).hi <= need) ??
          replies.find((reply) => this.#ask("slider", reply.board, need + 4).hi <= need);
      }
      if (found === undefined) throw this.#untrue(board, `≤ ${hi}`);
      this.#demand(found, { lo: 0, hi: need });
    }
  }

  /**
   * Returns the positions after all placements, 4s first: these are usually worse for the slider.
   */
  #replies(layer: number, after: Board): Position[] {
    return placements(after, this.#game.tiles)
      .map(({ tile, board }) => this.#position(layer + tile, board))
      .sort((a, b) => b.layer - a.layer);
  }

  #position(layer: number, position: Board): Position {
    const board = this.#canonical(position);
    return { layer, board, key: keyOf(this.#game.shape, { turn: "slider", board }) };
  }

  #canonical(board: Board): PackedBoard {
    return this.#kernel.canonical(packBoard(board));
  }

  #look(turn: PackedNode["turn"], board: PackedBoard): Bound {
    return this.#kernel.look({ turn, board });
  }

  #ask(turn: PackedNode["turn"], board: PackedBoard, threshold: number): Bound {
    const answer = this.#kernel.ask({ turn, board }, threshold);
    if (answer === undefined) throw new Error("the search went deeper than the stack allows");
    return answer;
  }

  #untrue(board: Board, claim: string): Error {
    return new Error(
      `cannot prove h ${claim} of ${formatBoard(board)}: the search refutes it, so a stored bound is wrong`,
    );
  }
}
