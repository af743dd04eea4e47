import { canonical, packBoard, parseBoard, parseShape } from "@gridlock/game";
import { createTable, type SharedTable, tableLimits } from "@gridlock/kernel";

/** The game of 3×3. */
export const THREE = { shape: parseShape("3x3"), tiles: [2, 4] } as const;

/** A start of it, whose value is 184. */
export const START = {
  turn: "slider",
  board: packBoard(canonical(parseBoard("2 2 0/0 0 0/0 0 0").board)),
} as const;

/** The two builds of the search. */
export const BUILDS: { readonly shared: boolean }[] = [{ shared: true }, { shared: false }];

/** Creates a table for 3×3 with this many bytes more than the least possible. */
export function tableOf(threads = 1, bytes = 8 << 20): SharedTable {
  return createTable(THREE, tableLimits(THREE, threads).least + bytes, threads);
}
