import {
  type Board,
  formatBoard,
  formatShape,
  formatTiles,
  type Node,
  parseBoard,
  parseTiles,
  type Tiles,
  type Turn,
} from "@gridlock/game";

/** A node and the tiles that the placer may use: what an address names. */
export interface Spot {
  readonly node: Node;
  readonly tiles: Tiles;
}

/** Writes a board for an address, where a space would be escaped: `2_0_0/0_4_0/0_0_0`. */
export function boardInAddress(board: Board): string {
  return formatBoard(board).replaceAll(" ", "_");
}

/** Reads a board as an address or a person writes it. */
export function readBoard(text: string, turn?: Turn): Node {
  const node = parseBoard(text.replaceAll("_", " "));
  return turn === undefined ? node : parseBoard(formatBoard(node.board, turn));
}

function query({ node, tiles }: Spot): string {
  return `board=${boardInAddress(node.board)}&turn=${node.turn}&tiles=${formatTiles(tiles)}`;
}

/** Returns the address of a node's page. */
export function exploreAddress(spot: Spot): string {
  return `/explore/${formatShape(spot.node.board)}?${query(spot)}`;
}

/** Returns the address of a game from a node, with the slider's side for the reader. */
export function playAddress({ node, tiles }: Spot): string {
  const board = boardInAddress(node.board);
  const turn = node.turn === "placer" ? "&turn=placer" : "";
  return `/play/${formatShape(node.board)}?tiles=${formatTiles(tiles)}&board=${board}${turn}`;
}

/** Returns the address of a node's answer. */
export function answerAddress(spot: Spot): string {
  return `/v1/${formatShape(spot.node.board)}?${query(spot)}`;
}

/** Returns the address of a player's choices at a node. */
export function choicesAddress(spot: Spot, player: string): string {
  return `/v1/${formatShape(spot.node.board)}/play?${query(spot)}&by=${encodeURIComponent(player)}`;
}

/** Reads the address of a node's page; `undefined` if it names no board. */
export function readExploreAddress({
  pathname,
  search,
}: Pick<URL, "pathname" | "search">): Spot | undefined {
  const parameters = new URLSearchParams(search);
  const board = parameters.get("board");
  if (!pathname.startsWith("/explore/") || board === null) return undefined;
  const turn = parameters.get("turn") === "placer" ? "placer" : "slider";
  return { node: readBoard(board, turn), tiles: tilesOf(parameters.get("tiles")) };
}

/** Reads tiles from an address or from JSON; the game's if there are none. */
export function tilesOf(tiles: string | readonly number[] | null): Tiles {
  return tiles === null ? [2, 4] : parseTiles(typeof tiles === "string" ? tiles : tiles.join(","));
}
