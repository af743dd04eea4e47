/* Runs the command for other scripts. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../packages/cli/bin/gridlock.js", import.meta.url));

/** Runs `gridlock` in a folder, and returns the JSON that it prints, null if it prints none; throws if it fails. */
export function gridlock(folder, ...words) {
  const options = { cwd: folder, maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "inherit"] };
  return JSON.parse(execFileSync(process.execPath, [BIN, ...words], options).toString() || "null");
}
