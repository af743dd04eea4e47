import { type Game, GameError, parseShape, parseTiles, quoted } from "@gridlock/game";
import { encodeHeader, VERSION } from "./blocks.js";
import { CertificateError } from "./errors.js";

/** The most bytes of a header, of any version. */
export const MOST_HEADER_BYTES = 256;

/**
 * Reads the header that a file begins with; the inverse of `encodeHeader`.
 *
 * @throws {CertificateError} `not-a-certificate`, `other-version` or `bad-header`
 */
export function parseHeader(file: string, text: string): Game {
  const [first = "", shape = "", tiles = ""] = text.split("\n");
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
  const game = gameOf(shape, tiles);
  if (game && text.startsWith(Buffer.from(encodeHeader(game)).toString("latin1"))) return game;
  throw new CertificateError(
    "bad-header",
    `${file} has the header ${quoted(`${shape}, ${tiles}`)}; expected lines such as "shape 2x3", with no more rows than columns, and "tiles 2,4" or "tiles 2", and an empty line after them`,
  );
}

/** Returns the game that two lines name; `undefined` if they name none. */
function gameOf(shape: string, tiles: string): Game | undefined {
  try {
    return {
      shape: parseShape(shape.replace("shape ", "")),
      tiles: parseTiles(tiles.replace("tiles ", "")),
    };
  } catch (error) {
    if (error instanceof GameError) return undefined;
    throw error;
  }
}
