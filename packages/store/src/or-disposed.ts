/** Runs `action` and returns its result; if it fails, disposes of a resource first. */
export function orDisposed<T>(resource: Disposable, action: () => T): T {
  try {
    return action();
  } catch (error) {
    resource[Symbol.dispose]();
    throw error;
  }
}
