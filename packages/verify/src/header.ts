import { type Game, GameError, parseShape, parseTiles, quoted, type Shape } from "@gridlock/game";
import { VERSION } from "./blocks.js";
import { CertificateError } from "./errors.js";

/** The most bytes of a header, of any version. */
export const MOST_HEADER_BYTES = 256;

/** The lines between the first and the empty one: name, pattern, and the pattern in words. */
const LINES: readonly (readonly [name: string, form: RegExp, words: string])[] = [
  ["shape", /^[1-9]\d*x[1-9]\d*$/, "rows x columns, such as 2x3"],
  ["tiles", /^2(,4)?$/, "2,4 or 2"],
];

/**
 * Reads the header that a file begins with; the inverse of `encodeHeader`.
 *
 * @throws {CertificateError} `not-a-certificate`, `other-version`, or `bad-header`, which quotes
 *   the wrong line.
 */
export function parseHeader(file: string, text: string): Game {
  const [first = "", ...lines] = text.split("\n");
  const version = /^gridlock certificate (\d+)$/.exec(first)?.[1];
  if (version === undefined) {
    throw new CertificateError(
      "not-a-certificate",
      `${file} is not a certificate; expected its first line to be "gridlock certificate ${VERSION}"`,
    );
  }
  if (version !== String(VERSION)) {
    throw new CertificateError(
      "other-version",
      `${file} is a certificate of version ${version}; this program reads version ${VERSION}: make it again with gridlock prove`,
    );
  }
  const [shape = "", tiles = ""] = LINES.map(([name, form, words], i) => {
    const line = lines[i] ?? "";
    const word = line.slice(name.length + 1);
    if (line !== `${name} ${word}` || !form.test(word)) {
      throw badLine(file, i + 2, line, `"${name}" and ${words}`);
    }
    return word;
  });
  // The last line ends with a line feed, after which the split has one more piece.
  if (lines[LINES.length] !== "" || lines.length < LINES.length + 2) {
    throw badLine(file, 4, lines[LINES.length] ?? "", "an empty line after the header");
  }
  return { shape: parseNormalShape(file, shape), tiles: parseTiles(tiles) };
}

function parseNormalShape(file: string, text: string): Shape {
  try {
    const shape = parseShape(text);
    if (shape.rows <= shape.cols) return shape;
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
  }
  throw badLine(
    file,
    2,
    `shape ${text}`,
    "no more rows than columns, and 2 to 16 cells, such as 2x3",
  );
}

function badLine(file: string, line: number, given: string, expected: string): CertificateError {
  return new CertificateError(
    "bad-header",
    `line ${line} of ${file} is ${quoted(given)}; expected ${expected}`,
  );
}
