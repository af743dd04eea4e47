import {
  type Board,
  type BoardText,
  cellCount,
  emptyBoard,
  formatBoard,
  formatShape,
  formatTiles,
  GameError,
  type GameErrorCode,
  type Node,
  normalShape,
  notesOf,
  parseShape,
  parseTiles,
  place,
  readBoard as readText,
  type Shape,
  sameBoard,
  starts,
  type Tiles,
  type Turn,
} from "@gridlock/game";
import type { Host } from "../page.js";

/*
 * All addresses are relative to the base of the document, so that the pages work below any folder.
 */

/** A node and the tiles that the placer may use: what an address names. */
export interface Spot {
  readonly node: Node;
  readonly tiles: Tiles;
  /** Sentences about how the board's text was read. */
  readonly notes?: readonly string[];
}

/** The names of those who play. */
type PlayerNames = Readonly<Record<Turn, string>>;

/** A game as JSON names it. */
export interface GameName {
  readonly shape: string;
  readonly tiles: readonly number[];
}

/** Writes a board for an address, where a space would be escaped: `2_0_0/0_4_0/0_0_0`. */
export function boardInAddress(board: Board): string {
  return formatBoard(board).replaceAll(" ", "_");
}

/** Reads a board as {@link readNoted} does. */
export function readBoard(text: string, turn?: Turn): Node {
  return readNoted(text, turn).node;
}

/**
 * Reads a board as an address or a program writes it, and what there is to say about it.
 *
 * @param turn the player to move, where the text does not say
 * @param shape the shape of a board whose cells are all in one row
 */
export function readNoted(text: string, turn?: Turn, shape?: Shape): Omit<Required<Spot>, "tiles"> {
  let read: BoardText;
  try {
    read = readText(text, { turn });
  } catch (error) {
    if (!(hasCode(error, "one-row") && shape)) throw error;
    read = readText(text, { turn, shape });
  }
  return { node: { board: read.board, turn: read.turn }, notes: notesOf(read) };
}

/**
 * Reads a board that somebody enters on the page of a node. It may be of another shape, or a shape
 * alone, of which it is the first start. The player to move stays the same unless the text names
 * another.
 *
 * @returns the board, and what there is to say about it
 * @throws {GameError} if the text is neither a board nor a shape
 */
export function readEntered(text: string, { board: shape, turn }: Node) {
  const [, rows, cols] = /^\s*(\d+)\s*[x×]\s*(\d+)\s*$/.exec(text) ?? [];
  if (rows !== undefined) return { node: firstSpot(`${rows}x${cols}`, [2, 4]).node, notes: [] };
  try {
    return readNoted(text, turn, shape);
  } catch (error) {
    if (!hasCode(error, "other-turn")) throw error;
    return readNoted(text, undefined, shape);
  }
}

function hasCode(error: unknown, code: GameErrorCode): boolean {
  return error instanceof GameError && error.code === code;
}

function query({ node, tiles }: Spot): string {
  return `board=${boardInAddress(node.board)}&turn=${node.turn}&tiles=${formatTiles(tiles)}`;
}

/** Returns the address of a node's page. */
export function exploreAddress(spot: Spot): string {
  return `explore/${formatShape(spot.node.board)}/?${query(spot)}`;
}

/** Most cells of a shape whose starts have pages of their own on a site. */
const MOST_OWN_CELLS = 9;

/**
 * Returns the address to share a node by. A site has the starts of small shapes as pages of their
 * own, since previews of links read a page without its scripts: `explore/3x3/2_0_0.0_4_0.0_0_0/`.
 */
export function shareAddress(spot: Spot, { kind }: Host): string {
  const { node, tiles } = spot;
  const { board, turn } = node;
  const isGame = turn === "slider" && formatTiles(tiles) === "2,4" && board.rows <= board.cols;
  const isSmall = kind === "site" && cellCount(board) <= MOST_OWN_CELLS;
  if (!isGame || !isSmall || !starts(board).some((start) => sameBoard(start, board)))
    return exploreAddress(spot);
  return `explore/${formatShape(board)}/${boardInAddress(board).replaceAll("/", ".")}/`;
}

/** Returns the address of a game from a node, with the slider's side for the reader. */
export function playAddress({ node, tiles }: Spot): string {
  const board = boardInAddress(node.board);
  const turn = node.turn === "placer" ? "&turn=placer" : "";
  return `play/${formatShape(node.board)}/?tiles=${formatTiles(tiles)}&board=${board}${turn}`;
}

/** Returns the address of a game, given its first node, its moves, and who played it. */
export function gameAddress(first: Spot, moves: string, seats: PlayerNames): string {
  return `${playAddress(first)}&${new URLSearchParams(seats)}&moves=${moves}`;
}

/** Returns the address of the games of a shape, against the strong placer unless it is said. */
export function playShapeAddress({ shape, tiles }: GameName, seats?: PlayerNames): string {
  const players = seats === undefined ? "" : `&${new URLSearchParams(seats)}`;
  return `play/${shape}/?tiles=${tiles.join(",")}${players}`;
}

/** Returns the address of a node's answer. */
export function answerAddress(spot: Spot): string {
  return `v1/${formatShape(spot.node.board)}?${query(spot)}`;
}

/** Returns the address of a player's choices at a node. */
export function choicesAddress(spot: Spot, player: string): string {
  return `v1/${formatShape(spot.node.board)}/play?${query(spot)}&by=${encodeURIComponent(player)}`;
}

/** Reads the address of a node's page; `undefined` if it names no board. */
export function readExploreAddress({
  pathname,
  search,
}: Pick<URL, "pathname" | "search">): Required<Spot> | undefined {
  const parameters = new URLSearchParams(search);
  const board = parameters.get("board");
  if (!/(^|\/)explore\/[^/]+\/?$/.test(pathname) || board === null) return undefined;
  const shape = shapeIn(pathname);
  return {
    ...readNoted(board, turnOf(parameters), shape),
    tiles: tilesOf(parameters.get("tiles")),
  };
}

/** Reads the player to move from an address; `undefined` if it names none. */
export function turnOf(parameters: URLSearchParams): Turn | undefined {
  const turn = parameters.get("turn");
  return turn === "slider" || turn === "placer" ? turn : undefined;
}

function shapeIn(pathname: string): Shape | undefined {
  try {
    return parseShape(pathname.split("/").findLast((part) => part !== "") ?? "");
  } catch {
    return undefined;
  }
}

/** Reads tiles from an address or from JSON; the game's if there are none. */
export function tilesOf(tiles: string | readonly number[] | null): Tiles {
  return tiles === null ? [2, 4] : parseTiles(typeof tiles === "string" ? tiles : tiles.join(","));
}

/** Returns the first start of a shape, the board to show by default: two 2s in its first cells. */
export function firstSpot(text: string, tiles: readonly number[]): Spot {
  const empty = emptyBoard(normalShape(parseShape(text)));
  const { board } = place(place(empty, 0, 2).board, 1, 2);
  return { node: { board, turn: "slider" }, tiles: tilesOf(tiles) };
}

/** Returns the address of a shape's first start. */
export function firstAddress({ shape, tiles }: GameName): string {
  return exploreAddress(firstSpot(shape, tiles));
}

/**
 * Returns the address of a board's picture, for previews of links, relative to the home page. A
 * site has it as a file without a query: `pictures/2_0_0.0_4_0.0_0_0.slider.png`.
 */
export function pictureAddress({ board, turn }: Node, { kind }: Host): string {
  const text = boardInAddress(board);
  if (kind === "server") return `v1/board.png?board=${text}&turn=${turn}`;
  return `pictures/${text.replaceAll("/", ".")}.${turn}.png`;
}
