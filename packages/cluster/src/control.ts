import type { Logger } from "pino";
import type { RedisClient } from "./connection.js";
import { ClusterError } from "./errors.js";
import type { Keys } from "./keys.js";
import { type ControlMessage, read } from "./messages.js";

export interface ControlOptions {
  /** The client that sends; its commands fail while the server is away. */
  readonly client: RedisClient;
  /** The client that receives; it subscribes again after an outage. */
  readonly subscriber: RedisClient;
  readonly keys: Keys;
  readonly log: Logger;
  readonly onMessage: (message: ControlMessage) => void;
}

/** The channel on which the coordinator and its workers send messages to each other. */
export class ControlChannel {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
    options.subscriber.on("message", this.#hear);
  }

  /** Subscribes to the channel. */
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

  /** Publishes a message to all subscribers. */
  async call(message: ControlMessage): Promise<void> {
    await this.#options.client.publish(this.#options.keys.control, JSON.stringify(message));
  }

  /** Sends a ping: without a pending answer, a subscriber would not notice that its connection has gone silent. */
  ping(): void {
    this.#options.subscriber.ping().catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#options.subscriber.off("message", this.#hear);
  }
}
