import type { Span } from "./source.js";

/** Characters that stand for themselves; any line end is `\n`, and a bar of a drawing is `|`. */
type Sign = "/" | ";" | "|" | "," | "\t" | "\n" | "[" | "]" | "(" | ")";

/** A sign, or a word: a run of other characters without blanks. */
export interface Token extends Span {
  readonly kind: Sign | "word";
  readonly text: string;
}

/** A terminal's colour, `ESC [ 1 ; 3 2 m`. */
const COLOUR = "\\u001b\\[[0-9;]*m";
const BLANK = " \\u00a0\\ufeff";
const BAR = "|│┃║";
const SIGN = `/;${BAR},\\t\\n\\[\\]()`;
/** A part of a text: a colour or blanks, a line end, a sign, or a word. */
const PART = new RegExp(
  `${COLOUR}|[${BLANK}]+|(\\r\\n?)|([${SIGN}])|((?:(?!${COLOUR})[^${BLANK}${SIGN}\\r])+)`,
  "g",
);

/** Splits a text into signs and words; skips blanks and colours. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, 1: lineEnd, 2: sign, 3: word, index: start } of source.matchAll(PART)) {
    const end = start + text.length;
    if (lineEnd) tokens.push({ kind: "\n", text: "\n", start, end });
    else if (sign) {
      tokens.push({ kind: BAR.includes(sign) ? "|" : (sign as Sign), text, start, end });
    } else if (word) tokens.push({ kind: "word", text, start, end });
  }
  return tokens;
}
