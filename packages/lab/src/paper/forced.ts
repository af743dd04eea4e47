import type { Game } from "@gridlock/game";
import type { PaperFigure1Output } from "@gridlock/schemas";
import { enumerate } from "../enumeration/layers.js";
import { type Objective, valuedStarts, valueLayers } from "../enumeration/values.js";

/** Scores and tiles that can be reached from the starts of a game. */
export type ForcedReport = PaperFigure1Output["both"][number];
/** The least and the greatest value among all starts of a game. */
type Range = ForcedReport["score"];

/** A game, and whether to value it with a helping placer as well. */
interface ForcedTask {
  readonly game: Game;
  readonly helped: boolean;
}

/**
 * Values every board of a game once for each objective: score, largest tile and, if asked, score
 * with help.
 */
export function findForced({ game, helped }: ForcedTask): ForcedReport & { readonly game: Game } {
  const layers = enumerate(game);
  const { grid, counts } = layers;
  const overStarts = (scored: boolean, placer: Objective["placer"]): Range => {
    const end = (code: number) => (scored ? 0 : Math.max(...grid.decode(code).cells));
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    valueLayers(layers, { end, scored, placer }, (layer) => {
      for (const { value } of valuedStarts(grid, layer)) {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    });
    return { least, most };
  };
  return {
    game,
    ...counts,
    score: overStarts(true, "adversary"),
    tile: overStarts(false, "adversary"),
    ...(helped ? { helpedScore: overStarts(true, "helper") } : {}),
  };
}
