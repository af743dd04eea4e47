import { EventEmitter, once } from "node:events";

/**
 * Runs work that reports progress; returns the promise of its result, over whose progress `for await` iterates. An
 * iteration yields the latest report since the last one, ends with the work, and throws its error.
 */
export function progressOf<Result, Progress>(
  work: (report: (progress: Progress) => void) => Promise<Result>,
): Promise<Result> & AsyncIterable<Progress, void> {
  let latest: Progress | undefined;
  let hasEnded = false;
  const events = new EventEmitter().setMaxListeners(0);
  const result = work((progress) => {
    latest = progress;
    events.emit("news");
  });
  const end = () => {
    hasEnded = true;
    events.emit("news");
  };
  result.then(end, end);

  async function* iterate(): AsyncGenerator<Progress, void> {
    let seen: Progress | undefined;
    while (!hasEnded || latest !== seen) {
      if (latest === seen) await once(events, "news");
      else {
        seen = latest;
        yield latest as Progress;
      }
    }
    await result;
  }
  return Object.assign(result, { [Symbol.asyncIterator]: iterate });
}
