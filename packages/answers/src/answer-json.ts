import { type Bound, formatBoard } from "@gridlock/game";
import type {
  Answer as AnswerJson,
  Placement,
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
  if (turn === "placer") {
    return { ...worth, turn, moves: moves.map((move) => placementOf(move, tabulated)), ...rest };
  }
  return {
    ...{ ...worth, turn, moves: moves.map((move) => slideOf(move, tabulated)), ...rest },
    ...(player && { player }),
  };
}

function slideOf(slide: AnsweredMove, tabulated: boolean): Slide {
  const { move, score, bound, verdict, expected } = slide;
  const name = move.name as Slide["move"];
  return { move: name, score, ...knownOf(bound, tabulated, expected), ...verdict };
}

function placementOf(placement: AnsweredMove, tabulated: boolean): Placement {
  const { move, score, bound, verdict, expected } = placement;
  return { place: move.name, score, ...knownOf(bound, tabulated, expected), ...verdict };
}

function knownOf({ lo, hi }: Bound, tabulated: boolean, expected: number | undefined) {
  const value = lo === hi ? lo : null;
  return tabulated ? { lo, hi, value, expected: expected ?? null } : { lo, hi, value };
}
