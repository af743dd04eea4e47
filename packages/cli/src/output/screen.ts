/** Lines between two sections. */
const GAP = 1;
/** Fewest lines of a section that is cut: its heading or first line, and the number of lines left out. */
const LEAST = 2;

/** The size of a terminal. */
export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** Returns the size of the terminal; a common one for those that do not report theirs, or report 0. */
export function screenSize(): ScreenSize {
  return { rows: process.stdout.rows || 24, columns: process.stdout.columns || 80 };
}

/**
 * Cuts sections so that they fit onto a screen together, with one row left for the cursor. The first
 * section is kept whole; the others share what is left, and the last line of one that is cut says how
 * many lines are missing. Lines that are too long are cut too.
 */
export function fitted(sections: readonly string[], { rows, columns }: ScreenSize): string {
  const all = sections.map((section) => section.split("\n"));
  const [first = [], ...others] = all;
  let left = rows - 1 - first.length - GAP * others.length;
  // The shortest take what they need, so that the longest share the rest.
  const ascending = others
    .map((lines, i) => ({ lines, i }))
    .sort((a, b) => a.lines.length - b.lines.length);
  const shown: string[][] = [first];
  ascending.forEach(({ lines, i }, turn) => {
    const share = Math.max(LEAST, Math.floor(left / (ascending.length - turn)));
    const kept = cut(lines, share);
    shown[i + 1] = kept;
    left -= kept.length;
  });
  const lines = shown
    .map((section) => section.join("\n"))
    .join("\n".repeat(GAP + 1))
    .split("\n");
  return lines
    .slice(0, rows - 1)
    .map((line) => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line))
    .join("\n");
}

function cut(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  const kept = lines.slice(0, most - 1);
  return [...kept, `… ${lines.length - kept.length} more`];
}
