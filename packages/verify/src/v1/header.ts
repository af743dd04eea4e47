import {
  formatShape,
  formatTiles,
  type Game,
  GameError,
  normalShape,
  parseShape,
  parseTiles,
  quoted,
} from "@gridlock/game";
import { CertificateError } from "../errors.js";

/** The contents of a certificate's header. */
export interface Header {
  readonly game: Game;
  /** The proof effort W, in positions. */
  readonly effort: number;
  readonly claims: number;
}

/** The format version that this program writes and reads. */
const VERSION = 1;
/** The most bytes of a header. */
export const MOST_HEADER_BYTES = 256;

/** The largest proof effort of a certificate. */
export const MOST_EFFORT = 1_000_000;

/** The lines between the first and the empty one: name, pattern, and the pattern in words. */
const LINES: readonly (readonly [name: string, form: RegExp, words: string])[] = [
  ["shape", /^[1-9]\d*x[1-9]\d*$/, "rows x columns, such as 2x3"],
  ["tiles", /^2(,4)?$/, "2,4 or 2"],
  ["effort", /^(0|[1-9]\d{0,5}|1000000)$/, `a whole number of positions, ${MOST_EFFORT} at most`],
  ["claims", /^(0|[1-9]\d{0,14})$/, "a whole number"],
];

/** Writes a header: six lines, the last one empty. */
export function formatHeader({ game, effort, claims }: Header): string {
  return [
    `gridlock certificate ${VERSION}`,
    `shape ${formatShape(normalShape(game.shape))}`,
    `tiles ${formatTiles(game.tiles)}`,
    `effort ${effort}`,
    `claims ${claims}`,
    "\n",
  ].join("\n");
}

/**
 * Reads the header that a file begins with; the inverse of {@link formatHeader}.
 *
 * @throws {CertificateError} `not-a-certificate`, `other-version`, or `bad-header`, which quotes
 *   the wrong line.
 */
export function parseHeader(file: string, text: string): Header {
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
      `${file} is a certificate of version ${version}; this program reads version ${VERSION}`,
    );
  }
  const [shape = "", tiles = "", effort = "", claims = ""] = LINES.map(([name, form, words], i) => {
    const line = lines[i] ?? "";
    const word = line.slice(name.length + 1);
    if (line !== `${name} ${word}` || !form.test(word)) {
      throw badLine(file, i + 2, line, `"${name}" and ${words}`);
    }
    return word;
  });
  // The last line ends with a line feed, after which the split has one more piece.
  if (lines[LINES.length] !== "" || lines.length < LINES.length + 2) {
    throw badLine(file, 6, lines[LINES.length] ?? "", "an empty line after the header");
  }
  return {
    game: { shape: parseNormalShape(file, shape), tiles: parseTiles(tiles) },
    effort: Number(effort),
    claims: Number(claims),
  };
}

function parseNormalShape(file: string, text: string): Game["shape"] {
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
