import { MOST_SPLIT } from "@gridlock/layers";
import { parsePowerOfTwo } from "./parse.js";

/** Parses into how many blocks a hash splits one. */
export function parseSplit(text: string): number {
  return parsePowerOfTwo(text, 1, MOST_SPLIT);
}
