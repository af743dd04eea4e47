import { type Bound, formatBoard } from "@gridlock/game";
import type {
  Answer as AnswerJson,
  PlayerAnswer,
  Slide,
  Worth as WorthJson,
} from "@gridlock/schemas";
import type { Answer, AnsweredMove, Worth } from "./answer.js";

/** Returns the value of a board for JSON. */
export function worthAsJson(worth: Worth): WorthJson {
  const { board, turn, bound, source, provenance, literature } = worth;
  const { unsearched, tabulated, expected } = worth;
  return {
    board: formatBoard(board),
    turn,
    ...(tabulated && { reachable: expected !== undefined }),
    ...knownOf(bound, tabulated, expected),
    source,
    ...(provenance && { published: provenance }),
    ...(literature && { literature }),
    ...(unsearched !== undefined && { unsearched }),
  };
}

/**
 * Returns an answer for JSON.
 *
 * @param player a player's choices, if the slider is to move
 */
export function answerAsJson(answer: Answer, player?: PlayerAnswer): AnswerJson {
  const { turn, moves, line, tabulated } = answer;
  const worth = worthAsJson(answer);
  const rest = {
    line: line?.moves.map(({ name }) => name) ?? [],
    end: line ? formatBoard(line.end) : null,
  };
  const known = ({ score, bound, verdict, expected }: AnsweredMove) => {
    return { score, ...knownOf(bound, tabulated, expected), ...verdict };
  };
  if (turn === "placer") {
    const placements = moves.map((each) => ({ place: each.move.name, ...known(each) }));
    return { ...worth, turn, moves: placements, ...rest };
  }
  const slides = moves.map((each) => {
    return { move: each.move.name as Slide["move"], ...known(each) };
  });
  return { ...worth, turn, moves: slides, ...rest, ...(player && { player }) };
}

/** Returns an answer, or a value alone, for JSON. */
export function asJson(answer: Answer | Worth, player?: PlayerAnswer): AnswerJson | WorthJson {
  return "moves" in answer ? answerAsJson(answer, player) : worthAsJson(answer);
}

function knownOf({ lo, hi }: Bound, tabulated: boolean, expected: number | undefined) {
  const value = lo === hi ? lo : null;
  return tabulated ? { lo, hi, value, expected: expected ?? null } : { lo, hi, value };
}
