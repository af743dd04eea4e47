import { type Kind, numberIn, VariantError } from "../kind.js";
import { type Option, stateOf } from "../variant.js";

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
    const optionsWith = (left: number, next: number): Option[] => [
      ...others.map((other) => ({ tile: other, next: left })),
      ...(left > 0 ? [{ tile: scarce, next }] : []),
    ];
    const limited = Array.from({ length: most + 1 }, (_, k) => stateOf(optionsWith(k, k - 1)));
    return {
      name: text,
      isLimited: true,
      title: `The placer has at most K ${tile}s`,
      states: [...limited, stateOf(optionsWith(most + 1, most + 1))],
      series: [...limited.keys(), most + 1].map((k) => ({
        name: k > most ? `any number of ${tile}s` : k === 1 ? `1 ${tile}` : `${k} ${tile}s`,
        states: [k],
      })),
    };
  },
};
