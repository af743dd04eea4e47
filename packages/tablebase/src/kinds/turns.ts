import { type Kind, kindOfName, VariantError, wordsOf } from "../kind.js";
import { optionsOf, stateOf, type Variant } from "../variant.js";

/** Returns a kind of placers whose next tile is known. State t: the tile numbered t comes next. */
function kindOf(
  name: string,
  summary: string,
  rulesOf: (tiles: readonly number[]) => Pick<Variant, "title" | "states" | "series">,
): Kind {
  return kindOfName(name, summary, (tiles) => {
    if (tiles.length > 1) return { name, ...rulesOf(tiles) };
    throw new VariantError(`${name}: the placer has ${wordsOf(tiles)} alone; add to --tiles`);
  });
}

/** The variant in which the placer places its tiles in turn. */
export const ALTERNATE = kindOf(
  "alternate",
  "the placer places its tiles in turn, in cells of its choice",
  (tiles) => ({
    title: `The placer places ${wordsOf(tiles)} in turn, in cells of its choice`,
    states: tiles.map((tile, i) => stateOf(optionsOf([tile], (i + 1) % tiles.length))),
    series: tiles.map((tile, i) => ({ name: `a ${tile} first`, states: [i] })),
  }),
);

/** The variant in which the placer announces its tiles. */
export const ANNOUNCED = kindOf(
  "announced",
  "the placer announces each tile before the slide",
  (tiles) => {
    const numbers = [...tiles.keys()];
    return {
      title: "The placer announces each tile before the slide, and chooses the cell after it",
      states: tiles.map((tile) => stateOf(numbers.map((next) => ({ tile, next })))),
      series: [
        { name: "value", states: numbers },
        ...tiles.map((tile, i) => ({ name: `a ${tile} announced first`, states: [i] })),
      ],
    };
  },
);
