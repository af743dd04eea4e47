import type { Node } from "@gridlock/game";
import { readBoard, tilesOf, turnOf } from "../logic/address.js";
import { firstSpot } from "../logic/first.js";
import type { PlayPage } from "../page.js";
import { beginGame, type Game } from "./game.js";
import { candidates, type Seats } from "./seats.js";

/** A game to begin: who plays, from which board. */
export interface Setting {
  readonly seats: Seats;
  readonly game: Game;
  /** True if the value of any start is known. Without one, nobody can play perfectly. */
  readonly isSolved: boolean;
  /** The reason why a part of the address was ignored. */
  readonly problem?: string;
}

/** Reads the setting of a game from the page's address: `?slider=you&placer=perfect&board=2_2_0/0_0_0/0_0_0`. */
export function readSetting(page: PlayPage): Setting {
  const parameters = new URLSearchParams(page.search);
  const problems: string[] = [];
  const seat = (turn: "slider" | "placer", byDefault: string) => {
    const name = parameters.get(turn) ?? byDefault;
    if (candidates(turn, page.players).some((each) => each.name === name)) return name;
    problems.push(`There is no ${turn} "${name}" for ${page.shape}.`);
    return byDefault;
  };
  const seats = { slider: seat("slider", "you"), placer: seat("placer", "perfect") };
  const first = firstSpot(page.shape, page.tiles);
  let start: Node = first.node;
  const text = parameters.get("board");
  if (text !== null && text !== "") {
    try {
      start = readBoard(text, turnOf(parameters), first.node.board);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  return {
    ...{ seats, game: beginGame(start, tilesOf(page.tiles)) },
    isSolved: page.starts.some(({ value }) => value !== null),
    ...(problems.length > 0 ? { problem: problems.join(" ") } : {}),
  };
}
