import { type Board, canonical, packBoard, placements, slides } from "@gridlock/game";
import { valueOfNode } from "./node-values.js";
import type { Tabulation } from "./tabulation.js";

/** Where on a board the largest tile lies; of several, the one nearest to a corner. */
type Region = "corner" | "edge" | "centre";

/** Counts of the boards of perfect play, in which both players make only best moves. */
export interface PerfectPlay {
  /** Boards, up to symmetry, with the slider to move, and with the placer to move. */
  readonly positions: number;
  readonly afterstates: number;
  /** Positions without a slide. */
  readonly ends: number;
  /** End boards by the place of their largest tile. */
  readonly endsBy: Readonly<Record<Region, number>>;
  /** End boards by the value of their largest tile, and of those the ones by its place. */
  readonly endsByTile: ReadonlyMap<number, Readonly<Record<Region, number>>>;
}

/**
 * Walks through perfect play from some positions.
 *
 * @param tabulation with the column `minimax`
 */
export function perfectPlay(tabulation: Tabulation, from: readonly Board[]): PerfectPlay {
  const { tiles } = tabulation.game;
  const seen = new Set<number | bigint>();
  const afterstates = new Set<number | bigint>();
  const waiting: Board[] = [];
  const reach = (board: Board) => {
    const form = canonical(board);
    const key = packBoard(form);
    if (seen.has(key)) return;
    seen.add(key);
    waiting.push(form);
  };
  from.forEach(reach);
  const endsBy = noEnds();
  const endsByTile = new Map<number, Record<Region, number>>();
  for (let board = waiting.pop(); board !== undefined; board = waiting.pop()) {
    const all = slides(board);
    if (all.length === 0) {
      const region = regionOfLargest(board);
      const largest = Math.max(...board.cells);
      const ofTile = endsByTile.get(largest) ?? noEnds();
      endsBy[region]++;
      ofTile[region]++;
      endsByTile.set(largest, ofTile);
    }
    const value = valueOfNode(tabulation, "minimax", { board, turn: "slider" });
    for (const { board: after, score } of all) {
      const left = valueOfNode(tabulation, "minimax", { board: after, turn: "placer" }) as number;
      const key = packBoard(canonical(after));
      if (score + left !== value || afterstates.has(key)) continue;
      afterstates.add(key);
      for (const { board: next } of placements(after, tiles)) {
        if (valueOfNode(tabulation, "minimax", { board: next, turn: "slider" }) === left) {
          reach(next);
        }
      }
    }
  }
  return {
    positions: seen.size,
    afterstates: afterstates.size,
    ends: endsBy.corner + endsBy.edge + endsBy.centre,
    endsBy,
    endsByTile: new Map([...endsByTile].sort(([a], [b]) => a - b)),
  };
}

function noEnds(): Record<Region, number> {
  return { corner: 0, edge: 0, centre: 0 };
}

function regionOfLargest({ rows, cols, cells }: Board): Region {
  const largest = Math.max(...cells);
  const borders = cells.flatMap((tile, cell) => {
    if (tile !== largest) return [];
    const row = Math.floor(cell / cols);
    const col = cell % cols;
    return [Number(row === 0 || row === rows - 1) + Number(col === 0 || col === cols - 1)];
  });
  return (["centre", "edge", "corner"] as const)[Math.max(...borders) as 0 | 1 | 2];
}
