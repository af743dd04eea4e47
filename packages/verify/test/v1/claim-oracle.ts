import { join } from "node:path";
import {
  type Board,
  type Bound,
  canonical,
  type Game,
  mergeBounds,
  type PackedBoard,
  packBoard,
  parseShape,
  placements,
  slides,
  starts,
  type Tiles,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import { Oracle, temporaryFolder } from "@gridlock/testbed";
import { type Certificate, type Claim, ClaimTable, searchFor } from "@gridlock/verify";

export function gameOf(shape: string, tiles: Tiles = [2, 4]): Game {
  return { shape: parseShape(shape), tiles };
}

type NeedOf = (position: Board, bound: Partial<Bound>) => void;

/** The values of all positions of a game, and claims about them. */
export class ClaimOracle extends Oracle {
  constructor(game: Game) {
    super(game);
    this.valueAll();
  }

  /** Returns the board of a packed number. */
  boardOf(packed: PackedBoard): Board {
    return unpackBoard(this.game.shape, packed);
  }

  /** Returns claims of the values of all positions that play can reach. */
  full(): Claim[] {
    return ascending(
      [...this.positions].map(([board, value]) => ({ board, lo: value, hi: value })),
    );
  }

  /**
   * Returns the claims that one proof of all starts takes: one best slide and one best placement
   * everywhere, no more claimed than needed, and nothing below a claim that follows by search.
   */
  lean(effort = 0): Claim[] {
    const needed = new Map<PackedBoard, Claim>();
    const open: Board[] = [];
    const need = (position: Board, bound: Partial<Bound>) => {
      const board = packBoard(canonical(position));
      const before = needed.get(board);
      if (before === undefined) open.push(canonical(position));
      const { lo = 0, hi = Number.POSITIVE_INFINITY } = bound;
      needed.set(board, { board, ...mergeBounds(before ?? UNKNOWN, { lo, hi }) });
    };
    for (const start of starts(this.game.shape)) {
      need(start, { lo: this.position(start), hi: this.position(start) });
    }
    while (open.length > 0) {
      // From the smallest sum up, so that all that a position must claim is known before its turn.
      open.sort((a, b) => tileSum(b) - tileSum(a));
      const position = open.pop() as Board;
      const claim = needed.get(packBoard(position)) as Claim;
      this.#lower(position, claim.lo, effort, need);
      this.#upper(position, claim.hi, effort, need);
    }
    return ascending([...needed.values()]);
  }

  #lower(position: Board, v: number, effort: number, need: NeedOf): void {
    if (searchFor("lower", position, this.game.tiles, v, effort).shown) return;
    const best = slides(position).find(({ board, score }) => score + this.afterstate(board) >= v);
    if (best === undefined || best.score >= v) return;
    for (const { board } of placements(best.board, this.game.tiles)) {
      need(board, { lo: v - best.score });
    }
  }

  #upper(position: Board, u: number, effort: number, need: NeedOf): void {
    if (u === Number.POSITIVE_INFINITY) return;
    if (searchFor("upper", position, this.game.tiles, u, effort).shown) return;
    for (const { board, score } of slides(position)) {
      const all = placements(board, this.game.tiles);
      const best = all.find((next) => score + this.position(next.board) <= u);
      if (best !== undefined) need(best.board, { hi: u - score });
    }
  }

  /** Returns whether a claim is true. */
  isTrue({ board, lo, hi }: Claim): boolean {
    const value = this.position(this.boardOf(board));
    return lo <= value && value <= hi;
  }
}

export function ascending(claims: readonly Claim[]): Claim[] {
  return [...claims].sort((a, b) => (a.board < b.board ? -1 : 1));
}

/** Makes a certificate of claims in ascending order. */
export function certify(game: Game, claims: readonly Claim[], effort = 0): Certificate {
  return { game, effort, claims: ClaimTable.from(claims, claims.length) };
}

/** Returns a path for a file of the running test, which is removed when the test ends. */
export function freshFile(): string {
  return join(temporaryFolder(), "test.certificate");
}
