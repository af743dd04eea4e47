import { earnedIn, givenBy, moveWords, nodeAt } from "@gridlock/explorer/play";
import { type Bound, drawBoard, formatShape, isEnd, isExact } from "@gridlock/game";
import type { BoardAnswer } from "@gridlock/gridlock";
import { formatBound } from "@gridlock/report";
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
    ["given away", givenWords(givenBy(game, "slider"))],
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
  const words = boundWords(worth);
  if (words === undefined) return "value not known";
  return `worth ${words}${published === undefined ? "" : `, as published in ${published}`}`;
}

function toComeWords(toCome: Bound, earned: number): string {
  const words = boundWords(toCome);
  if (words === undefined) return "not known";
  const inAll = boundWords({ lo: earned + toCome.lo, hi: earned + toCome.hi });
  return `${words} with perfect play${earned === 0 ? "" : `, ${inAll} in all`}`;
}

/** Formats points that were given away in a game. */
function givenWords(given: Bound): string {
  if (given.hi === 0) return "nothing";
  return isExact(given) || given.lo > 0
    ? (boundWords(given) as string)
    : "nothing, as far as is proven";
}

/** Formats a bound: `184`, `164 … 184`, `at least 164`; `undefined` if nothing is known. */
function boundWords(bound: Bound): string | undefined {
  if (Number.isFinite(bound.hi)) return formatBound(bound);
  return bound.lo === 0 ? undefined : `at least ${bound.lo}`;
}

function placerWords(isPerfect: boolean, budget: number): string {
  return isPerfect
    ? "perfect: each reply so far is proven best"
    : `not proven perfect: its replies are the best found in ${budget} s each`;
}

/** The last moves: `left: 4 points, nothing given away; the placer put a 2 in row 2, column 3`. */
export function moveNote(hand: HandGame): string {
  const last = lastMoves(hand);
  if (last === undefined) return "";
  const [{ step, cost }, reply] = last;
  return `${step.name}: ${step.score} points, ${costWords(cost)}; the placer put a ${moveWords(reply)}`;
}

function costWords(cost: Bound): string {
  if (cost.hi === 0) return "nothing given away";
  if (cost.lo > 0) return `${boundWords(cost)} given away`;
  return Number.isFinite(cost.hi) ? `at most ${cost.hi} given away` : "cost not known";
}

/** Describes a game that is over: its score, what the start was worth, and what was given away. */
export function endNote({ game, worth }: HandGame): string {
  const words = boundWords(worth);
  const value = words === undefined ? "is not known" : `was ${words}`;
  return `The game is over: ${earnedIn(game)} points. The value of the start ${value}; you gave away ${givenWords(givenBy(game, "slider"))}.`;
}

/** Describes the slides that are best, as far as is proven. */
export function hintNote({
  moves,
}: Pick<Extract<BoardAnswer, { turn: "slider" }>, "moves">): string {
  const named = (verdict: string) =>
    moves.filter((move) => move.verdict === verdict).map(({ move }) => move);
  const best = named("best");
  if (best.length > 0) return `hint: best is ${best.join(" or ")}`;
  const worse = moves.filter((move) => move.by !== undefined);
  const words = worse.map(({ move, by }) => `${move} gives away at least ${by}`);
  return `hint: ${[`${named("open").join(" or ")} may be best, not proven`, ...words].join("; ")}`;
}

/** Describes in a line a game that was left: its board and score, and whether it is over. */
export function resultLine(hand: HandGame): string {
  const { board } = nodeAt(hand.game);
  if (isEnd(board)) return `${formatShape(board)}: ${endNote(hand)}`;
  return `${formatShape(board)}: ${earnedIn(hand.game)} points; the game was not finished`;
}
