import {
  describeGame,
  formatShape,
  type Game,
  normalShape,
  starts as startsOf,
} from "@gridlock/game";
import { publishedGames } from "@gridlock/published";
import type { Shapes, Starts } from "@gridlock/schemas";
import type { Database } from "@gridlock/store";
import { type TabulationSummary, tabulationsBeside } from "@gridlock/tablebase";
import type { Answerer } from "./answerer.js";
import { cachedFor } from "./cache.js";
import type { Settings } from "./options.js";

/** Milliseconds for which a list of games is kept. */
const CACHE_MS = 1000;

/** Lists the games, with their starts, of a database and its tabulations, and published games. */
export class Catalogue {
  readonly #database: Database;
  readonly #answerer: Answerer;
  /** Games with published values; none if those are not to be used. */
  readonly #published: readonly Game[];
  /** Lists the games that are solved, in part or in full, tabulated, or published. */
  readonly shapes = cachedFor(CACHE_MS, () => this.#readShapes());

  constructor({ published }: Settings, database: Database, answerer: Answerer) {
    this.#database = database;
    this.#published = published ? publishedGames() : [];
    this.#answerer = answerer;
  }

  #readShapes(): Shapes["shapes"] {
    const database = this.#database;
    const tabulations = new Map(
      tabulationsBeside(database.file)
        .filter(({ complete, error }) => complete && error === undefined)
        .map((tabulation) => [describeGame(tabulation.game), tabulation]),
    );
    const solved = database.games().filter((game) => database.starts(game).length > 0);
    const tabulated = [...tabulations.values()].map(({ game }) => game);
    const all: Game[] = [...solved, ...tabulated, ...this.#published];
    const games = new Map(all.map((game) => [describeGame(game), game]));
    return [...games].map(([name, game]) => this.#summaryOf(game, tabulations.get(name)));
  }

  #summaryOf(game: Game, tabulation: TabulationSummary | undefined) {
    const { starts, published } = this.starts(game);
    const values = starts.flatMap(({ value }) => (value === null ? [] : [value]));
    return {
      shape: formatShape(game.shape),
      tiles: [...game.tiles],
      starts: starts.length,
      solved: values.length,
      lowest: values.length === 0 ? null : Math.min(...values),
      highest: values.length === 0 ? null : Math.max(...values),
      atLeast: Math.min(...starts.map(({ lo }) => lo)),
      published: published?.source ?? null,
      tabulated: tabulation !== undefined,
      positions: tabulation?.positions ?? null,
    };
  }

  /** Lists the starts of any game, with what is known of each. */
  starts({ shape, tiles }: Game): Starts {
    const worths = startsOf(shape).map((board) =>
      this.#answerer.known({ board, turn: "slider", tiles, budget: 0 }),
    );
    const published = worths.find((worth) => worth.published)?.published;
    return {
      shape: formatShape(normalShape(shape)),
      tiles: [...tiles],
      starts: worths.map(({ board, lo, hi, value, source, expected, literature }) => ({
        board,
        lo,
        hi,
        value,
        ...(expected !== undefined && { expected }),
        source,
        ...(literature && { literature }),
      })),
      ...(published && { published }),
    };
  }
}
