import type { AnswerMessage } from "@gridlock/schemas/cluster";
import type { Logger } from "pino";
import { Queue, Worker } from "./bullmq.js";
import { atMost, connect, disconnect } from "./connection.js";
import type { Redis } from "./ioredis.js";
import { type Keys, QUEUE } from "./keys.js";
import { isOutage, isRefusal } from "./outage.js";
import type { RedisOptions } from "./redis-options.js";
import { CLOSE_MS, LOCK_MS, LOST_ANSWER_MS, QUEUE_WAIT_MS, STALLED_MS } from "./timing.js";

/*
 * BullMQ's queue of answers, from workers to the coordinator. Nothing on it is the only copy: a
 * worker sends its answer every second until its question is no longer open.
 */

/** Opens the queue of answers. */
function openQueue(keys: Keys, client: Redis): Queue<AnswerMessage> {
  // BullMQ need not ask for the version of the server, which `checkServer` has checked: interrupted
  // by an outage, that would make the queue unusable.
  const connection = { connection: client as never, skipVersionCheck: true };
  return new Queue(QUEUE, { ...connection, prefix: keys.prefix, skipMetasUpdate: true });
}

/** A worker's end of the queue. */
export class AnswerSender implements AsyncDisposable {
  readonly #queue: Queue<AnswerMessage>;
  /** The last answer, and when it was first sent. */
  #last = { id: "", since: 0 };

  /** @param client for commands, which fail while the server is away; the caller disconnects it */
  constructor(client: Redis, keys: Keys, log: Logger) {
    this.#queue = openQueue(keys, client);
    this.#queue.on("error", (error) => log.debug({ error: error.message }, "queue"));
  }

  /**
   * Sends an answer. One that is still on the queue is not added again, unless it was first sent
   * seconds ago: a damaged job stays there, and nobody takes it.
   */
  async send(answer: AnswerMessage): Promise<void> {
    const { run, question, worker } = answer;
    const id = `${run}_${question}_${worker}`;
    const now = performance.now();
    if (id !== this.#last.id) this.#last = { id, since: now };
    await this.#queue.add("answer", answer, {
      jobId: `${id}_${Math.floor((now - this.#last.since) / LOST_ANSWER_MS)}`,
      removeOnComplete: true,
      removeOnFail: true,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closed(this.#queue.close());
  }
}

/** The connection of the coordinator's end of the queue, and what it calls. */
export interface AnswerTakerOptions {
  readonly redis: RedisOptions;
  readonly keys: Keys;
  readonly log: Logger;
  onAnswer(data: unknown): void;
  /** Called with each reply of a server that refuses a command. */
  onRefusal(error: Error): void;
}

/** The coordinator's end of the queue. Only the run that leads may have it: others would take its answers. */
export class AnswerTaker implements AsyncDisposable {
  readonly #connection: Redis;
  readonly #worker: Worker<unknown, void>;

  /** Begins to take answers. */
  constructor({ redis, keys, log, onAnswer, onRefusal }: AnswerTakerOptions) {
    this.#connection = connect(redis, "blocking", (error) =>
      log.debug({ error: error.message }, "connection"),
    );
    const worker = new Worker<unknown, void>(QUEUE, async ({ data }) => onAnswer(data), {
      connection: this.#connection as never,
      prefix: keys.prefix,
      drainDelay: QUEUE_WAIT_MS / 1000,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_MS,
    });
    worker.on("error", (error) => {
      if (isRefusal(error)) {
        // It would ask for answers again at once, some thousand times a second.
        worker.pause(true).catch(() => {});
        onRefusal(error);
      } else log[isOutage(error) ? "debug" : "warn"]({ error: error.message }, "queue");
    });
    this.#worker = worker;
  }

  /** Takes answers again after the server has refused to hand one out. Call it once a second. */
  tryAgain(): void {
    if (this.#worker.isPaused()) this.#worker.resume();
  }

  /** Stops taking answers. */
  async [Symbol.asyncDispose](): Promise<void> {
    // Unless it is forced to close, BullMQ waits for its last read, and keeps a timer until then.
    disconnect(this.#connection);
    await closed(this.#worker.close(true));
  }
}

/** Removes all keys of the queue. */
export async function emptyQueue(client: Redis, keys: Keys): Promise<void> {
  const queue = openQueue(keys, client);
  queue.on("error", () => {}); // the command below reports it
  try {
    await queue.obliterate({ force: true });
  } finally {
    await closed(queue.close());
  }
}

/** Waits until BullMQ has closed something or has failed to, but not for long. */
async function closed(closing: Promise<void>): Promise<void> {
  await atMost(
    CLOSE_MS,
    closing.catch(() => {}),
  );
}
