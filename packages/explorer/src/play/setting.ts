import { type Node, quoted } from "@gridlock/game";
import { firstSpot, readNoted, tilesOf, turnOf } from "../logic/address.js";
import type { PlayPage } from "../page.js";
import { type Game, replay } from "./game.js";
import { readMoves } from "./record.js";
import { canPlay, type Seats } from "./seats.js";

/** A game to begin or to look at: who plays, and from which board. */
export interface Setting {
  readonly seats: Seats;
  readonly game: Game;
  /** The starts of the shape, with what is known of their values. */
  readonly starts: PlayPage["starts"];
  /** True if the address has the moves of a game, to look at. Nobody moves then. */
  readonly reviewing: boolean;
  /** True if the address names the first board. */
  readonly named: boolean;
  /** The reason why a part of the address was ignored, and how its board was read. */
  readonly problem?: string;
}

/** The parts of a page that make a setting. */
export type SettingSource = Pick<PlayPage, "shape" | "tiles" | "players" | "starts">;

/**
 * Reads the setting of a game from an address:
 * `?slider=you&placer=perfect&board=2_2_0/0_0_0/0_0_0`, with `&moves=2.lA` for a game that was
 * played.
 */
export function readSetting(page: SettingSource, search: string): Setting {
  const parameters = new URLSearchParams(search);
  const problems: string[] = [];
  const moves = parameters.get("moves");
  const seat = (turn: "slider" | "placer", byDefault: string) => {
    const name = parameters.get(turn) ?? byDefault;
    // A game can be looked at where its players cannot play.
    if (moves !== null && /^[\w:,.-]{1,60}$/.test(name)) return name;
    if (canPlay(turn, name, page.players)) return name;
    problems.push(`There is no ${turn} ${quoted(name)} for ${page.shape}.`);
    return byDefault;
  };
  const seats = { slider: seat("slider", "you"), placer: seat("placer", "perfect") };
  const first = firstSpot(page.shape, page.tiles);
  const tiles = tilesOf(page.tiles);
  let start: Node = first.node;
  const text = parameters.get("board");
  let named = false;
  if (text !== null && text !== "") {
    try {
      const read = readNoted(text, turnOf(parameters), first.node.board);
      start = read.node;
      problems.push(...read.notes.map((note) => `The board was ${note}.`));
      named = true;
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  // Without its first board, a game's moves mean nothing.
  const read = moves !== null && named ? readMoves(start, tiles, moves) : undefined;
  if (moves !== null && !text) problems.push("The address of this game lacks its first board.");
  if (read?.problem !== undefined) problems.push(read.problem);
  return {
    seats,
    named,
    reviewing: read !== undefined,
    starts: page.starts,
    game: replay(start, tiles, read?.steps ?? []),
    ...(problems.length > 0 ? { problem: problems.join("\n") } : {}),
  };
}
