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
    // State k: k passes are left. The last state has no limit.
    const states = Array.from({ length: most + 2 }, (_, k) =>
      stateOf(optionsOf(tiles, k), k === 0 ? {} : { pass: k > most ? k : k - 1 }),
    );
    return {
      name: text,
      isLimited: true,
      title: "The slider may pass K times, where a cell is empty",
      states,
      series: states.map((_, k) => ({
        name: k > most ? "any number of passes" : k === 1 ? "1 pass" : `${k} passes`,
        states: [k],
      })),
    };
  },
};
