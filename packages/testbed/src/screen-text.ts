const ESCAPE = "\u001b";
/** A sequence that controls a terminal, or a character. */
const ITEM = new RegExp(`${ESCAPE}\\[(\\??)([\\d;]*)([A-Za-z])|[\\s\\S]`, "gu");
/** The beginning of a sequence at the end of a text. */
const UNFINISHED = new RegExp(`${ESCAPE}(\\[\\??[\\d;]*)?$`);

/** The text on the screen of a terminal: interprets the few sequences that the command uses, and fails on others. */
export class ScreenText {
  #lines: string[][] = [];
  #row = 0;
  #column = 0;
  #wraps = true;
  #columns: number;
  #unfinished = "";
  /** The lines of the main screen, while the other one is shown. */
  #main: string[][] | undefined;
  #isCursorShown = true;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** The text, without blanks at the ends of lines and without empty lines at the end. */
  get text(): string {
    return this.#lines
      .map((line) => line.join("").trimEnd())
      .join("\n")
      .trimEnd();
  }

  get isCursorShown(): boolean {
    return this.#isCursorShown;
  }

  /** True while the screen of programs such as editors is shown, which leaves the main one as it was. */
  get isOther(): boolean {
    return this.#main !== undefined;
  }

  resize(columns: number): void {
    this.#columns = columns;
  }

  write(text: string): void {
    const all = this.#unfinished + text;
    this.#unfinished = UNFINISHED.exec(all)?.[0] ?? "";
    const items = all.slice(0, all.length - this.#unfinished.length).matchAll(ITEM);
    for (const [item, question, numbers, letter] of items) {
      if (letter === undefined) this.#put(item);
      else if (question) this.#setMode(Number(numbers), letter === "h");
      else this.#control(letter, Number((numbers ?? "").split(";")[0]));
    }
  }

  #put(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#row++;
    else if (character >= " ") {
      if (this.#column >= this.#columns) {
        if (this.#wraps) [this.#row, this.#column] = [this.#row + 1, 0];
        else this.#column = this.#columns - 1;
      }
      const line = this.#line();
      while (line.length < this.#column) line.push(" ");
      line[this.#column++] = character;
    }
  }

  #line(): string[] {
    while (this.#lines.length <= this.#row) this.#lines.push([]);
    return this.#lines[this.#row] as string[];
  }

  #setMode(mode: number, isSet: boolean): void {
    if (mode === 7) this.#wraps = isSet;
    else if (mode === 25) this.#isCursorShown = isSet;
    else if (mode === 1049) {
      if (isSet) this.#main = this.#lines;
      this.#lines = isSet ? [] : (this.#main ?? this.#lines);
      if (!isSet) this.#main = undefined;
      [this.#row, this.#column] = [this.#lines.length, 0];
    } else throw new RangeError(`the mode ${mode} of a terminal is not known here`);
  }

  #control(letter: string, number: number): void {
    if (letter === "H") [this.#row, this.#column] = [Math.max(number - 1, 0), 0];
    else if (letter === "G") this.#column = Math.max(number - 1, 0);
    else if (letter === "A") this.#row = Math.max(0, this.#row - Math.max(number, 1));
    else if (letter === "K")
      this.#line().length = number === 2 ? 0 : Math.min(this.#column, this.#line().length);
    else if (letter === "J") {
      this.#line().length = Math.min(this.#column, this.#line().length);
      this.#lines.length = this.#row + 1;
    } else if (letter !== "m") throw new RangeError(`the sequence ${letter} is not known here`);
  }
}
