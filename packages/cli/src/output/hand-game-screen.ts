import {
  earnedIn,
  endingOf,
  formatBound,
  formatGiven,
  givenBy,
  isUnknown,
  moveWords,
  nodeAt,
} from "@gridlock/explorer/play";
import { type Bound, drawBoard, formatShape, isEnd } from "@gridlock/game";
import { type HandGame, isPerfect, lastMoves, pointsToCome } from "../hand-game.js";
import { fitted, type ScreenSize } from "./screen.js";
import { colouredTiles, wrapped } from "./terminal.js";

const KEYS = "arrows, WASD or HJKL slide; ? hint, u undo, n new game, q quit";
const KEYS_AT_END = "u undo, n new game, q quit";
/** The note on a game that begins. */
export const OPENING =
  "Slide the tiles to score. The placer puts each new tile where it leaves you least.";
const LABEL_COLUMNS = 12;

/** Draws a game for a screen: the board, `>` before the newest tile, what is known, and a note. */
export function handGameScreen(
  hand: HandGame,
  note: string,
  budget: number,
  size: ScreenSize,
): string {
  const { game } = hand;
  const { board } = nodeAt(game);
  const last = lastMoves(hand);
  const { columns } = size;
  const drawn = marked(drawBoard(board), last?.[1].cell);
  const earned = earnedIn(game);
  const facts = [
    ["start", startWords(hand)],
    ["score", String(earned)],
    ["to come", toComeWords(pointsToCome(hand), earned)],
    ["given away", formatGiven(givenBy(game, "slider"))],
    ...(last ? [["placer", placerWords(isPerfect(hand), budget)] as const] : []),
  ] as const;
  const table = facts.map(([label, words]) => wrapped(label.padEnd(LABEL_COLUMNS), words, columns));
  const sections = [
    drawn,
    table.join("\n"),
    wrapped("", note, columns),
    wrapped("", isEnd(board) ? KEYS_AT_END : KEYS, columns),
  ];
  return fitted(sections.join("\n\n"), size)
    .split("\n")
    .map((line, i) => (i < board.rows ? colouredTiles(line) : line))
    .join("\n");
}

/** Puts `>` before the tile in a cell of a drawn board, in place of a blank. */
function marked(drawn: string, cell: number | undefined): string {
  let at = 0;
  return drawn.replace(/ (\d+|·)/g, (found, tile) => (at++ === cell ? `>${tile}` : found));
}

function startWords({ worth, published }: HandGame): string {
  if (isUnknown(worth)) return "value not known";
  return `worth ${formatBound(worth)}${published === undefined ? "" : `, as published in ${published}`}`;
}

function toComeWords(toCome: Bound, earned: number): string {
  if (isUnknown(toCome)) return "not known";
  const inAll = formatBound({ lo: earned + toCome.lo, hi: earned + toCome.hi });
  return `${formatBound(toCome)} with perfect play${earned === 0 ? "" : `, ${inAll} in all`}`;
}

function placerWords(isPerfect: boolean, budget: number): string {
  return isPerfect
    ? "perfect: each reply so far is proven best"
    : `not proven perfect: its replies are the best found in ${budget} s each`;
}

/** The last moves: `left: 4 points, gives away 0; the placer put a 2 in row 2, column 3`. */
export function moveNote(hand: HandGame): string {
  const last = lastMoves(hand);
  if (last === undefined) return "";
  const [{ step, cost }, reply] = last;
  return `${step.name}: ${step.score} points, gives away ${formatGiven(cost)}; the placer put a ${moveWords(reply)}`;
}

/** Says how a game ended or how far it went, what its start was worth, and what was given away. */
export function endNote({ game }: HandGame): string {
  const isOver = isEnd(nodeAt(game).board);
  return endingOf(game, { slider: "you", placer: "perfect" }, isOver, 0);
}

/** Describes in a line a game that was left. */
export function resultLine(hand: HandGame): string {
  return `${formatShape(nodeAt(hand.game).board)}: ${endNote(hand)}`;
}
