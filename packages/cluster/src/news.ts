import { atMost } from "./connection.js";
import type { Redis } from "./ioredis.js";
import { GONE_MS, LATE_NEWS_MS } from "./timing.js";

/** Entries that a stream of news keeps. Each is also told in another way, so that one may be missed. */
const KEPT_NEWS = 100;

/** A piece of news: what it is about, and the name of that. */
export type NewsItem = readonly [about: string, name: string];

/** Tells news to the readers of a stream, which expires. */
export async function tellNews(client: Redis, stream: string, ...item: NewsItem): Promise<void> {
  await Promise.all([
    client.xadd(stream, "MAXLEN", KEPT_NEWS, "*", ...item),
    client.pexpire(stream, GONE_MS),
  ]);
}

/** Waits for news. */
export class NewsReader {
  readonly #blocking: Redis;
  readonly #stream: string;
  /** The id of the last news. */
  #last = "0";
  /** The read under way. */
  #reading: Promise<NewsItem[]> | undefined;

  /** @param blocking a connection for reads that wait */
  constructor(blocking: Redis, stream: string) {
    this.#blocking = blocking;
    this.#stream = stream;
  }

  /**
   * Waits for news, about some milliseconds at most; returns it. While the server is away, the read does
   * not end, and is not repeated.
   */
  async read(most: number): Promise<readonly NewsItem[]> {
    this.#reading ??= this.#readOnce(Math.max(1, Math.round(most)));
    const reading = this.#reading.finally(() => {
      this.#reading = undefined;
    });
    reading.catch(() => {}); // reported to whoever still waits
    let news: readonly NewsItem[] = [];
    await atMost(
      most + LATE_NEWS_MS,
      reading.then((found) => {
        news = found;
      }),
    );
    return news;
  }

  async #readOnce(most: number): Promise<NewsItem[]> {
    const stream = this.#stream;
    const reply = await this.#blocking.xread("BLOCK", most, "STREAMS", stream, this.#last);
    const entries = reply?.[0]?.[1] ?? [];
    // Without news for so long, ids may have begun anew.
    this.#last = entries.at(-1)?.[0] ?? "0";
    return entries.map(([, [about = "", name = ""]]) => [about, name]);
  }
}
