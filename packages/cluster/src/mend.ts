import type { Redis } from "./ioredis.js";
import { type Keys, QUEUE_KEYS } from "./keys.js";

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
  const { queue } = keys;
  const types: [string, string][] = [
    ...QUEUE_KEYS.map(([name, type]): [string, string] => [`${queue}:${name}`, type]),
    [keys.workers, "set"],
    [keys.news, "stream"],
    ...workers.flatMap((name): [string, string][] => [
      [keys.bounds(name), "stream"],
      [keys.table(name), "stream"],
    ]),
  ];
  const names = types.map(([key]) => key);
  const expected = types.map(([, type]) => type);
  return (await client.eval(MEND, names.length, ...names, ...expected)) as string[];
}
