import type { Logger } from "pino";
import type { RedisClient } from "./connection.js";
import { ClusterError } from "./errors.js";
import type { Keys } from "./keys.js";
import { type ControlMessage, read } from "./messages.js";

export interface ControlOptions {
  /** Sends; its commands fail while the server is away. */
  readonly client: RedisClient;
  /** Receives, and subscribes again after an outage. */
  readonly subscriber: RedisClient;
  readonly keys: Keys;
  readonly log: Logger;
  readonly onMessage: (message: ControlMessage) => void;
}

/** The channel on which the coordinator and its workers call out to each other. */
export class ControlChannel {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
    options.subscriber.on("message", this.#hear);
  }

  /** Begins to listen. */
  async listen(): Promise<void> {
    await this.#options.subscriber.subscribe(this.#options.keys.control);
  }

  readonly #hear = (_channel: string, text: string): void => {
    const { log, onMessage } = this.#options;
    try {
      onMessage(read("control", text));
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      log.warn({ error: error.message }, "ignored a message");
    }
  };

  /** Calls out to all who listen. */
  async call(message: ControlMessage): Promise<void> {
    await this.#options.client.publish(this.#options.keys.control, JSON.stringify(message));
  }

  /** Sends a ping: a subscriber that is owed no answer would not notice that its connection has gone silent. */
  ping(): void {
    this.#options.subscriber.ping().catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#options.subscriber.off("message", this.#hear);
  }
}
