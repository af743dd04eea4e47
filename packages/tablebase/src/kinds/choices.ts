import { expectChances, type Kind, kindOfName } from "../kind.js";
import { optionsOf, type State, stateOf } from "../variant.js";

/**
 * Returns the kind of a single variant.
 *
 * @param rules who chooses the tile, and who the cell: the placer by default, the tile first
 * @param title a sentence without a full stop; the summary up to its colon by default
 */
function kindOf(
  name: string,
  summary: string,
  rules: Partial<Pick<State, "tile" | "cell" | "first">>,
  title?: string,
): Kind {
  return kindOfName(name, summary, (tiles) => {
    const hasChance = rules.tile === "chance" || rules.cell === "chance";
    if (rules.tile === "chance") expectChances(name, tiles);
    const [first = "", ...rest] = summary.replace(/:.*/, "");
    return {
      name,
      title: title ?? `${first.toUpperCase()}${rest.join("")}`,
      states: [stateOf(optionsOf(tiles), rules)],
      series: [{ name: hasChance ? "expected score" : "value", states: [0] }],
    };
  });
}

/** The game itself. */
export const GAME = kindOf(
  "game",
  "the game itself, or the game with other --tiles",
  {},
  "The placer chooses the tile and the cell",
);

/** The kinds of variants in which another than the placer chooses the tile, the cell, or both. */
export const CHOICE_KINDS: readonly Kind[] = [
  kindOf("chance", "chance chooses the tile and the cell: the ordinary game", {
    tile: "chance",
    cell: "chance",
  }),
  kindOf("tile-only", "the placer chooses the tile, chance the cell", { cell: "chance" }),
  kindOf("cell-only", "the placer chooses the cell, chance the tile", {
    tile: "chance",
    first: "cell",
  }),
  kindOf("slider-cell", "the placer chooses the tile, then the slider the cell", {
    cell: "slider",
  }),
  kindOf("slider-tile", "the placer chooses the cell, then the slider the tile", {
    tile: "slider",
    first: "cell",
  }),
];
