import { quoted } from "@gridlock/game";
import { type Kind, VariantError } from "./kind.js";
import { CHOICE_KINDS, GAME } from "./kinds/choices.js";
import { MIXED } from "./kinds/mixed.js";
import { MOST_OF_A_KIND } from "./kinds/most.js";
import { PASSES } from "./kinds/passes.js";
import { ALTERNATE, ANNOUNCED } from "./kinds/turns.js";
import { WITHOUT } from "./kinds/without.js";
import type { Variant } from "./variant.js";

/** The kinds of variants. */
export const KINDS: readonly Kind[] = [
  GAME,
  MOST_OF_A_KIND,
  ALTERNATE,
  ANNOUNCED,
  ...CHOICE_KINDS,
  MIXED,
  WITHOUT,
  PASSES,
];

/** The variants that are solved if the user names none. */
export const USUAL: readonly string[] = [
  ...["game", "chance", "4s=20", "2s=20", "alternate", "announced"],
  ...["tile-only", "cell-only", "slider-cell", "slider-tile"],
  ...["mixed=1,10,20,50,90,99", "without", "passes=6"],
];

/** Largest tile that the placer may have. */
const LARGEST_TILE = 16;

/**
 * Returns the variant that a text names.
 *
 * @param tiles of the placer, in ascending order
 * @throws {VariantError} if the text names none, or one that contradicts itself or the tiles
 */
export function parseVariant(text: string, tiles: readonly number[]): Variant {
  for (const kind of KINDS) {
    const variant = kind.parse(text, tiles);
    if (variant !== undefined) return variant;
  }
  throw new VariantError(
    `${quoted(text)} is not a variant; expected ${KINDS.map(({ usage }) => usage).join(", ")}`,
  );
}

/**
 * Returns the tiles of a placer that a text lists, in ascending order.
 *
 * @throws {VariantError} if the text lists anything else
 */
export function parseVariantTiles(text: string): number[] {
  const tiles = text.split(",").map(Number);
  const known = Array.from({ length: Math.log2(LARGEST_TILE) }, (_, i) => 2 ** (i + 1));
  if (tiles.every((tile) => known.includes(tile)) && new Set(tiles).size === tiles.length) {
    return tiles.sort((a, b) => a - b);
  }
  throw new VariantError(
    `${quoted(text)} are no tiles of a placer; expected some of ${known.join(", ")}, separated by commas`,
  );
}
