import { emitKeypressEvents, type Key } from "node:readline";
import { type ScreenSize, screenSize } from "./screen.js";
import { writeOut } from "./stdout.js";

/** Sequences of a terminal: its other screen, the cursor, and what clears the rest of a line and of the screen. */
const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

/** Returns whether there is a terminal for a {@link FullScreen}. */
export function hasScreen(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** A terminal whose whole screen shows one text and whose keys arrive one by one, until it is disposed of. */
export class FullScreen implements Disposable {
  readonly #draw: (size: ScreenSize) => string;
  readonly #onKeypress: (text: string | undefined, key: Key) => void;
  readonly #onEnd: () => void;
  readonly #redraw = () => this.draw();
  readonly #restore = () => this[Symbol.dispose]();
  #isOpen = true;

  /**
   * @param draw returns the text for a size of the screen, with as many lines and columns at most
   * @param onKey called with the name of each key: `left`, `w`, `?`, `ctrl-c`, and `ctrl-d` at the end of the input
   */
  constructor(draw: (size: ScreenSize) => string, onKey: (key: string) => void) {
    const { stdin, stdout } = process;
    this.#draw = draw;
    this.#onKeypress = (text, { name, ctrl }) => onKey(`${ctrl ? "ctrl-" : ""}${name ?? text}`);
    this.#onEnd = () => onKey("ctrl-d");
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.on("keypress", this.#onKeypress).on("end", this.#onEnd);
    stdout.on("resize", this.#redraw);
    process.on("exit", this.#restore);
    writeRaw(ENTER);
    stdin.resume();
  }

  /** Shows the text anew. */
  draw(): void {
    if (!this.#isOpen) return;
    const text = this.#draw(screenSize()).replaceAll("\n", `${CLEAR_LINE}\n`);
    writeRaw(`${HOME}${text}${CLEAR_LINE}${CLEAR_BELOW}`);
  }

  /** Restores the terminal; a second call does nothing. */
  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.off("exit", this.#restore);
    process.stdout.off("resize", this.#redraw);
    process.stdin.off("keypress", this.#onKeypress).off("end", this.#onEnd);
    process.stdin.setRawMode(false).pause();
    writeRaw(LEAVE);
  }
}

function writeRaw(text: string): void {
  writeOut(Buffer.from(text));
}
