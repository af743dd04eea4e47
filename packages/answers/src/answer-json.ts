import { type Bound, formatBoard, type Verdict } from "@gridlock/game";
import type { PlacerAnswer, Refused, SliderAnswer } from "@gridlock/schemas";
import type { Answer, Worth } from "./answer.js";

/*
 * Answers as JSON, in one line; `schemas.ts` describes the objects. They are written field by field, since
 * `JSON.stringify` would take a tenth of the time of a batch; no text in them needs escaping.
 */

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

/** Formats the value of a board as a JSON object. */
export function worthAsJson(worth: Worth): string {
  return `{${worthFields(worth)}}`;
}

/**
 * Formats an answer as a JSON object.
 *
 * @param player what a player does, as JSON
 */
export function answerAsJson(answer: Answer, player?: string): string {
  const { turn, moves, line, tabulated } = answer;
  const kind = turn === "slider" ? "move" : "place";
  let moveTexts = "";
  for (const { move, score, bound, verdict, expected } of moves) {
    if (moveTexts !== "") moveTexts += ",";
    moveTexts += `{"${kind}":"${move.name}","score":${score},${knownFields(bound, tabulated, expected)},${verdictFields(verdict)}}`;
  }
  let steps = "";
  for (const { name } of line?.moves ?? []) steps += steps === "" ? `"${name}"` : `,"${name}"`;
  const end = line ? `"${formatBoard(line.end)}"` : "null";
  return `{${worthFields(answer)},"moves":[${moveTexts}],"line":[${steps}],"end":${end}${player === undefined ? "" : `,"player":${player}`}}`;
}

function worthFields(worth: Worth): string {
  const { board, turn, bound, source, provenance, literature, tabulated, expected } = worth;
  const reachable = tabulated ? `"reachable":${expected !== undefined},` : "";
  const published = provenance ? `,"published":${JSON.stringify(provenance)}` : "";
  const cited = literature ? `,"literature":${JSON.stringify(literature)}` : "";
  return `"board":"${formatBoard(board)}","turn":"${turn}",${reachable}${knownFields(bound, tabulated, expected)},"source":"${source}"${published}${cited}`;
}

function verdictFields(said: Verdict): string {
  return `"verdict":"${said.verdict}"${said.verdict === "worse" ? `,"by":${said.by}` : ""}`;
}

function knownFields({ lo, hi }: Bound, tabulated: boolean, expected: number | undefined): string {
  const chance = tabulated ? `,"expected":${expected ?? null}` : "";
  return `"lo":${lo},"hi":${hi},"value":${lo === hi ? lo : null}${chance}`;
}
