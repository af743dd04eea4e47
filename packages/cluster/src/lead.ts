import { setTimeout as sleep } from "node:timers/promises";
import { ClusterError } from "./errors.js";
import type { Member } from "./member.js";
import { read } from "./messages.js";
import { BEAT_MS, GONE_MS, LEAD_MS, LEAD_RETRY_MS } from "./timing.js";

/** Acquires or renews the key, unless another run holds it; one of the wrong type is no run's. */
const ACQUIRE = `
  local isHeld = redis.call("TYPE", KEYS[1]).ok == "string"
  if isHeld and redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
  return 1`;

/** Removes the key and the run's description, if this run holds the key. */
const GIVE_UP = `
  if redis.call("TYPE", KEYS[1]).ok ~= "string" then return 0 end
  if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call("DEL", KEYS[1], KEYS[2])`;

/** The lead of the runs under a prefix, which only one coordinator has at a time. */
export class Lead {
  readonly #member: Pick<Member, "client" | "keys" | "reach">;
  readonly #run: string;

  constructor(member: Pick<Member, "client" | "keys" | "reach">, run: string) {
    this.#member = member;
    this.#run = run;
  }

  /** Acquires or renews the lead for 10 s; returns whether this run has it. */
  async renew(): Promise<boolean> {
    const { client, keys } = this.#member;
    return (await client.eval(ACQUIRE, 1, keys.coordinator, this.#run, GONE_MS)) === 1;
  }

  /**
   * Acquires the lead. Waits while the server is away, and until a killed coordinator's lead has
   * expired.
   *
   * @param onWait called when another coordinator has the lead, before the wait
   * @throws {ClusterError} `busy` if another coordinator has the lead and renews it
   */
  async acquire(onWait: () => void): Promise<void> {
    const { reach } = this.#member;
    let deadline = performance.now() + LEAD_MS;
    let waits = false;
    for (;;) {
      const heard = reach.heard;
      if (await reach.persist(() => this.renew())) return;
      if (!waits) onWait();
      waits = true;
      // After an outage, give the coordinator that holds the lead time to reconnect.
      if (performance.now() - heard > 2 * BEAT_MS) deadline = performance.now() + LEAD_MS;
      if (performance.now() > deadline) throw await this.#busy();
      await sleep(LEAD_RETRY_MS);
    }
  }

  async #busy(): Promise<ClusterError> {
    const { client, keys, reach } = this.#member;
    const text = await reach.persist(() => client.get(keys.run));
    const other = text === null ? undefined : read("run", text);
    return new ClusterError(
      "busy",
      `another coordinator${other ? ` (${other.host}, process ${other.pid}, ${other.shape})` : ""} has a run under the prefix ${keys.prefix.slice(1, -1)}; stop it or use another --prefix`,
    );
  }

  /** Gives up the lead if this run has it. While the server is away the lead expires by itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { client, keys } = this.#member;
    await client.eval(GIVE_UP, 2, keys.coordinator, keys.run, this.#run).catch(() => {});
  }
}
