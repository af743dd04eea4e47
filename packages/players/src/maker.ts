import { describeGame, formatShape, type Game, type Shape } from "@gridlock/game";
import { StoreError } from "@gridlock/store";
import { canTabulate, MAX_SWEEP_CELLS, Tabulation, type ValueColumn } from "@gridlock/tablebase";
import { isModulePath, loadPlayer } from "./outside.js";
import { type Placer, placerNamed } from "./placer.js";
import { type Player, PlayerError } from "./player.js";
import { parsePlayerName } from "./registry.js";

/**
 * The game of a player. The tiles of the placer, which players that look up a tabulation need to
 * know, are by default 2 and 4.
 */
export type PlayerSetting = Pick<Game, "shape"> & Partial<Game>;

/**
 * Makes players and placers. Those that look up a tabulation cannot play once the maker, which
 * closes it, has been disposed of.
 */
export class PlayerMaker implements Disposable {
  readonly #db: string;
  readonly #opened: Tabulation[] = [];

  /** @param db the solution database, beside which the tabulations lie */
  constructor(db: string) {
    this.#db = db;
  }

  /**
   * Makes a player by name (`emr`, `zaky-minimax:8`), or from a module (`./my-player.js`).
   *
   * @throws {PlayerError} if the player, depth or variant does not exist, with the possible ones;
   *   if the player cannot play the shape; or if the module cannot be used
   * @throws {StoreError} if a file that the player needs cannot be used
   */
  async player(name: string, { shape, tiles = [2, 4] }: PlayerSetting): Promise<Player> {
    if (isModulePath(name)) return await loadPlayer(name, shape);
    const { kind, ...parts } = parsePlayerName(name);
    const open = (column: ValueColumn) => this.#open(parts.name, { shape, tiles }, column);
    return await kind.make({ ...parts, shape, openTabulation: open });
  }

  /**
   * Makes a placer by name: `random`, `evil`, `evil:4` or `perfect`.
   *
   * @throws {PlayerError} if the placer or depth does not exist, with the possible ones; or if it
   *   cannot play the shape
   * @throws {StoreError} if a file that the placer needs cannot be used
   */
  placer(name: string, shape: Shape): Placer {
    const game: Game = { shape, tiles: [2, 4] };
    return placerNamed(name, shape, (column) => this.#open(`the placer ${name}`, game, column));
  }

  #open(who: string, game: Game, column: ValueColumn): Tabulation {
    const tabulation = openTabulation(who, game, [column], this.#db);
    this.#opened.push(tabulation);
    return tabulation;
  }

  [Symbol.dispose](): void {
    for (const tabulation of this.#opened.splice(0)) tabulation[Symbol.dispose]();
  }
}

/**
 * Opens the tabulation of a game beside a database.
 *
 * @param who the user of the tabulation, for errors
 * @throws {PlayerError} if the shape is too large to be tabulated, or is not tabulated
 * @throws {StoreError} if a file cannot be used
 */
export function openTabulation(
  who: string,
  game: Game,
  columns: readonly ValueColumn[],
  db: string,
): Tabulation {
  if (!canTabulate(game.shape)) {
    throw new PlayerError(
      `${who} cannot play ${describeGame(game)}: it looks up a tabulation, which has at most ${MAX_SWEEP_CELLS} cells`,
    );
  }
  try {
    return Tabulation.open(game, columns, db);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "missing")) throw error;
    const options = game.tiles.length === 1 ? " --tiles 2" : "";
    throw new PlayerError(
      `${who} needs a tabulation of ${describeGame(game)} beside ${db}; run gridlock tabulate ${formatShape(game.shape)}${options} first`,
      { cause: error },
    );
  }
}
