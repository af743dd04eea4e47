import {
  type Board,
  DIRECTIONS,
  type Direction,
  formatBoard,
  linesToward,
  parseBoard,
  parseShape,
  sameBoard,
  slides,
} from "@gridlock/game";
import { Grid, LBHSV_FORMS, Lbhsv, type LbhsvForm, slideAndRemove } from "@gridlock/lab";
import { FALSE_BOUNDS } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valuesOf } from "./values.js";

const PRINTED: readonly LbhsvForm[] = ["printed", "printed-runs"];
const SOUND: readonly LbhsvForm[] = ["sound", "sound-behind"];

function game(name: string) {
  return { shape: parseShape(name), tiles: [2, 4] } as const;
}

/** Generates boards of a shape on which much merges. */
function anyBoard(name: string, largest: number): fc.Arbitrary<Board> {
  const { rows, cols } = parseShape(name);
  return fc
    .array(
      fc.oneof(
        fc.constantFrom(0, 2, 4),
        fc.nat(largest).map((k) => (k === 0 ? 0 : 2 ** k)),
      ),
      { minLength: rows * cols, maxLength: rows * cols },
    )
    .map((cells) => ({ rows, cols, cells }));
}

/** Runs Algorithm 2's HSearch on plain boards. */
function plainSearch(form: LbhsvForm, board: Board): number {
  let best = 0;
  for (const direction of DIRECTIONS) {
    const { board: after, score } = plainSlide(form, board, direction);
    if (score > 0 && !sameBoard(after, board)) {
      best = Math.max(best, score + plainSearch(form, after));
    }
  }
  return best;
}

function plainSlide(form: LbhsvForm, board: Board, direction: Direction) {
  const cells = [...board.cells];
  let score = 0;
  for (const line of linesToward(board, direction)) {
    const slid = slideAndRemove(
      form,
      line.map((cell) => board.cells[cell] as number),
    );
    score += slid.score;
    line.forEach((cell, i) => {
      cells[cell] = slid.line[i] as number;
    });
  }
  return { board: { ...board, cells }, score };
}

describe("slide&remove", () => {
  // The remaining line in the printed forms, and in the sound ones; the points without merges
  // behind the first empty cell, and with them.
  it.each([
    { line: [2, 2, 4, 4], printed: [4, 8, 0, 0], sound: [4, 8, 0, 0], run: 12, behind: 12 },
    { line: [2, 4, 8, 16], printed: [2, 4, 8, 16], sound: [2, 4, 8, 16], run: 0, behind: 0 },
    { line: [0, 0, 0, 0], printed: [0, 0, 0, 0], sound: [0, 0, 0, 0], run: 0, behind: 0 },
    // The 2 before the empty cell may merge with a 2 placed behind it.
    { line: [2, 0, 2, 4], printed: [2, 0, 0, 0], sound: [0, 0, 0, 0], run: 0, behind: 0 },
    { line: [8, 2, 0, 0], printed: [8, 2, 0, 0], sound: [8, 0, 0, 0], run: 0, behind: 0 },
    // A tile that has just merged may not.
    { line: [2, 2, 0, 0], printed: [4, 0, 0, 0], sound: [4, 0, 0, 0], run: 4, behind: 4 },
    { line: [4, 2, 2, 0], printed: [4, 4, 0, 0], sound: [4, 4, 0, 0], run: 4, behind: 4 },
    // The third of three equal tiles has not merged.
    { line: [2, 2, 2, 0], printed: [4, 2, 0, 0], sound: [4, 0, 0, 0], run: 4, behind: 4 },
    { line: [4, 4, 8, 0], printed: [8, 8, 0, 0], sound: [8, 0, 0, 0], run: 8, behind: 8 },
    // Behind the empty cell only neighbours merge, each once.
    { line: [0, 2, 2, 0], printed: [0, 0, 0, 0], sound: [0, 0, 0, 0], run: 0, behind: 4 },
    { line: [0, 4, 4, 4], printed: [0, 0, 0, 0], sound: [0, 0, 0, 0], run: 0, behind: 8 },
    { line: [0, 2, 0, 2], printed: [0, 0, 0, 0], sound: [0, 0, 0, 0], run: 0, behind: 0 },
    { line: [0, 2, 4, 8], printed: [0, 0, 0, 0], sound: [0, 0, 0, 0], run: 0, behind: 0 },
    { line: [8, 0, 8, 8], printed: [8, 0, 0, 0], sound: [0, 0, 0, 0], run: 0, behind: 16 },
    {
      line: [2, 2, 0, 4, 4, 8, 8],
      printed: [4, 0, 0, 0, 0, 0, 0],
      sound: [4, 0, 0, 0, 0, 0, 0],
      run: 4,
      behind: 28,
    },
  ])("of $line leaves $printed, if sound $sound", ({ line, printed, sound, run, behind }) => {
    expect(slideAndRemove("printed", line)).toEqual({ line: printed, score: behind });
    expect(slideAndRemove("printed-runs", line)).toEqual({ line: printed, score: run });
    expect(slideAndRemove("sound", line)).toEqual({ line: sound, score: run });
    expect(slideAndRemove("sound-behind", line)).toEqual({ line: sound, score: behind });
  });
});

describe.each(["2x2", "2x3"])("compared with the value of every afterstate of %s", (name) => {
  const { grid, positions, afterstates } = valuesOf(game(name));

  it.each(SOUND)("the %s form is a lower bound, and often the value", (form) => {
    const lbhsv = new Lbhsv(grid, form);
    let exact = 0;
    const over: string[] = [];
    for (const [code, value] of afterstates) {
      const bound = lbhsv.afterstate(code);
      if (bound > value) over.push(`${formatBoard(grid.decode(code), "placer")}: ${bound}`);
      if (bound === value) exact++;
    }
    for (const [code, value] of positions) {
      const bound = lbhsv.position(code);
      if (bound > value) over.push(`${formatBoard(grid.decode(code), "slider")}: ${bound}`);
    }
    expect(over).toEqual([]);
    expect(exact).toBeGreaterThan(afterstates.size / 3);
  });

  it.each(PRINTED)("the %s form exceeds a few values", (form) => {
    const lbhsv = new Lbhsv(grid, form);
    const excess = [...afterstates]
      .map(([code, value]) => lbhsv.afterstate(code) - value)
      .filter((points) => points > 0);
    expect(excess).toHaveLength(name === "2x2" ? 0 : 4);
    expect(Math.max(0, ...excess)).toBe(name === "2x2" ? 0 : 48);
  });
});

describe("of 8 2 4/16 2 0", () => {
  const { grid, afterstates } = valuesOf(game("2x3"));
  const code = grid.encode(parseBoard("8 2 4/16 2 0 placer").board);

  it("the value is 12", () => {
    expect(afterstates.get(grid.canonical(code))).toBe(12);
  });

  it.each(PRINTED)("the %s form claims 60", (form) => {
    expect(new Lbhsv(grid, form).afterstate(code)).toBe(60);
  });

  it.each(SOUND)("the %s form claims no more than 12", (form) => {
    expect(new Lbhsv(grid, form).afterstate(code)).toBeLessThanOrEqual(12);
  });
});

describe("the sound forms", () => {
  /** One grid for each shape: that of 2×5 takes seconds to make. */
  const grids = new Map<string, Grid>();

  it.each(FALSE_BOUNDS)("of %s claim less than %i", (text, points) => {
    const { board } = parseBoard(`${text} placer`);
    const shape = `${board.rows}x${board.cols}`;
    const grid = grids.get(shape) ?? new Grid(board);
    grids.set(shape, grid);
    for (const form of SOUND) {
      expect(new Lbhsv(grid, form).afterstate(grid.encode(board))).toBeLessThan(points);
    }
  });
});

describe.each(LBHSV_FORMS)("Algorithm 2, %s", (form) => {
  const boards = anyBoard("3x3", 8);
  const grid = new Grid(parseShape("3x3"));

  it("is HSearch over plain boards", () => {
    const lbhsv = new Lbhsv(grid, form);
    fc.assert(
      fc.property(boards, (board) => {
        expect(lbhsv.afterstate(grid.encode(board))).toBe(plainSearch(form, board));
      }),
    );
  });

  it("of a position is that of its best slide", () => {
    const lbhsv = new Lbhsv(grid, form);
    fc.assert(
      fc.property(boards, (board) => {
        const worths = slides(board).map((s) => s.score + plainSearch(form, s.board));
        expect(lbhsv.position(grid.encode(board))).toBe(Math.max(0, ...worths));
      }),
    );
  });

  it("rests on slides that each earn points and together earn the value", () => {
    for (const table of ["off", "filled"] as const) {
      const lbhsv = new Lbhsv(grid, form, table);
      fc.assert(
        fc.property(boards, (board) => {
          const code = grid.encode(board);
          let earned = 0;
          for (const { score } of lbhsv.plan(code)) {
            expect(score).toBeGreaterThan(0);
            earned += score;
          }
          expect(earned).toBe(lbhsv.afterstate(code));
        }),
      );
    }
  });

  it("is the same for all images", () => {
    const lbhsv = new Lbhsv(grid, form);
    fc.assert(
      fc.property(boards, (board) => {
        const values = [...grid.images(grid.encode(board))].map((code) => lbhsv.afterstate(code));
        expect(new Set(values).size).toBe(1);
      }),
    );
  });
});

describe.each(LBHSV_FORMS)("a table of values, %s", (form) => {
  const grid = new Grid(parseShape("2x3"));
  const off = new Lbhsv(grid, form, "off");
  const filled = new Lbhsv(grid, form, "filled");
  const small = new Lbhsv(grid, form, { largest: 8 });

  it("returns the computed values, the first time and later", () => {
    fc.assert(
      fc.property(anyBoard("2x3", 6), (board) => {
        const code = grid.encode(board);
        const value = off.afterstate(code);
        expect(filled.afterstate(code)).toBe(value);
        expect(filled.afterstate(code)).toBe(value);
        expect(filled.position(code)).toBe(off.position(code));
        const inTable = Math.max(...board.cells) <= 8;
        expect(small.afterstate(code)).toBe(inTable ? value : 0);
      }),
    );
  });

  it("is empty, or has the requested boards, or all boards of its tiles", () => {
    expect(off.size).toBe(0);
    expect(small.size).toBe(4 ** 6);
    const fresh = new Lbhsv(grid, form, "filled");
    expect(fresh.size).toBe(0);
    fresh.afterstate(grid.encode(parseBoard("2 2 0/0 0 0 placer").board));
    expect(fresh.size).toBeGreaterThan(0);
  });

  it("computed beforehand lacks larger tiles, and boards with them are worth their score", () => {
    const { board } = parseBoard("16 16 2/4 8 0 placer");
    const code = grid.encode(board);
    expect(off.afterstate(code)).toBeGreaterThanOrEqual(32);
    expect(small.afterstate(code)).toBe(0);
    const { board: position } = parseBoard("8 8 2/4 2 4");
    // Its only slides merge the 8s into a 16.
    expect(slides(position)).toHaveLength(2);
    expect(small.position(grid.encode(position))).toBe(16);
  });
});
