import type { Answer, Worth } from "@gridlock/answers";
import { type BoardReader, type BoardRecordLines, formatBoard, isExact } from "@gridlock/game";
import { csvTable } from "@gridlock/report";

/**
 * Formats answers as CSV: the columns that came with the boards, then the value, empty if it is not
 * proven, and the moves that are proven best, divided by blanks.
 */
export class BoardTable {
  readonly #added: readonly string[];
  #columns: readonly string[] | undefined;

  constructor(valuesOnly: boolean) {
    this.#added = valuesOnly ? ["value"] : ["value", "best"];
  }

  /** Returns the row of a board, after the header if it is the first row. */
  row(
    { text, fields }: Pick<BoardRecordLines, "text" | "fields">,
    answer: Worth | Answer | undefined,
    reader?: BoardReader,
  ): string {
    const isFirst = this.#columns === undefined;
    this.#columns ??= reader?.columns ?? ["board", ...Object.keys(fields)];
    const own = this.#columns.filter((name) => !this.#added.includes(name));
    const cells = own.map((name) => {
      if (name.toLowerCase() !== "board") return textOf(fields[name]);
      return answer ? formatBoard(answer.board, answer.turn) : text;
    });
    const value = answer && isExact(answer.bound) ? answer.bound.lo : undefined;
    const row = csvTable([...own, ...this.#added], [[...cells, value, ...this.#best(answer)]]);
    return (isFirst ? row : row.slice(row.indexOf("\n") + 1)).trimEnd();
  }

  #best(answer: Worth | Answer | undefined): string[] {
    if (this.#added.length === 1) return [];
    if (answer === undefined || !("moves" in answer)) return [""];
    const best = answer.moves.filter(({ verdict }) => verdict.verdict === "best");
    return [best.map(({ move }) => move.name).join(" ")];
  }
}

function textOf(field: unknown): string {
  if (field === undefined || field === null) return "";
  return typeof field === "string" ? field : JSON.stringify(field);
}
