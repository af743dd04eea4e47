/** Reads what the browser has stored under a name; `undefined` if there is nothing. */
export function readStored(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text under a name, or removes it. A browser that stores nothing forgets it with the page. */
export function store(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Nothing is lost but the memory of later visits.
  }
}
