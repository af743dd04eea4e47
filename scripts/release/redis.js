/*
 * Starts a private Redis server for experiments, reachable only from this machine. By default it stores no data.
 *
 *     node scripts/release/redis.js                   prints its URL, and runs until Ctrl-C
 *     node scripts/release/redis.js --port 6390
 *     node scripts/release/redis.js --appendonly DIR  stores its data in DIR
 *
 * If REDIS_URL is set, only prints it. If no server is installed, unpacks one into ~/.cache/gridlock, which works
 * on Debian and Ubuntu.
 */
import { once } from "node:events";
import { startRedis } from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";

async function main() {
  const { values: flags } = parseCommandLine({
    options: { port: { type: "string" }, appendonly: { type: "string" } },
  });
  if (process.env.REDIS_URL) {
    console.log(process.env.REDIS_URL);
    return;
  }
  const port = flags.port === undefined ? undefined : Number(flags.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new Error(`${flags.port} is not a port; expected a number from 1 to 65535 after --port`);
  }
  const redis = await startRedis({ port, appendOnly: flags.appendonly });
  console.log(redis.url);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => redis.stop());
  await once(redis.process, "exit");
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
