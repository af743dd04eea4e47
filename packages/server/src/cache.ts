/** Keeps the most recently used of some values, and closes the others where they are resources. */
export class Cache<T> implements Disposable {
  readonly #most: number;
  readonly #close: (value: T) => void;
  /** The least recently used stands first. */
  readonly #values = new Map<string, T>();

  /** @param most the number of values to keep */
  constructor(most: number, close: (value: T) => void = () => {}) {
    this.#most = most;
    this.#close = close;
  }

  /** Returns the value of a key; `undefined` if it is not in the cache. */
  get(key: string): T | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** Adds the value of a key that has none, and returns it. */
  add(key: string, value: T): T {
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most) this.drop(oldest as string);
    return value;
  }

  /** Closes the value of a key, if it is in the cache. */
  drop(key: string): void {
    const value = this.#values.get(key);
    if (value !== undefined) this.#close(value);
    this.#values.delete(key);
  }

  [Symbol.dispose](): void {
    for (const key of [...this.#values.keys()]) this.drop(key);
  }
}

/** Returns a function that reads something, and returns the same for some milliseconds. */
export function cachedFor<T>(milliseconds: number, read: () => T): () => T {
  let kept: { readonly until: number; readonly value: T } | undefined;
  return () => {
    const now = performance.now();
    if (kept === undefined || now > kept.until) kept = { until: now + milliseconds, value: read() };
    return kept.value;
  };
}
