import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new temporary folder, which is removed with its contents when it is disposed of. */
export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "gridlock-"));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/**
 * Makes a folder for the running test or, with `afterAll`, for a test file, and removes it
 * afterwards.
 *
 * @returns its path
 */
export function temporaryFolder(whenDone: (clean: () => void) => void = onTestFinished): string {
  const folder = new TemporaryFolder();
  whenDone(() => folder[Symbol.dispose]());
  return folder.path;
}

/** Lists the files in a folder and below it whose paths in it match, in the order of their names. */
export function filesIn(folder: string, names: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => names.test(name))
    .map((name) => join(folder, name))
    .sort();
}
