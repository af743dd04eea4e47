import { expectChances, type Kind } from "../kind.js";
import { optionsOf, type State, stateOf } from "../variant.js";

interface Choices {
  readonly name: string;
  readonly summary: string;
  /** A sentence without a full stop; the summary up to its colon by default. */
  readonly title?: string;
  readonly rules: Pick<State, "tile" | "cell" | "first">;
}

function kindOf({ name, summary, title, rules }: Choices): Kind {
  return {
    usage: name,
    summary,
    parse(text, tiles) {
      if (text !== name) return undefined;
      const hasChance = rules.tile === "chance" || rules.cell === "chance";
      if (rules.tile === "chance") expectChances(text, tiles);
      const [first = "", ...rest] = summary.replace(/:.*/, "");
      return {
        name,
        title: title ?? `${first.toUpperCase()}${rest.join("")}`,
        states: [stateOf(optionsOf(tiles), rules)],
        series: [{ name: hasChance ? "expected score" : "value", states: [0] }],
      };
    },
  };
}

/** The game itself. */
export const GAME = kindOf({
  name: "game",
  summary: "the game itself, or the game with other --tiles",
  title: "The placer chooses the tile and the cell",
  rules: { tile: "placer", cell: "placer", first: "tile" },
});

/** Games in which another than the placer chooses the tile, the cell, or both. */
const CHOICES: readonly Choices[] = [
  {
    name: "chance",
    summary: "chance chooses the tile and the cell: the ordinary game",
    rules: { tile: "chance", cell: "chance", first: "tile" },
  },
  {
    name: "tile-only",
    summary: "the placer chooses the tile, chance the cell",
    rules: { tile: "placer", cell: "chance", first: "tile" },
  },
  {
    name: "cell-only",
    summary: "the placer chooses the cell, chance the tile",
    rules: { tile: "chance", cell: "placer", first: "cell" },
  },
  {
    name: "slider-cell",
    summary: "the placer chooses the tile, then the slider the cell",
    rules: { tile: "placer", cell: "slider", first: "tile" },
  },
  {
    name: "slider-tile",
    summary: "the placer chooses the cell, then the slider the tile",
    rules: { tile: "slider", cell: "placer", first: "cell" },
  },
];

/** The kinds of variants in which other players choose the tile or the cell. */
export const CHOICE_KINDS: readonly Kind[] = CHOICES.map(kindOf);
