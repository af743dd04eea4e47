import { emitKeypressEvents, type Key } from "node:readline";
import { writeOut } from "./print.js";

/** The size of a terminal. */
export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** Returns the size of the terminal; a common one for those that report no size, or 0. */
function screenSize(): ScreenSize {
  return { rows: process.stdout.rows || 24, columns: process.stdout.columns || 80 };
}

/** Cuts a text so that it fits onto a screen, with one row left for the cursor. */
export function fitted(text: string, { rows, columns }: ScreenSize): string {
  return text
    .split("\n")
    .slice(0, rows - 1)
    .map((line) => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line))
    .join("\n");
}

/** Terminal sequences: the other screen, the cursor, and clearing the rest of a line or screen. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/** Returns whether there is a terminal for a {@link fullScreen}. */
export function hasScreen(): boolean {
  const { stdin, stdout, env } = process;
  const { TERM } = env;
  return stdin.isTTY === true && stdout.isTTY === true && TERM !== "dumb";
}

/**
 * Uses the whole terminal until it is disposed of: its screen shows one text, and its keys arrive
 * one by one.
 *
 * @param draw returns the text for a size of the screen, with as many lines and columns at most
 * @param onKey called with the name of each key: `left`, `w`, `?`, `ctrl-c`, and `ctrl-d` at the
 *   end of the input
 */
export function fullScreen(draw: (size: ScreenSize) => string, onKey: (key: string) => void) {
  const { stdin, stdout } = process;
  let isOpen = true;
  const onKeypress = (text: string | undefined, { name, ctrl }: Key) =>
    onKey(`${ctrl ? "ctrl-" : ""}${name ?? text}`);
  const onEnd = () => onKey("ctrl-d");
  const redraw = () => {
    if (!isOpen) return;
    const text = draw(screenSize()).replaceAll("\n", `${CLEAR_LINE}\n`);
    writeRaw(`${HOME}${text}${CLEAR_LINE}${CLEAR_BELOW}`);
  };
  const restore = () => {
    if (!isOpen) return;
    isOpen = false;
    process.off("exit", restore);
    stdout.off("resize", redraw);
    stdin.off("keypress", onKeypress).off("end", onEnd);
    stdin.setRawMode(false).pause();
    writeRaw(LEAVE);
  };
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on("keypress", onKeypress).on("end", onEnd);
  stdout.on("resize", redraw);
  process.on("exit", restore);
  writeRaw(ENTER);
  stdin.resume();
  return {
    /** Shows the text anew. */
    draw: redraw,
    /** Restores the terminal; a second call does nothing. */
    [Symbol.dispose]: restore,
  };
}

function writeRaw(text: string): void {
  writeOut(Buffer.from(text));
}
