/** Copies a text; returns whether it could: browsers have no clipboard for pages without TLS, and readers may refuse it. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
