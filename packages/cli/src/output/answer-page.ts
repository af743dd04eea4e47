import type { Answer } from "@gridlock/answers";
import { formatShape } from "@gridlock/game";
import { formatPoints, formatTable } from "@gridlock/report";
import {
  boundWords,
  literatureWords,
  openWords,
  sourceWords,
  UNREACHABLE,
  valueWords,
  verdictWords,
} from "./answer-words.js";
import { drawTiles, styled, wrapped } from "./terminal.js";

/** Marks a best move in the table of moves. */
const BEST = "*";
/** A difference in expected points that rounding of the tabulated values can make. */
const ROUNDING = 1e-4;

/** Formats an answer for people: the board, its value, its moves with the best marked, a line. */
export function answerPage(answer: Answer): string {
  const { board, turn, bound, moves, line, tabulated, expected } = answer;
  const parts = [
    drawTiles(board),
    `${formatShape(board)}, ${turn} to move, ${styled("bold", valueWords(answer))}`,
    wrapped("source: ", sourceWords(answer)),
  ];
  const cited = literatureWords(answer);
  if (cited) parts.push(wrapped("", cited));
  if (answer.unsearched !== undefined) parts.push(wrapped("not searched: ", answer.unsearched));
  if (expected !== undefined) {
    parts.push(
      `The slider can force ${bound.lo} points; against chance ${formatPoints(expected)} are expected.`,
    );
  } else if (tabulated) parts.push(UNREACHABLE);
  parts.push(moves.length === 0 ? "the game is over" : tableOfMoves(answer));
  const open = openWords(answer);
  if (open) parts.push(open);
  if (line && line.moves.length > 0) {
    parts.push(wrapped("best play: ", line.moves.map(({ name }) => name).join(" ")));
    parts.push(drawTiles(line.end));
  }
  return parts.join("\n\n");
}

/** Formats a table of moves; marks the proven best and, if tabulated, the best against chance. */
function tableOfMoves(answer: Answer): string {
  const { turn, moves, tabulated } = answer;
  const chances = moves.map(({ score, expected }) =>
    expected === undefined ? undefined : score + expected,
  );
  const known = chances.filter((chance) => chance !== undefined);
  const most = Math.max(...known);
  const isLikeliest = (chance: number) =>
    turn === "slider" && known.length === moves.length && chance > most - ROUNDING;
  const nameOf = ({ move, verdict }: Answer["moves"][number]) =>
    verdict.verdict === "best"
      ? styled(["bold", "green"], `${BEST} ${move.name}`)
      : `  ${move.name}`;
  const chanceOf = (chance: number | undefined) =>
    chance === undefined ? "–" : `${isLikeliest(chance) ? `${BEST} ` : ""}${formatPoints(chance)}`;
  const table = formatTable(moves, [
    [turn === "slider" ? "  slide" : "  place", nameOf],
    ["score", ({ score }) => String(score), "right"],
    ["then", ({ bound, to }) => boundWords(bound, to), "right"],
    ["in all", ({ bound, to, score }) => boundWords(bound, to, score), "right"],
    ["", verdictWords],
    tabulated ? ["against chance", (_, i) => chanceOf(chances[i]), "right"] : undefined,
  ]);
  return table.includes(`${BEST} `) ? `${table}\n\n${BEST} best` : table;
}
