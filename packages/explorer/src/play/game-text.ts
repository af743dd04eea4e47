import { formatBoard, formatShape } from "@gridlock/game";
import { shift } from "../logic/grade.js";
import { formatBound, formatGiven, gameName } from "../logic/words.js";
import { earnedIn, type Game, isMistake, nodeAt, type Ply } from "./game.js";
import { nameIn, type Seats } from "./seats.js";
import { accountOf } from "./words.js";

/** The columns of words: the move and the note. */
const TO_THE_LEFT: ReadonlySet<number> = new Set([1, 4]);

/**
 * Writes a game as a text file: who played, then a line for each move with its points, the value in all after it, and
 * what it gave away.
 *
 * @param link an address that shows the game
 */
export function gameText(game: Game, seats: Seats, link: string): string {
  const { start, tiles, plies } = game;
  const rows = plies.map((ply, i) => rowOf(ply, i, earnedIn(game, i)));
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const padded = (cell: string, i: number) =>
    TO_THE_LEFT.has(i) ? cell.padEnd(widths?.[i] ?? 0) : cell.padStart(widths?.[i] ?? 0);
  const lines = rows.map((row) => row.map(padded).join("  ").trimEnd());
  return [
    `Adversarial 2048, ${gameName(formatShape(start.board), tiles)}`,
    `Slider: ${nameIn(seats.slider)}`,
    `Placer: ${nameIn(seats.placer)}`,
    `Start: ${formatBoard(start.board, start.turn)}`,
    `Points: ${earnedIn(game)}`,
    accountOf(game, seats),
    `Link: ${link}`,
    "",
    "Number, move, points of the move, points of the whole game if both play perfectly from there, mistakes:",
    "",
    ...lines,
    "",
    `Board after the last move: ${formatBoard(nodeAt(game).board)}`,
    "",
  ].join("\n");
}

function rowOf(ply: Ply, index: number, earned: number): string[] {
  const { step, total, cost, best, valued } = ply;
  const names = best.map(({ name }) => name).join(", ");
  const note = isMistake(ply)
    ? `gave away ${formatGiven(cost)}${names === "" ? "" : `; best: ${names}`}`
    : "";
  return [
    `${index + 1}.`,
    step.name,
    step.tile === undefined ? `+${step.score}` : "",
    valued ? formatBound(shift(total, earned)) : "",
    note,
  ];
}
