import { DIRECTIONS, type Direction, mapDirection, quoted, shortened } from "@gridlock/game";
import { argumentOf, type Kind, VariantError } from "../kind.js";
import { optionsOf, stateOf } from "../variant.js";

/** The sets of directions that may be forbidden, as bits of `DIRECTIONS`: all but all four. */
const SETS = Array.from({ length: 2 ** DIRECTIONS.length - 1 }, (_, set) => set);

function directionsIn(set: number): Direction[] {
  return DIRECTIONS.filter((_, i) => (set >> i) & 1);
}

function setOf(directions: readonly Direction[]): number {
  return directions.reduce((set, direction) => set | (1 << DIRECTIONS.indexOf(direction)), 0);
}

function nameOf(set: number): string {
  return set === 0 ? "none forbidden" : directionsIn(set).join(" and ");
}

/** The variant in which the slider may not use some directions. */
export const WITHOUT: Kind = {
  usage: "without[=D,…]",
  summary: "the slider may not use some directions; alone, all sets of directions are solved",
  parse(text, tiles) {
    const list = argumentOf(text, "without");
    if (list === undefined) return undefined;
    const reported = list === "" ? SETS : [setOf(list.split(",").map((d) => directionOf(d, text)))];
    if (reported[0] === 2 ** DIRECTIONS.length - 1) {
      throw new VariantError(`${text}: the slider has no direction left; forbid at most three`);
    }
    return {
      name: text,
      title:
        "The slider may not use some directions, and the game ends when no other slide is legal",
      // State s: the directions of set s are forbidden.
      states: SETS.map((set) =>
        stateOf(optionsOf(tiles, set), { slides: directionsIn(~set & 15) }),
      ),
      series: reported.map((set) => ({ name: nameOf(set), states: [set] })),
      image: (set, symmetry) => setOf(directionsIn(set).map((d) => mapDirection(d, symmetry))),
    };
  },
};

function directionOf(text: string, variant: string): Direction {
  const direction = DIRECTIONS.find((one) => one === text);
  if (direction !== undefined) return direction;
  throw new VariantError(
    `${shortened(variant)}: ${quoted(text)} is not a direction; expected ${DIRECTIONS.join(", ")}`,
  );
}
