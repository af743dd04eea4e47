import { writeOut } from "./stdout.js";

/** Milliseconds that a line may wait for the next ones. */
const WAIT_MS = 20;

/** Writes lines to standard output, many together when they come fast; writes what is pending when disposed of. */
export class LineWriter implements Disposable {
  #pending: string[] = [];
  #lastWrite = 0;

  /** Writes a line now or with the next ones. */
  write(line: string): void {
    this.#pending.push(line);
    if (this.#pending.length >= 256 || this.#lastWrite + WAIT_MS < performance.now()) this.flush();
  }

  /** Writes the pending lines. */
  flush(): void {
    this.#lastWrite = performance.now();
    if (this.#pending.length === 0) return;
    const text = `${this.#pending.join("\n")}\n`;
    this.#pending = [];
    writeOut(text);
  }

  [Symbol.dispose](): void {
    this.flush();
  }
}
