import type { Span } from "./source.js";

/** Characters that stand for themselves. A line end is `\n`, on any system. */
const SIGNS = ["/", ";", "|", ",", "\t", "\n", "[", "]", "(", ")"] as const;
type Sign = (typeof SIGNS)[number];

/** A sign, or a word: a run of other characters without blanks. */
export interface Token extends Span {
  readonly kind: Sign | "word";
  readonly text: string;
}

const ESCAPE = "\u001b";

function isSign(character: string): character is Sign {
  return (SIGNS as readonly string[]).includes(character);
}

function isBlank(character: string): boolean {
  return character === " " || character === "\u00a0" || character === "\ufeff";
}

/** Returns the index after a terminal's colour, `ESC [ 1 ; 3 2 m`, or `at` if there is none. */
function afterColour(text: string, at: number): number {
  if (text[at] !== ESCAPE || text[at + 1] !== "[") return at;
  let end = at + 2;
  while ("0123456789;".includes(text[end] ?? "?")) end++;
  return text[end] === "m" ? end + 1 : at;
}

/** Splits a text into signs and words; skips blanks and colours. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    const character = text[at] as string;
    if (isBlank(character)) {
      at++;
    } else if (character === "\r") {
      at += text[at + 1] === "\n" ? 2 : 1;
      tokens.push({ kind: "\n", text: "\n", start, end: at });
    } else if (isSign(character)) {
      at++;
      tokens.push({ kind: character, text: character, start, end: at });
    } else if (afterColour(text, at) > at) {
      at = afterColour(text, at);
    } else {
      at = endOfWord(text, at);
      tokens.push({ kind: "word", text: text.slice(start, at), start, end: at });
    }
  }
  return tokens;
}

function endOfWord(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const character = text[at] as string;
    if (isBlank(character) || character === "\r" || isSign(character)) break;
    if (character === ESCAPE && afterColour(text, at) > at) break;
    at++;
  }
  return at;
}
