import {
  type Board,
  type Bound,
  canonical,
  cellCount,
  findFault,
  type PackedBoard,
  packBoard,
  placements,
  slides,
  type Tiles,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";
import type { Certificate, Claim } from "@gridlock/verify";

/** The search exactly as docs/certificate.md prints it. */
export class PrintedSearch {
  expanded = 0;

  constructor(
    readonly tiles: Tiles,
    readonly W: number,
  ) {}

  lower(P: Board, v: number): boolean {
    if (v <= 0) return true;
    if (this.expanded === this.W) return false;
    this.expanded += 1;
    for (const { board, score: s } of slides(P)) {
      if (v - s <= 0) return true;
      if (placements(board, this.tiles).every((Q) => this.lower(Q.board, v - s))) return true;
    }
    return false;
  }

  upper(P: Board, u: number): boolean {
    if (u < 0) return false;
    if (this.expanded === this.W) return false;
    this.expanded += 1;
    for (const { board, score: s } of slides(P)) {
      if (!placements(board, this.tiles).some((Q) => this.upper(Q.board, u - s))) return false;
    }
    return true;
  }
}

/** Checks all claims with the rules of `game`, sentence by sentence as docs/certificate.md says. */
export function plainCheck({ game, effort, claims }: Certificate) {
  const all = Array.from({ length: claims.size }, (_, index) => claims.at(index));
  const byBoard = new Map<PackedBoard, Bound>(all.map((claim) => [claim.board, claim]));
  const claimOf = (Q: Board) => byBoard.get(packBoard(canonical(Q))) ?? UNKNOWN;
  const lowerStep = (P: Board, v: number) =>
    slides(P).some(
      ({ board, score: s }) =>
        v - s <= 0 || placements(board, game.tiles).every((Q) => claimOf(Q.board).lo >= v - s),
    );
  const upperStep = (P: Board, u: number) =>
    slides(P).every(({ board, score: s }) =>
      placements(board, game.tiles).some((Q) => claimOf(Q.board).hi <= u - s),
    );

  const found = { bySteps: 0, bySearch: 0, expanded: 0, failed: 0, deepestLayer: 0 };
  const count = (step: boolean, shows: (search: PrintedSearch) => boolean) => {
    found.expanded++;
    if (step) found.bySteps++;
    else {
      const search = new PrintedSearch(game.tiles, effort);
      if (shows(search)) found.bySearch++;
      else found.failed++;
      found.expanded += search.expanded;
    }
  };
  for (const claim of all) {
    const { lo, hi } = claim;
    const P = unpackBoard(game.shape, claim.board);
    found.deepestLayer = Math.max(found.deepestLayer, tileSum(P));
    const before = found.failed;
    if (!isWellFormed(claim, P)) found.failed++;
    else {
      if (lo > 0) count(lowerStep(P, lo), (search) => search.lower(P, lo));
      if (Number.isFinite(hi)) count(upperStep(P, hi), (search) => search.upper(P, hi));
      if (lo > hi && found.failed === before) found.failed++;
    }
  }
  return found;
}

function isWellFormed({ board, lo, hi }: Claim, P: Board): boolean {
  const fits = board >> BigInt(4 * cellCount(P)) === 0n;
  const claimsSomething = lo > 0 || Number.isFinite(hi);
  return (
    fits &&
    claimsSomething &&
    findFault(P, "slider") === undefined &&
    packBoard(canonical(P)) === board
  );
}
