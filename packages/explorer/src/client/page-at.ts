import { formatBoard, formatShape, GameError } from "@gridlock/game";
import { readExploreAddress } from "../logic/address.js";
import type { LivePage } from "../view.js";

/** Returns the page that an address with a query means, where the page without the query was loaded. */
export function pageAt(page: LivePage, address: Pick<URL, "pathname" | "search">): LivePage {
  if (address.search === "") return page;
  if (page.name === "play") return { ...page, search: address.search };
  if (page.name !== "explore") return page;
  try {
    const spot = readExploreAddress(address);
    if (spot === undefined) return page;
    const { board, turn } = spot.node;
    const text = formatBoard(board);
    if (text === page.board && turn === page.turn) return page;
    const shape = formatShape(board);
    return { ...page, shape, tiles: spot.tiles, board: text, turn, answer: null, problem: null };
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    const board = new URLSearchParams(address.search).get("board") ?? "";
    return { ...page, board, answer: null, problem: error.message };
  }
}
