import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect } from "vitest";
import { StoreError } from "../src/index.js";

/** Returns the error that an action is expected to throw. */
export function errorOf(action: () => unknown): StoreError {
  try {
    action();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

/**
 * Damages a file in many ways, one at a time: flips one bit, `flips` times, and truncates it to
 * every length in steps of 509 bytes from `shortest` on. After each, `read` may throw only a
 * `StoreError` that names the file.
 */
export function damage(
  file: string,
  { flips, shortest }: { flips: number; shortest: number },
  read: () => void,
): void {
  const whole = readFileSync(file);
  const check = () => {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError);
      expect((error as StoreError).message).toContain(file);
    }
  };
  fc.assert(
    fc.property(fc.nat({ max: 8 * whole.length - 1 }), (bit) => {
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      writeFileSync(file, flipped);
      check();
    }),
    { numRuns: flips },
  );
  for (let length = shortest; length < whole.length; length += 509) {
    writeFileSync(file, whole.subarray(0, length));
    check();
  }
}
