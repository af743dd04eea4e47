/** Milliseconds that a line may wait for more to be written with it. */
const FLUSH_MS = 20;

/** Writes lines to standard output, many together when they come fast. */
export class LineWriter {
  #pending: string[] = [];
  #lastWrite = 0;

  async write(line: string): Promise<void> {
    this.#pending.push(line);
    if (this.#pending.length >= 256 || this.#lastWrite + FLUSH_MS < performance.now()) {
      await this.end();
    }
  }

  /** Writes what is pending, and waits when the reader is slower than we are. */
  async end(): Promise<void> {
    this.#lastWrite = performance.now();
    if (this.#pending.length === 0 || process.stdout.destroyed) return;
    const text = `${this.#pending.join("\n")}\n`;
    this.#pending = [];
    if (!process.stdout.write(text)) {
      await new Promise<void>((resume) => {
        const goOn = () => {
          process.stdout.off("drain", goOn).off("close", goOn);
          resume();
        };
        process.stdout.on("drain", goOn).on("close", goOn);
      });
    }
  }
}
