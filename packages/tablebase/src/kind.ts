import { quoted, shortened } from "@gridlock/game";
import type { Variant } from "./variant.js";

/** The variant or its tiles make no sense. */
export class VariantError extends Error {
  override readonly name = "VariantError";
}

/** A family of variants. */
export interface Kind {
  /** How to write its variants, for instance `4s=K`. */
  readonly usage: string;
  readonly summary: string;
  /**
   * Returns the variant that a text names, or `undefined` if it names none of this kind.
   *
   * @param tiles of the placer, in ascending order
   * @throws {VariantError} if the variant contradicts itself or the tiles
   */
  parse(text: string, tiles: readonly number[]): Variant | undefined;
}

/** Makes a kind of which a name alone names the only variant; see {@link Kind.parse}. */
export function kindOfName(
  name: string,
  summary: string,
  variantOf: (tiles: readonly number[]) => Variant,
): Kind {
  return {
    usage: name,
    summary,
    parse: (text, tiles) => (text === name ? variantOf(tiles) : undefined),
  };
}

/** Returns the part of a text behind `name=`, "" for `name` alone, or `undefined`. */
export function argumentOf(text: string, name: string): string | undefined {
  if (text === name) return "";
  return text.startsWith(`${name}=`) ? text.slice(name.length + 1) : undefined;
}

/**
 * Returns the whole number from 0 to `most` that a text names.
 *
 * @throws {VariantError} if it names none
 */
export function numberIn(text: string, variant: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new VariantError(
    `${shortened(variant)}: ${text === "" ? "the number is missing" : `${quoted(text)} is not possible`}; expected a whole number from 0 to ${most}`,
  );
}

/** Lists tiles in words: `2s and 4s`. */
export function wordsOf(tiles: readonly number[]): string {
  const words = tiles.map((tile) => `${tile}s`);
  const last = words.pop() as string;
  return words.length === 0 ? last : `${words.join(", ")} and ${last}`;
}

/**
 * Refuses tiles that the ordinary game does not have: chance places a 2 nine times in ten,
 * otherwise a 4.
 *
 * @throws {VariantError} if there are others
 */
export function expectChances(variant: string, tiles: readonly number[]): void {
  const other = tiles.find((tile) => tile > 4);
  if (other === undefined) return;
  throw new VariantError(
    `${variant}: chance places 2s and 4s, and no ${other}; use it with --tiles 2,4, 2 or 4`,
  );
}
