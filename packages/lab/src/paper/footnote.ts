import { formatBoard, type Game } from "@gridlock/game";
import type { PaperLowerBoundOutput } from "@gridlock/schemas";
import { enumerate } from "../enumeration/layers.js";
import { PaperSearch } from "./search.js";
import { BASELINE, type Techniques } from "./techniques.js";

/** The number of times that a search one move deeper finds fewer points. */
type FootnoteReport = PaperLowerBoundOutput["footnotes"][number];

/** All positions of a game, every depth up to `deepest`, and one kind of static value. */
interface FootnoteTask {
  readonly game: Game;
  readonly value: Techniques["value"];
  readonly deepest: number;
}

/**
 * Tests the paper's footnote 1, that a deeper search finds no fewer points, on every position. It
 * searches by alpha-beta without a table, so that each backed-up value depends on its own depth
 * alone.
 */
export function tryFootnote({ game, value, deepest }: FootnoteTask): FootnoteReport {
  const search = new PaperSearch(game, { ...BASELINE, value });
  const { grid, layers } = enumerate(game);
  let pairs = 0;
  let decreases = 0;
  let example: FootnoteReport["example"];
  for (const { positions } of layers) {
    for (const code of positions) {
      const board = grid.decode(code);
      const values: number[] = [];
      for (let depth = 0; depth <= deepest; depth++) {
        values.push(search.run({ board, turn: "slider" }, depth).value as number);
      }
      const falls = values.filter((v, d) => d > 0 && v < (values[d - 1] as number)).length;
      pairs += deepest;
      decreases += falls;
      if (falls > 0) example ??= { board: formatBoard(board), values };
    }
  }
  return { value, pairs, decreases, ...(example ? { example } : {}) };
}
