import type { Answer, Worth } from "@gridlock/answers";
import { type BoardReader, type BoardRecordLines, formatBoard, isExact } from "@gridlock/game";
import { csvTable } from "@gridlock/report";

/**
 * Returns a function that formats answers as CSV, a row each, after the header if it is the first one: the columns that
 * came with the boards, then the value, empty if it is not proven, and the moves that are proven best, divided by blanks.
 */
export function boardTable(valuesOnly: boolean) {
  const added = valuesOnly ? ["value"] : ["value", "best"];
  let own: readonly string[] | undefined;
  return (
    { text, fields }: Pick<BoardRecordLines, "text" | "fields">,
    answer: Worth | Answer | undefined,
    reader?: BoardReader,
  ): string => {
    const isFirst = own === undefined;
    own ??= (reader?.columns ?? ["board", ...Object.keys(fields)]).filter(
      (name) => !added.includes(name),
    );
    const cells = own.map((name) => {
      if (name.toLowerCase() !== "board") return textOf(fields[name]);
      return answer ? formatBoard(answer.board, answer.turn) : text;
    });
    const value = answer && isExact(answer.bound) ? answer.bound.lo : undefined;
    const moves = answer && "moves" in answer ? answer.moves : [];
    const best = moves.filter(({ verdict }) => verdict.verdict === "best");
    const names = valuesOnly ? [] : [best.map(({ move }) => move.name).join(" ")];
    const row = csvTable([...own, ...added], [[...cells, value, ...names]]);
    return (isFirst ? row : row.slice(row.indexOf("\n") + 1)).trimEnd();
  };
}

function textOf(field: unknown): string {
  if (field === undefined || field === null) return "";
  return typeof field === "string" ? field : JSON.stringify(field);
}
