import { argumentOf, type Kind, numberIn } from "../kind.js";
import { optionsOf, stateOf } from "../variant.js";

/** Most passes. */
const MOST = 60;

/** The variant in which the slider may pass. */
export const PASSES: Kind = {
  usage: "passes=K",
  summary: "the slider may pass K times, where a cell is empty; every number from 0 to K is solved",
  parse(text, tiles) {
    const list = argumentOf(text, "passes");
    if (list === undefined) return undefined;
    const most = numberIn(list, text, MOST);
    const numbers = Array.from({ length: most + 1 }, (_, k) => k);
    return {
      name: text,
      isLimited: true,
      title: "The slider may pass K times, where a cell is empty",
      // State k: k passes are left. The last state has no limit.
      states: [
        ...numbers.map((k) => stateOf(optionsOf(tiles, k), k > 0 ? { pass: k - 1 } : {})),
        stateOf(optionsOf(tiles, most + 1), { pass: most + 1 }),
      ],
      series: [
        ...numbers.map((k) => ({ name: k === 1 ? "1 pass" : `${k} passes`, states: [k] })),
        { name: "any number of passes", states: [most + 1] },
      ],
    };
  },
};
