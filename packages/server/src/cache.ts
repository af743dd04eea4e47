/** Returns a function that reads something, and returns the same for some milliseconds. */
export function cachedFor<T>(milliseconds: number, read: () => T): () => T {
  let kept: { readonly until: number; readonly value: T } | undefined;
  return () => {
    const now = performance.now();
    if (kept === undefined || now > kept.until) kept = { until: now + milliseconds, value: read() };
    return kept.value;
  };
}
