import { cellCount, opponent, parseShape, type Turn } from "@gridlock/game";
import { type Entry, type Flag, Grid, type Symmetry, TranspositionTable } from "@gridlock/lab";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const GAME_2X2 = { shape: parseShape("2x2"), tiles: [2, 4] } as const;
const GAME_3X3 = { shape: parseShape("3x3"), tiles: [2, 4] } as const;

describe("the transposition table", () => {
  const GRIDS = ["2x2", "2x3", "3x3"].map((name) => {
    const shape = parseShape(name);
    return { shape, grid: new Grid(shape) };
  });
  const anyBoard: fc.Arbitrary<{ grid: Grid; board: number }> = fc
    .constantFrom(...GRIDS)
    .chain(({ shape, grid }) => {
      const count = cellCount(shape);
      return fc
        .array(fc.constantFrom(0, 0, 2, 4, 8), { minLength: count, maxLength: count })
        .map((cells) => ({ grid, board: grid.encode({ ...shape, cells }) }));
    });
  const anyLesson = fc.record({
    flag: fc.constantFrom<Flag>("exact", "lower", "upper"),
    value: fc.nat(20_000),
    depth: fc.oneof(fc.nat(300), fc.constant(2 ** 29 - 2), fc.constant(Number.POSITIVE_INFINITY)),
    complete: fc.boolean(),
    best: fc.nat(11 ** 9 - 1),
  });
  const anyTurn = fc.constantFrom<Turn>("slider", "placer");

  it.each<[Symmetry, (images: number[]) => number[]]>([
    ["plain", (images) => images.slice(0, 1)],
    ["all-images", (images) => images],
    ["on-reading", (images) => images],
  ])("%s finds stored entries from the expected images", (symmetry, foundFrom) => {
    fc.assert(
      fc.property(anyBoard, anyTurn, anyLesson, ({ grid, board }, turn, lesson) => {
        const table = new TranspositionTable(grid, symmetry);
        const images = [...new Set(grid.images(board))];
        const other = opponent(turn);
        table.store(turn, { board, ...lesson });
        expect(table.size).toBe(symmetry === "all-images" ? images.length : 1);
        const found = foundFrom(images);
        for (const image of images) {
          const entry = table.find(image, turn);
          expect(table.find(image, other)).toBeUndefined();
          if (!found.includes(image)) expect(entry).toBeUndefined();
          // With `on-reading`, the search continues with the stored board.
          else
            expect(entry).toEqual({
              board: symmetry === "on-reading" ? board : image,
              ...lesson,
            });
        }
      }),
    );
  });

  it.each<Symmetry>(["plain", "all-images", "on-reading"])(
    "%s keeps the latest entry of a board",
    (symmetry) => {
      fc.assert(
        fc.property(
          anyBoard,
          anyLesson,
          anyLesson,
          fc.nat(7),
          ({ grid, board }, first, second, n) => {
            const table = new TranspositionTable(grid, symmetry);
            const images = [...grid.images(board)];
            const image = symmetry === "plain" ? board : (images[n % images.length] as number);
            table.store("slider", { board, ...first });
            const { size } = table;
            table.store("slider", { board: image, ...second });
            expect(table.size).toBe(size);
            expect(table.find(image, "slider")).toEqual({ board: image, ...second });
            expect(table.find(board, "slider")).toMatchObject(second);
          },
        ),
      );
    },
  );

  it("grows and never forgets, with both players' boards apart", () => {
    const grid = new Grid(GAME_3X3.shape);
    const table = new TranspositionTable(grid, "plain");
    const entry = (board: number, turn: Turn): Entry => ({
      board,
      flag: turn === "slider" ? "lower" : "upper",
      value: board % 1000,
      depth: board % 7 === 0 ? Number.POSITIVE_INFINITY : board % 100,
      complete: board % 3 === 0,
      best: board + 1,
    });
    const turns: Turn[] = ["slider", "placer"];
    for (let board = 0; board < 20_000; board++) {
      for (const turn of turns) table.store(turn, entry(board, turn));
    }
    expect(table.size).toBe(40_000);
    const wrong: Entry[] = [];
    for (let board = 0; board < 20_000; board++) {
      for (const turn of turns) {
        const expected = entry(board, turn);
        const found = table.find(board, turn);
        const same = (Object.keys(expected) as (keyof Entry)[]).every(
          (column) => found?.[column] === expected[column],
        );
        if (!same) wrong.push(expected);
      }
    }
    expect(wrong).toEqual([]);
    expect(table.find(20_000, "slider")).toBeUndefined();
  });

  it("is empty at first", () => {
    const table = new TranspositionTable(new Grid(GAME_2X2.shape), "on-reading");
    expect(table.size).toBe(0);
    expect(table.find(0, "slider")).toBeUndefined();
  });
});
