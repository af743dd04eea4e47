/**
 * Runs work that reports progress; returns the promise of its result, over whose progress `for await` iterates. An
 * iteration yields the latest report since the last one, ends with the work, and throws its error.
 */
export function progressOf<Result, Progress>(
  work: (report: (progress: Progress) => void) => Promise<Result>,
): Promise<Result> & AsyncIterable<Progress, void> {
  let latest: Progress | undefined;
  let hasEnded = false;
  /** Wakes the iterations that wait. */
  let wake: (() => void)[] = [];
  const wakeAll = () => {
    for (const one of wake) one();
    wake = [];
  };
  const result = work((progress) => {
    latest = progress;
    wakeAll();
  });
  const end = () => {
    hasEnded = true;
    wakeAll();
  };
  result.then(end, end);

  async function* iterate(): AsyncGenerator<Progress, void> {
    let seen: Progress | undefined;
    for (;;) {
      if (latest !== undefined && latest !== seen) {
        seen = latest;
        yield latest;
      } else if (hasEnded) break;
      else await new Promise<void>((resolve) => wake.push(resolve));
    }
    await result;
  }
  return Object.assign(result, { [Symbol.asyncIterator]: iterate });
}
