import { setTimeout as sleep } from "node:timers/promises";
import type { RedisClient } from "./connection.js";
import { ClusterError } from "./errors.js";
import type { Keys } from "./keys.js";
import { BEAT_MS, GONE_MS, read } from "./messages.js";

/** Takes the key for so long, or keeps it, unless another run has it. */
const TAKE = `
  local holder = redis.call("GET", KEYS[1])
  if holder and holder ~= ARGV[1] then return 0 end
  redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
  return 1`;

/** The lead of the runs under a prefix, which one coordinator has at a time. */
export class Lead {
  readonly #client: RedisClient;
  readonly #keys: Keys;
  readonly #run: string;

  constructor(client: RedisClient, keys: Keys, run: string) {
    this.#client = client;
    this.#keys = keys;
    this.#run = run;
  }

  /** Takes or keeps the lead for some seconds more; returns whether this run has it. */
  async keep(): Promise<boolean> {
    const { coordinator } = this.#keys;
    return (await this.#client.eval(TAKE, 1, coordinator, this.#run, GONE_MS)) === 1;
  }

  /**
   * Takes the lead, if need be when a coordinator that was killed counts as gone.
   *
   * @throws {ClusterError} `busy` when another one has it and lives.
   */
  async take(): Promise<void> {
    const deadline = performance.now() + GONE_MS + 2 * BEAT_MS;
    while (!(await this.keep())) {
      if (performance.now() < deadline) {
        await sleep(BEAT_MS / 4);
        continue;
      }
      const text = await this.#client.get(this.#keys.run);
      const other = text === null ? undefined : read("run", text);
      throw new ClusterError(
        "busy",
        `another coordinator${other ? ` (${other.host}, process ${other.pid}, ${other.shape})` : ""} has a run under the prefix ${this.#keys.prefix.slice(1, -1)}; expected one at a time, or another --prefix`,
      );
    }
  }
}
