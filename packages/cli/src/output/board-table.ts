import type { Answer, Worth } from "@gridlock/answers";
import { type BoardReader, type BoardRecordLines, formatBoard, isExact } from "@gridlock/game";
import { csvTable } from "@gridlock/report";

/** The text of a board, with the fields or cells of its record. */
type Given = Pick<BoardRecordLines, "text" | "fields" | "cells">;

/**
 * Returns a function that formats answers as CSV, a row each, after the header if it is the first
 * one: the columns that came with the boards, then the value, empty if it is not proven, and the
 * moves that are proven best, divided by blanks.
 */
export function boardTable(valuesOnly: boolean) {
  let own: readonly string[] | undefined;
  return (
    { text, fields, cells }: Given,
    answer: Worth | Answer | undefined,
    reader?: BoardReader,
  ): string => {
    const isFirst = own === undefined;
    own ??= reader?.columns ?? ["board", ...fields.keys()];
    const taken = new Set(own.map((name) => name.trim()));
    const added = (valuesOnly ? ["value"] : ["value", "best"]).map((name) => freeName(name, taken));
    const board = answer ? formatBoard(answer.board, answer.turn) : text;
    const given = cells ?? [board, ...own.slice(1).map((name) => textOf(fields.get(name)))];
    const value = answer && isExact(answer.bound) ? answer.bound.lo : undefined;
    const moves = answer && "moves" in answer ? answer.moves : [];
    const best = moves.filter(({ verdict }) => verdict.verdict === "best");
    const names = valuesOnly ? [] : [best.map(({ move }) => move.name).join(" ")];
    const row = csvTable([...own, ...added], [[...given, value, ...names]]);
    return (isFirst ? row : row.slice(row.indexOf("\n") + 1)).trimEnd();
  };
}

/** Returns a field's name in the output: after `gridlock_` where the name came with the boards. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  return taken.has(name) ? freeName(`gridlock_${name}`, taken) : name;
}

/** Returns the text of a cell for a value in JSON. */
function textOf(json = "null"): string {
  if (json === "null") return "";
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
