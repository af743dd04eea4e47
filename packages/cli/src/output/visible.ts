/**
 * Control characters other than tabs and line ends, characters that change the direction of text,
 * and separators of lines.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Returns a text that can be printed on any terminal: texts from databases, messages or other
 * programs may contain sequences that control it. They are shown as in JSON (`\u001b`), which
 * leaves JSON what it is.
 */
export function visible(text: string): string {
  return text.replace(
    INVISIBLE,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Makes a text {@link visible} in one line: a line end in a foreign text must not forge a line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "\\n");
}
