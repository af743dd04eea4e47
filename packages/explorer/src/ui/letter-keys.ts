/** The name under which the browser stores that letters are no shortcuts. */
const KEY = "gridlock-letters";

/** Returns whether letters and digits are shortcuts. Speech input and some keyboards need them off. */
export function lettersAreKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

/** Switches the shortcuts of letters and digits on or off, for later visits too. */
export function setLettersAreKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // A browser that stores nothing keeps them on.
  }
}
