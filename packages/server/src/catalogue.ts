import {
  describeGame,
  formatShape,
  type Game,
  normalShape,
  starts as startsOf,
} from "@gridlock/game";
import { CurrentDatabase } from "@gridlock/store";
import { type TabulationSummary, tabulationsBeside } from "@gridlock/tablebase";
import type { z } from "zod";
import type { Answerer } from "./answerer.js";
import type { ShapesSchema, StartsSchema } from "./schemas.js";

/** Milliseconds for which a list of games is kept. */
const KEEP_MS = 1000;

/** Lists the games of a database and of the tabulations beside it, and their starts. */
export class Catalogue implements Disposable {
  readonly #database: CurrentDatabase;
  readonly #answerer: Answerer;
  #kept: { readonly until: number; readonly shapes: z.infer<typeof ShapesSchema> } | undefined;

  constructor(db: string, answerer: Answerer) {
    this.#database = new CurrentDatabase(db);
    this.#answerer = answerer;
  }

  /** Lists the games that are solved, in part or in full, or tabulated. */
  shapes(): z.infer<typeof ShapesSchema> {
    const now = performance.now();
    if (this.#kept === undefined || now > this.#kept.until) {
      this.#kept = { until: now + KEEP_MS, shapes: { shapes: this.#readShapes() } };
    }
    return this.#kept.shapes;
  }

  #readShapes(): z.infer<typeof ShapesSchema>["shapes"] {
    const database = this.#database.get();
    const tabulations = new Map(
      tabulationsBeside(database.file)
        .filter(({ complete, error }) => complete && error === undefined)
        .map((tabulation) => [describeGame(tabulation.game), tabulation]),
    );
    const solved = database.games().filter((game) => database.starts(game).length > 0);
    const names = new Set(solved.map(describeGame));
    const others = [...tabulations.values()].filter(({ game }) => !names.has(describeGame(game)));
    const games = [...solved, ...others.map(({ game }) => game)];
    return games.map((game) => this.#summaryOf(game, tabulations.get(describeGame(game))));
  }

  #summaryOf(game: Game, tabulation: TabulationSummary | undefined) {
    const { starts } = this.starts(game);
    const values = starts.flatMap(({ value }) => (value === null ? [] : [value]));
    return {
      shape: formatShape(game.shape),
      tiles: [...game.tiles],
      starts: starts.length,
      solved: values.length,
      lowest: values.length === 0 ? null : Math.min(...values),
      highest: values.length === 0 ? null : Math.max(...values),
      tabulated: tabulation !== undefined,
      positions: tabulation?.positions ?? null,
    };
  }

  /** Lists the starts of any game, with what is known of each. */
  starts({ shape, tiles }: Game): z.infer<typeof StartsSchema> {
    const starts = startsOf(shape).map((board) => {
      const worth = this.#answerer.known({ board, turn: "slider", tiles, budget: 0 });
      return {
        board: worth.board,
        lo: worth.lo,
        hi: worth.hi,
        value: worth.value,
        ...(worth.expected !== undefined && { expected: worth.expected }),
      };
    });
    return { shape: formatShape(normalShape(shape)), tiles: [...tiles], starts };
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
  }
}
