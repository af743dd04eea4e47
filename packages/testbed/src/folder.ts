import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const atEnd = new Set<() => void>();
process.once("exit", () => {
  for (const action of [...atEnd].reverse()) action();
});

/** Runs an action when this process ends, latest first, unless the returned function is called. */
export function whenProcessEnds(action: () => void): () => void {
  atEnd.add(action);
  return () => void atEnd.delete(action);
}

/**
 * A new temporary folder, which is removed with its contents when it is disposed of, or when this
 * process ends.
 */
export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "gridlock-"));
  readonly #forget = whenProcessEnds(() => this[Symbol.dispose]());

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
    this.#forget();
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

/** Lists the files in a folder and below it whose paths in it match, in order of their names. */
export function filesIn(folder: string, names: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => names.test(name))
    .map((name) => join(folder, name))
    .sort();
}
