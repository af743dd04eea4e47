/* Measures a process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Process, TemporaryFolder } from "@gridlock/testbed";

const USAGE = fileURLToPath(new URL("usage.cjs", import.meta.url));
/** A file for what the process that runs has used. */
const USAGE_FILE = join(new TemporaryFolder().path, "usage.json");

/**
 * Runs Node with some arguments in a folder. No two may run at the same time.
 *
 * @returns the seconds of the clock (`wall`) and of all processors (`processor`), the bytes of
 *   memory at its `peak`, and the output
 * @throws {Error} with what the process said, if it fails
 */
export async function timed([script, ...args], cwd, input = "") {
  const env = { ...process.env, USAGE_FILE };
  const began = performance.now();
  const { child, ended } = new Process(script, args, { cwd, env, node: ["--require", USAGE] });
  child.stdin.end(input);
  const { code, stdout, stderr } = await ended;
  const wall = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`${[script, ...args].join(" ")}: ${stdout}${stderr}`.trim());
  return { wall, ...JSON.parse(readFileSync(USAGE_FILE, "utf8")), stdout };
}
