import type { Direction } from "@gridlock/game";
import { useEffect, useRef } from "preact/hooks";
import { readStored, store } from "./stored.js";

/** Actions by key, told if the key is held down. Returning `false` leaves it to the browser. */
export type Keys = Readonly<Record<string, (held: boolean) => unknown>>;

/** Elements that need most keys for themselves. */
const TYPING = "input:not([type=checkbox], [type=range]), select, textarea, dialog";
/** Elements that Space and Enter activate. */
const ACTIVE = "a[href], button, summary, input:not([type=range]), [role=button]";

/** Listens to keys everywhere on the page, but where the reader types. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as Element;
      if (target.closest(TYPING)) return;
      if ((event.key === " " || event.key === "Enter") && target.closest(ACTIVE)) return;
      if (event.key.startsWith("Arrow") && target.closest("input")) return;
      if (/^[\p{L}\p{N}]$/u.test(event.key) && !lettersAreKeys()) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const action = current.current[key];
      if (action !== undefined && action(event.repeat) !== false) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

const SLIDE_KEYS = {
  ...({ ArrowUp: "up", ArrowLeft: "left", ArrowDown: "down", ArrowRight: "right" } as const),
  ...({ w: "up", a: "left", s: "down", d: "right" } as const),
};

/** The keys that slide: arrows and WASD. */
export function slideKeys(
  onSlide: (direction: Direction, key: string, held: boolean) => unknown,
): Keys {
  const entries = Object.entries(SLIDE_KEYS);
  return Object.fromEntries(
    entries.map(([key, name]) => [key, (held: boolean) => onSlide(name, key, held)]),
  );
}

/** The name under which the browser stores that letters are no shortcuts. */
const LETTERS = "gridlock-letters";

/**
 * Returns whether letters and digits are shortcuts. Speech input and some keyboards need them off.
 */
export function lettersAreKeys(): boolean {
  return readStored(LETTERS) !== "off";
}

/** Switches the shortcuts of letters and digits on or off, for later visits too. */
export function setLettersAreKeys(on: boolean): void {
  store(LETTERS, on ? undefined : "off");
}
