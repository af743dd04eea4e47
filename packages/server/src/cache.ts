/** Keeps the most recently used of some resources, and closes the others. */
export class ResourceCache<T extends Disposable> implements Disposable {
  readonly #most: number;
  /** The least recently used stands first. */
  readonly #resources = new Map<string, T>();

  /** @param most the number of resources to keep */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the resource of a key, which is made if it is not kept. One call at a time. */
  async get(key: string, make: () => Promise<T>): Promise<T> {
    const resource = this.#resources.get(key) ?? (await make());
    this.#resources.delete(key);
    this.#resources.set(key, resource);
    const [oldest] = this.#resources.keys();
    if (this.#resources.size > this.#most) this.drop(oldest as string);
    return resource;
  }

  /** Closes the resource of a key, if it is kept. */
  drop(key: string): void {
    this.#resources.get(key)?.[Symbol.dispose]();
    this.#resources.delete(key);
  }

  [Symbol.dispose](): void {
    for (const key of [...this.#resources.keys()]) this.drop(key);
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
