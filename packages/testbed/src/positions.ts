import { type Board, packedFromHalves, unpackBoard } from "@gridlock/game";
import type { Tabulation } from "@gridlock/tablebase";

/** Yields the positions of a tabulation, or those that are picked, in the order of its layers. */
export function* positionsIn(tabulation: Tabulation, picks = () => true): Generator<Board> {
  for (const layer of tabulation.layers) yield* positionsOfLayer(tabulation, layer, picks);
}

/** Yields the positions of a layer of a tabulation, in ascending order. */
export function* positionsOfLayer(
  tabulation: Tabulation,
  layer: Tabulation["layers"][number],
  picks = () => true,
): Generator<Board> {
  const pairs = new Uint32Array(2 * layer.positions);
  tabulation.positions.read(layer, pairs);
  for (let i = 0; i < pairs.length; i += 2) {
    if (!picks()) continue;
    const packed = packedFromHalves(pairs[i + 1] as number, pairs[i] as number);
    yield unpackBoard(tabulation.game.shape, packed);
  }
}
