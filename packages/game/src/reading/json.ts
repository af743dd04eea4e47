/** Parses a text as JSON that begins with a character; `undefined` if it is not. */
export function jsonIn(text: string, first: '"' | "{"): unknown {
  const trimmed = text.trim(); // also of a byte order mark
  if (!trimmed.startsWith(first)) return undefined;
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined;
  }
}

/**
 * Returns the fields of an object, each as the text of its value in one line: parsed and written
 * again, a number of many digits would be another one.
 *
 * @param object valid JSON
 */
export function fieldsIn(object: string): Map<string, string> {
  const fields = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let start = 0;
  for (const { 0: token, index } of object.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g)) {
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    const ends = depth === 0 || (depth === 1 && token === ",");
    if (ends && name !== undefined) {
      const lines = object.slice(start, index).split("\n");
      fields.set(name, lines.map((line) => line.trim()).join("")); // no string contains a line end
      name = undefined;
    } else if (depth === 1 && token.startsWith('"')) name ??= JSON.parse(token) as string;
    else if (depth === 1 && token === ":") start = index + 1;
  }
  return fields;
}
