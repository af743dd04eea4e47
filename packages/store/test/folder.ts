import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { StoreError } from "../src/index.js";

/** A folder for the running test, gone when it has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The error that an action is expected to throw. */
export function errorOf(action: () => unknown): StoreError {
  try {
    action();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}
