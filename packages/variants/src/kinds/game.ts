import type { Kind } from "../kind.js";
import { optionsOf, stateOf } from "../variant.js";

/** The game itself. */
export const GAME: Kind = {
  usage: "game",
  summary: "the game itself, or the game with other --tiles",
  parse(text, tiles) {
    if (text !== "game") return undefined;
    return {
      name: text,
      title: "The placer chooses the tile and the cell",
      states: [stateOf(optionsOf(tiles))],
      series: [{ name: "value", states: [0] }],
    };
  },
};
