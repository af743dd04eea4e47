import { type Bound, formatBoard } from "@gridlock/game";
import type {
  Answer as AnswerJson,
  PlacerAnswer,
  PlayerAnswer,
  Refused,
  Slide,
  SliderAnswer,
  Worth as WorthJson,
} from "@gridlock/schemas";
import type { Answer, AnsweredMove, Worth } from "./answer.js";

type AnswerField = keyof SliderAnswer | keyof PlacerAnswer | keyof Refused;

/**
 * The names of all fields of answers and of refused boards. A batch drops fields of these names that came with a board,
 * so that an old answer is never taken for part of a new one.
 */
export const ANSWER_FIELDS: Readonly<Record<AnswerField, true>> = {
  ...{ board: true, turn: true, reachable: true, source: true, published: true, literature: true },
  ...{ lo: true, hi: true, value: true, expected: true, moves: true, line: true, end: true },
  ...{ player: true, error: true, code: true },
};

/** Returns the value of a board for JSON. */
export function worthAsJson(worth: Worth): WorthJson {
  const { board, turn, bound, source, provenance, literature, tabulated, expected } = worth;
  return {
    board: formatBoard(board),
    turn,
    ...(tabulated && { reachable: expected !== undefined }),
    ...knownOf(bound, tabulated, expected),
    source,
    ...(provenance && { published: provenance }),
    ...(literature && { literature }),
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

function knownOf({ lo, hi }: Bound, tabulated: boolean, expected: number | undefined) {
  const value = lo === hi ? lo : null;
  return tabulated ? { lo, hi, value, expected: expected ?? null } : { lo, hi, value };
}
