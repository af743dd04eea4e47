import type { Game } from "@gridlock/game";
import { enumerate, type Grid, type Objective, valueLayers } from "@gridlock/lab";

/** The game of the paper: the score that the slider can force. */
const SCORE: Objective = { end: () => 0, scored: true, placer: "adversary" };

/** The values of all canonical boards that play can reach, by their codes. */
export interface Values {
  readonly grid: Grid;
  /** In ascending order of the tile sum. */
  readonly positions: ReadonlyMap<number, number>;
  readonly afterstates: ReadonlyMap<number, number>;
}

/** Returns the values by retrograde analysis, with which every search is compared. */
export function valuesOf(game: Game): Values {
  const layers = enumerate(game);
  const positions: [number, number][][] = [];
  const afterstates: [number, number][][] = [];
  valueLayers(layers, SCORE, (layer) => {
    positions.push(pairs(layer.positions, layer.positionValues));
    afterstates.push(pairs(layer.afterstates, layer.afterstateValues));
  });
  return {
    grid: layers.grid,
    positions: new Map(positions.reverse().flat()),
    afterstates: new Map(afterstates.reverse().flat()),
  };
}

function pairs(codes: ArrayLike<number>, values: ArrayLike<number>): [number, number][] {
  return Array.from(codes, (code, i) => [code, values[i] as number]);
}
