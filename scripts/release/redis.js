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
import { parseCommandLine, refuse } from "../command-line.js";

const { values: flags } = parseCommandLine({
  options: { port: { type: "string" }, appendonly: { type: "string" } },
});
const port = flags.port === undefined ? undefined : Number(flags.port);
if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
  refuse(`${flags.port} is not a port; expected a number from 1 to 65535 after --port`);
}
if (process.env.REDIS_URL) console.log(process.env.REDIS_URL);
else {
  const redis = await startRedis({ port, appendOnly: flags.appendonly });
  console.log(redis.url);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => redis.stop());
  await once(redis.process, "exit");
}
