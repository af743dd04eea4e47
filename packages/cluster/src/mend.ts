import { QueueKeys } from "./bullmq.js";
import type { Redis } from "./ioredis.js";
import { type Keys, QUEUE } from "./keys.js";

/**
 * The type in Redis of each key of BullMQ's queue. BullMQ has no call that returns them or repairs a
 * queue: where a key has another type, `obliterate` fails like every other call. So these are of the
 * pinned version, and `mend.test.ts` compares them with a queue that it has written.
 */
export const QUEUE_TYPES: Readonly<Record<string, string>> = {
  active: "list",
  wait: "list",
  paused: "list",
  prioritized: "zset",
  delayed: "zset",
  completed: "zset",
  failed: "zset",
  "waiting-children": "zset",
  stalled: "set",
  "stalled-check": "string",
  limiter: "string",
  meta: "hash",
  events: "stream",
  marker: "zset",
  pc: "string",
  id: "string",
  repeat: "zset",
};

/**
 * Removes each key that does not have its expected type; ARGV[i] is the type of KEYS[i]. Returns
 * the keys that were removed.
 */
const MEND = `
  local removed = {}
  for i, key in ipairs(KEYS) do
    local type = redis.call("TYPE", key).ok
    if type ~= "none" and type ~= ARGV[i] then
      redis.call("DEL", key)
      table.insert(removed, key)
    end
  end
  return removed`;

/**
 * Removes the keys of a run that have the wrong type, so that they are recreated. Otherwise every
 * command that accesses them would keep failing.
 *
 * @param workers the names of the run's workers
 * @returns the keys that were removed
 */
export async function mend(
  client: Redis,
  keys: Keys,
  workers: readonly string[],
): Promise<string[]> {
  const queue = new QueueKeys(keys.prefix);
  const types: Record<string, string> = { [keys.workers]: "set", [keys.news]: "stream" };
  for (const [name, type] of Object.entries(QUEUE_TYPES)) types[queue.toKey(QUEUE, name)] = type;
  for (const name of workers) {
    types[keys.bounds(name)] = "stream";
    types[keys.table(name)] = "stream";
  }
  const names = Object.keys(types);
  return (await client.eval(MEND, names.length, ...names, ...Object.values(types))) as string[];
}
