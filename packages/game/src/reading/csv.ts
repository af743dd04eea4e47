/** The header of a table of boards. */
export type CsvHeader = NonNullable<ReturnType<typeof readHeader>>;

/**
 * Reads the header of a table: its columns, and the indices of those with the boards and the turns,
 * -1 without one; `undefined` if the line is not a header: it has no column `board`, and is not a
 * list of other names.
 *
 * @param given the delimiter, if it is known
 */
export function readHeader(line: string, given?: string) {
  const delimiter = given ?? ["\t", ",", ";"].find((character) => line.includes(character)) ?? ",";
  const columns = fieldsOf(line, delimiter) ?? [];
  const find = (name: string) =>
    columns.findIndex((column) => column.trim().toLowerCase() === name);
  const board = find("board");
  // No board has a word but the turn.
  const areNames =
    columns.length > 1 &&
    columns.every((column) => /^\s*[\p{L}_]/u.test(column)) &&
    /\p{L}{2}/u.test(line.replaceAll(/placer|slider/gi, ""));
  return board < 0 && !areNames ? undefined : { columns, delimiter, board, turn: find("turn") };
}

/** Splits a line of CSV (RFC 4180); `undefined` if a quoted field is still open at its end. */
export function fieldsOf(line: string, delimiter: string): string[] | undefined {
  const fields: string[] = [];
  let field = "";
  let isQuoted = false;
  let isBlank = true;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string;
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      field += '"';
      isBlank = false;
      at++;
    } else if (character === '"' && (isQuoted || isBlank)) {
      if (!isQuoted) field = "";
      isQuoted = !isQuoted;
    } else if (character === delimiter && !isQuoted) {
      fields.push(field);
      field = "";
      isBlank = true;
    } else {
      field += character;
      isBlank &&= character.trim() === "";
    }
  }
  if (isQuoted) return undefined;
  return [...fields, field];
}
