import { type Kind, numberIn, VariantError } from "../kind.js";
import { optionsOf, stateOf } from "../variant.js";

/** Most tiles whose number can be limited to. */
const MOST = 60;

/** The variant in which the placer has a limited number of one tile. */
export const MOST_OF_A_KIND: Kind = {
  usage: "4s=K",
  summary: "the placer has at most K 4s; 2s=K: at most K 2s; every number from 0 to K is solved",
  parse(text, tiles) {
    const [, tile, limit] = text.match(/^(\d+)s(?:=(.*))?$/) ?? [];
    if (tile === undefined) return undefined;
    const scarce = Number(tile);
    const most = numberIn(limit ?? "", text, MOST);
    const others = tiles.filter((other) => other !== scarce);
    if (others.length === tiles.length) {
      throw new VariantError(`${text}: the placer has no ${tile}s; its tiles are ${tiles}`);
    }
    if (others.length === 0) {
      throw new VariantError(`${text}: the placer has nothing else to place; add to --tiles`);
    }
    // State k: k of them are left. The last state has no limit.
    const states = Array.from({ length: most + 2 }, (_, k) => {
      const scarceOption = { tile: scarce, next: k > most ? k : k - 1 };
      return stateOf([...optionsOf(others, k), ...(k === 0 ? [] : [scarceOption])]);
    });
    return {
      name: text,
      isLimited: true,
      title: `The placer has at most K ${tile}s`,
      states,
      series: states.map((_, k) => ({
        name: k > most ? `any number of ${tile}s` : k === 1 ? `1 ${tile}` : `${k} ${tile}s`,
        states: [k],
      })),
    };
  },
};
