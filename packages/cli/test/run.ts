import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const BIN = fileURLToPath(new URL("../bin/gridlock.js", import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder for the running test, gone when it has ended; or for all of a file's, with `afterAll`. */
export function temporaryFolder(whenDone: (clean: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the command in a folder, as a user would; `during` may send it signals. */
export function gridlock(
  folder: string,
  args: readonly string[],
  { input = "", during }: { input?: string; during?: (child: ChildProcess) => void } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd: folder });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => {
      stdout += data;
    });
    child.stderr.on("data", (data) => {
      stderr += data;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.on("error", () => {}); // a command that refuses its arguments reads nothing
    child.stdin.end(input);
    during?.(child);
  });
}

/** Runs a command that is expected to succeed with JSON on standard output. */
export async function json(folder: string, args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await gridlock(
    folder,
    args,
    input === undefined ? {} : { input },
  );
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
