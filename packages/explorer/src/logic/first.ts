import { parseShape, starts } from "@gridlock/game";
import { exploreAddress, type Spot, tilesOf } from "./address.js";

/** Returns the first start of a shape, the board to show by default. */
export function firstSpot(shape: string, tiles: readonly number[]): Spot {
  const [board] = starts(parseShape(shape));
  if (board === undefined) throw new RangeError(`${shape} has no start`);
  return { node: { board, turn: "slider" }, tiles: tilesOf(tiles) };
}

/** Returns the address of a shape's first start. */
export function firstAddress(game: { shape: string; tiles: readonly number[] }): string {
  return exploreAddress(firstSpot(game.shape, game.tiles));
}
