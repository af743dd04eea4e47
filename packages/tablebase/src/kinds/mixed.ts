import { quoted, shortened } from "@gridlock/game";
import { argumentOf, expectChances, type Kind, VariantError } from "../kind.js";
import { optionsOf, stateOf } from "../variant.js";

/** Most percentages of one variant. */
const MOST = 32;

/** The variant in which some of the placer's moves are left to chance. */
export const MIXED: Kind = {
  usage: "mixed=P,…",
  summary: "the placer is perfect in P percent of its moves, and chance moves otherwise",
  parse(text, tiles) {
    const list = argumentOf(text, "mixed");
    if (list === undefined) return undefined;
    expectChances(text, tiles);
    const percents = list.split(",").map((part) => percentIn(part.replace(/%$/, ""), text));
    if (percents.length > MOST) {
      throw new VariantError(
        `${text}: ${percents.length} percentages are too many; expected at most ${MOST}`,
      );
    }
    return {
      name: text,
      title: "The placer is perfect in P percent of its moves, and chance moves otherwise",
      states: percents.map((percent, i) => stateOf(optionsOf(tiles, i), { share: percent / 100 })),
      series: percents.map((percent, i) => ({ name: `${percent} %`, states: [i] })),
    };
  },
};

function percentIn(text: string, variant: string): number {
  const percent = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && percent <= 100) return percent;
  throw new VariantError(
    `${shortened(variant)}: ${quoted(text)} is not a percentage; expected numbers from 0 to 100, for instance mixed=10,50`,
  );
}
