/** The header of a table of boards. */
export type CsvHeader = NonNullable<ReturnType<typeof readHeader>>;

/**
 * Reads the header of a table: its columns, and the index of the one with the boards; `undefined`
 * if the line is not one with a column `board`.
 */
export function readHeader(line: string) {
  const delimiter = ["\t", ",", ";"].find((character) => line.includes(character)) ?? ",";
  const columns = fieldsOf(line, delimiter)?.map((column) => column.trim()) ?? [];
  const board = columns.findIndex((column) => column.toLowerCase() === "board");
  return board < 0 ? undefined : { columns, delimiter, board };
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
