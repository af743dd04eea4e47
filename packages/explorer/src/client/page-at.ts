import { formatBoard, formatShape, GameError, UNKNOWN } from "@gridlock/game";
import { readExploreAddress, tilesOf } from "../logic/address.js";
import type { PlayPage } from "../page.js";
import type { LivePage } from "../view.js";

/** Returns the page that an address's query means, where the page without it was loaded. */
export function pageAt(page: LivePage, address: Pick<URL, "pathname" | "search">): LivePage {
  if (address.search === "") return page;
  if (page.name === "play") return playPageAt(page, address.search);
  if (page.name !== "explore") return page;
  try {
    const spot = readExploreAddress(address);
    if (spot === undefined) return page;
    const { board, turn } = spot.node;
    const text = formatBoard(board);
    const { notes } = spot;
    const isSame = text === page.board && turn === page.turn && notes.length === 0;
    if (isSame && String(spot.tiles) === String(page.tiles)) return page;
    const shape = formatShape(board);
    const found = { shape, tiles: spot.tiles, board: text, turn, notes };
    return { ...page, ...found, answer: null, problem: null };
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    const board = new URLSearchParams(address.search).get("board") ?? "";
    return { ...page, board, answer: null, problem: error.message };
  }
}

/** Returns the page of a game, with the starts of the address's tiles. */
function playPageAt(page: PlayPage, search: string): PlayPage {
  const text = new URLSearchParams(search).get("tiles");
  if (text === null || text === page.tiles.join(",")) return { ...page, search };
  try {
    const tiles = tilesOf(text);
    const variant = page.variants?.find((each) => String(each.tiles) === String(tiles));
    const unknown = page.starts.map(({ board }) => ({ board, ...UNKNOWN, value: null }));
    const starts = variant?.starts ?? unknown;
    return { ...page, tiles, starts, search };
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    return { ...page, search };
  }
}
