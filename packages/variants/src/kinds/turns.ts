import { type Kind, VariantError, wordsOf } from "../kind.js";
import { optionsOf, stateOf } from "../variant.js";

/*
 * Placers whose next tile is known. State t: the tile with number t comes next.
 */

function expectTwo(text: string, tiles: readonly number[]): void {
  if (tiles.length > 1) return;
  throw new VariantError(`${text}: the placer has ${wordsOf(tiles)} alone; add to --tiles`);
}

/** The variant in which the placer places its tiles in turn. */
export const ALTERNATE: Kind = {
  usage: "alternate",
  summary: "the placer places its tiles in turn, in cells of its choice",
  parse(text, tiles) {
    if (text !== "alternate") return undefined;
    expectTwo(text, tiles);
    return {
      name: text,
      title: `The placer places ${wordsOf(tiles)} in turn, in cells of its choice`,
      states: tiles.map((tile, i) => stateOf(optionsOf([tile], (i + 1) % tiles.length))),
      series: tiles.map((tile, i) => ({ name: `a ${tile} first`, states: [i] })),
    };
  },
};

/** The variant in which the placer announces its tiles. */
export const ANNOUNCED: Kind = {
  usage: "announced",
  summary: "the placer announces each tile before the slide",
  parse(text, tiles) {
    if (text !== "announced") return undefined;
    expectTwo(text, tiles);
    const numbers = [...tiles.keys()];
    return {
      name: text,
      title: "The placer announces each tile before the slide, and chooses the cell after it",
      states: tiles.map((tile) => stateOf(numbers.map((next) => ({ tile, next })))),
      series: [
        { name: "value", states: numbers },
        ...tiles.map((tile, i) => ({ name: `a ${tile} announced first`, states: [i] })),
      ],
    };
  },
};
