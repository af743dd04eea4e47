import { useEffect, useState } from "preact/hooks";
import type { RunState } from "../data.js";

/** Most rates that are kept: some minutes of them. */
const MOST_RATES = 240;

/** Milliseconds until the server is asked again after it answered with an error. */
const RETRY_MS = 3_000;

/**
 * Follows a run through the server's events. After an outage the browser connects again by itself.
 *
 * @param state the run's state in the list of runs; where it changes, the run is followed anew: the events end with a run
 *   that has fallen silent, which may yet be heard of again
 */
export function useRun(id: string, state: RunState["state"]) {
  const [news, setNews] = useState<{
    readonly state?: RunState;
    readonly rates: readonly number[];
    /** True while the server is away. */
    readonly cut: boolean;
  }>({ rates: [], cut: false });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource(`v1/runs/${encodeURIComponent(id)}/events`);
    const receive = (event: MessageEvent<string>) => {
      const news = JSON.parse(event.data) as RunState;
      setNews(({ rates }) => ({
        state: news,
        rates: [...rates, news.nodesPerSecond].slice(-MOST_RATES),
        cut: false,
      }));
      if (news.state !== "running") source.close();
    };
    source.addEventListener("message", receive);
    source.addEventListener("error", () => {
      setNews((before) => ({ ...before, cut: true }));
      // The browser gives up where the server answers with an error.
      if (source.readyState === EventSource.CLOSED) {
        timer = setTimeout(() => setAttempt(attempt + 1), RETRY_MS);
      }
    });
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [id, state, attempt]);
  return news;
}
