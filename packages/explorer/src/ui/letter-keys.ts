import { readStored, store } from "./stored.js";

/** The name under which the browser stores that letters are no shortcuts. */
const KEY = "gridlock-letters";

/** Returns whether letters and digits are shortcuts. Speech input and some keyboards need them off. */
export function lettersAreKeys(): boolean {
  return readStored(KEY) !== "off";
}

/** Switches the shortcuts of letters and digits on or off, for later visits too. */
export function setLettersAreKeys(on: boolean): void {
  store(KEY, on ? undefined : "off");
}
