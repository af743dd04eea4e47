import type { Game, Shape, Tiles } from "@gridlock/game";
import type { Tabulation, ValueColumn } from "@gridlock/tablebase";
import { isModulePath, loadPlayer } from "./outside.js";
import type { Placer } from "./placer.js";
import { placerNamed } from "./placers.js";
import type { Player } from "./player.js";
import { parsePlayerName } from "./registry.js";
import { openTabulation } from "./tabulation.js";

/** The game of a player. */
export interface PlayerSetting {
  readonly shape: Shape;
  /**
   * The tiles of the placer, which players that look up a tabulation need to know; default: 2 and
   * 4.
   */
  readonly tiles?: Tiles;
}

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
    for (const tabulation of this.#opened.splice(0)) tabulation.close();
  }
}
