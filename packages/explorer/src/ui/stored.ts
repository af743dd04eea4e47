/**
 * The browser's stores of texts: `localStorage` serves all tabs and later visits, `sessionStorage`
 * one tab until it is closed.
 */
type Storage = "localStorage" | "sessionStorage";

/** Reads what the browser has stored under a name; `undefined` if there is nothing. */
export function readStored(name: string, storage: Storage = "localStorage"): string | undefined {
  try {
    return globalThis[storage].getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a text under a name, or removes it. A browser that stores nothing forgets it with the
 * page.
 */
export function store(
  name: string,
  text: string | undefined,
  storage: Storage = "localStorage",
): void {
  try {
    if (text === undefined) globalThis[storage].removeItem(name);
    else globalThis[storage].setItem(name, text);
  } catch {
    // Nothing is lost but the memory of later visits.
  }
}
