import { quoted } from "@gridlock/game";
import { InvalidArgumentError } from "commander";

/*
 * Parsers of the command line's arguments. All throw an {@link InvalidArgumentError} that names
 * what was expected.
 */

function refused(text: string, expected: string): InvalidArgumentError {
  return new InvalidArgumentError(`expected ${expected}, not ${quoted(text)}.`);
}

/** Parses the address of a page on the web; returns it with a slash at the end. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!isPlain) throw refused(text, "an address such as https://example.org/2048/");
  return url.href.replace(/\/?$/, "/");
}

/** Parses a size such as `512M` or `2GiB`; returns bytes. */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i.exec(text.trim());
  const size = match
    ? Number(match[1]) * 1024 ** " KMGT".indexOf((match[2] as string).toUpperCase() || " ")
    : Number.NaN;
  if (!(size >= 1)) throw refused(text, "a size such as 512M or 2G");
  return Math.floor(size);
}

/** Parses a time such as `90s`, `30m` or `2h`; returns seconds. */
export function parseTime(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([smh])\s*$/i.exec(text);
  const seconds = match
    ? Number(match[1]) * 60 ** "smh".indexOf((match[2] as string).toLowerCase())
    : 0;
  if (seconds > 0 && seconds < 2 ** 31 / 1000) return seconds;
  throw refused(text, "a time such as 90s, 30m or 2h");
}

/** Parses a score in points. */
export function parseScore(text: string): number {
  return parseInteger(text, 4, 2 ** 28 - 4);
}

/** Parses a goal such as `tile:64`; returns its tile. */
export function parseGoal(text: string): number {
  const tile = /^tile:(.*)$/i.exec(text)?.[1];
  if (tile === undefined) throw refused(text, "tile: and a tile, such as tile:64");
  return parseTile(tile);
}

/** Parses a tile that a slider can make, 8 to 32768. */
export function parseTile(text: string): number {
  const value = Number(text);
  const isInRange = /^\d+$/.test(text) && value >= 8 && value <= 32768;
  if (isInRange && Number.isInteger(Math.log2(value))) return value;
  throw refused(text, "a tile, a power of two from 8 to 32768");
}

/** Parses a whole number from `least` to `most`. */
export function parseInteger(text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw refused(text, `a whole number from ${least} to ${most}`);
}

/** Parses a number of seconds, 0 or more. */
export function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && Number.isFinite(value)) return value;
  throw refused(text, "a number of seconds, 0 or more");
}

/** Makes a parser of the game a parser of the command line. */
export function asArgument<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}
