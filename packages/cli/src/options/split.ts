import { MOST_SPLIT } from "@gridlock/layers";
import { InvalidArgumentError } from "commander";

/** Parses into how many blocks a hash splits one, a power of two. */
export function parseSplit(text: string): number {
  const split = Number(text);
  if (
    !(/^\d+$/.test(text) && split >= 1 && split <= MOST_SPLIT && Number.isInteger(Math.log2(split)))
  ) {
    throw new InvalidArgumentError(
      `expected a power of two from 1 to ${MOST_SPLIT}, not "${text}".`,
    );
  }
  return split;
}
