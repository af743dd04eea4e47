/** Most characters of an input that an error repeats. */
const MOST = 80;

/** A character that controls the terminal or the direction of text. A tab does too. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

/**
 * Returns a text with one visible character in place of each control character: a blank for a tab.
 */
export function cleaned(text: string): string {
  return text.replaceAll("\t", " ").replace(CONTROL, "\ufffd");
}

/** Returns an input as an error repeats it: cleaned, and at most 80 characters of it. */
export function shortened(text: string): string {
  const characters = [...cleaned(text.slice(0, 2 * MOST + 2))]; // a character has one or two units
  if (characters.length <= MOST) return characters.join("");
  return `${characters.slice(0, MOST - 1).join("")}…`;
}

/** Returns an input in quotes, as {@link shortened} does. */
export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}
