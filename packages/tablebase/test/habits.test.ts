import {
  type Board,
  canonical,
  type PackedBoard,
  packBoard,
  placements,
  type Slide,
  slides,
  starts,
  type Tiles,
  tileSum,
} from "@gridlock/game";
import { type Survey, survey, tabulate } from "@gridlock/tablebase";
import { describe, expect, it } from "vitest";
import { files, game, opened } from "./setup.js";

const options = { threads: 1, memory: 2 ** 28 };

/** Values every board that play reaches by the rules alone, and counts what best play does. */
class BruteForce {
  readonly #positions = new Map<PackedBoard, { board: Board; value: number }>();
  readonly #afterstates = new Map<
    PackedBoard,
    { board: Board; value: number; replies: { tile: number; cell: number; value: number }[] }
  >();

  constructor(
    readonly shape: Board | { rows: number; cols: number },
    readonly tiles: Tiles,
  ) {
    for (const start of starts(shape)) this.value(start);
  }

  value(board: Board): number {
    const form = canonical(board);
    const key = packBoard(form);
    const known = this.#positions.get(key);
    if (known) return known.value;
    const value = Math.max(0, ...slides(form).map((slide) => this.worth(slide)));
    this.#positions.set(key, { board: form, value });
    return value;
  }

  worth({ board, score }: Slide): number {
    return score + this.#left(board);
  }

  #left(board: Board): number {
    const form = canonical(board);
    const key = packBoard(form);
    const known = this.#afterstates.get(key);
    if (known) return known.value;
    const replies = placements(form, this.tiles).map(({ tile, cell, board: next }) => ({
      tile,
      cell,
      value: this.value(next),
    }));
    const value = Math.min(...replies.map((reply) => reply.value));
    this.#afterstates.set(key, { board: form, value, replies });
    return value;
  }

  habits() {
    const counts: Record<string, number> = {};
    const add = (name: string, is: boolean) => {
      counts[name] = (counts[name] ?? 0) + Number(is);
    };
    const losses: { board: Board; sliderFirst: number; placerFirst: number }[] = [];
    for (const [key, { board, value }] of this.#positions) {
      const after = this.#afterstates.get(key);
      add("either", after !== undefined);
      const isLoss = after !== undefined && value < after.value;
      add("zugzwangs", isLoss);
      if (isLoss) losses.push({ board, sliderFirst: value, placerFirst: after.value });
      const all = slides(board);
      if (all.length === 0) continue;
      const best = all.filter((slide) => this.worth(slide) === value);
      const most = Math.max(...all.map(({ score }) => score));
      const greedy = all.filter(({ score }) => score === most);
      const some = greedy.some((slide) => best.includes(slide));
      const each = greedy.every((slide) => best.includes(slide));
      add("slidable", true);
      add("mergeable", most > 0);
      add("choice", most > 0 && all.some(({ score }) => score === 0));
      add("quiet", most > 0 && best.every(({ score }) => score === 0));
      add("greedySome", some);
      add("greedyAll", each);
      add("mergingSome", most > 0 && some);
      add("mergingAll", most > 0 && each);
      const { rows, cols, cells } = board;
      const largest = Math.max(...cells);
      const corners = [0, cols - 1, cols * (rows - 1), cols * rows - 1].filter(
        (cell) => cells[cell] === largest,
      );
      const stays = (next: Board) =>
        corners.some((cell) => (next.cells[cell] as number) >= largest);
      const could = all.some((slide) => stays(slide.board));
      add("cornered", corners.length > 0);
      add("couldStay", could);
      const isLeft = could && !best.some((slide) => stays(slide.board));
      add("cornerLeft", isLeft);
      const isLone = cells.filter((tile) => tile === largest).length === 1;
      add("loneCouldStay", could && isLone);
      add("loneLeft", isLeft && isLone);
    }
    for (const { value, replies } of this.#afterstates.values()) {
      const worst = replies.filter((reply) => reply.value === value).map(({ tile }) => tile);
      add("afterstates", true);
      add("decided", worst.length < replies.length);
      add("onlyTwos", !worst.includes(4));
      add("onlyFours", !worst.includes(2));
    }
    return { counts, losses };
  }

  /** Counts placements by a distance, with the worst of them. */
  placements(target: (board: Board, tile: number) => number) {
    const counts = new Map<string, { placements: number; worst: number }>();
    for (const { board, value, replies } of this.#afterstates.values()) {
      for (const { tile, cell, value: next } of replies) {
        const wanted = target(board, tile);
        const at = (of: number) => [Math.floor(of / board.cols), of % board.cols] as const;
        const [row, col] = at(cell);
        const steps = board.cells.flatMap((other, i) => {
          const [otherRow, otherCol] = at(i);
          return other === wanted ? [Math.abs(otherRow - row) + Math.abs(otherCol - col)] : [];
        });
        const key = `${tile} at ${steps.length === 0 ? 0 : Math.min(...steps)}`;
        const count = counts.get(key) ?? { placements: 0, worst: 0 };
        counts.set(key, count);
        count.placements++;
        if (next === value) count.worst++;
      }
    }
    return Object.fromEntries(counts);
  }

  removals() {
    const counts = { valued: 0, lower: 0, same: 0, unreachable: 0 };
    for (const { board, value } of this.#positions.values()) {
      for (const [cell, tile] of board.cells.entries()) {
        if (tile === 0) continue;
        const rest = canonical({ ...board, cells: board.cells.with(cell, 0) });
        const left = this.#positions.get(packBoard(rest))?.value;
        if (left === undefined) counts.unreachable++;
        else counts.valued++;
        if (left !== undefined && left < value) counts.lower++;
        if (left === value) counts.same++;
      }
    }
    return counts;
  }

  /** Counts the boards of perfect play, and finds the end boards. */
  perfect(from: readonly Board[]) {
    const positions = new Map<PackedBoard, Board>();
    const afterstates = new Set<PackedBoard>();
    const walk = (board: Board) => {
      const form = canonical(board);
      if (positions.has(packBoard(form))) return;
      positions.set(packBoard(form), form);
      for (const slide of slides(form)) {
        if (this.worth(slide) !== this.value(form)) continue;
        afterstates.add(packBoard(canonical(slide.board)));
        for (const { board: next } of placements(slide.board, this.tiles)) {
          if (this.value(next) === this.#left(slide.board)) walk(next);
        }
      }
    };
    from.forEach(walk);
    const ends = [...positions.values()].filter((board) => slides(board).length === 0);
    const cornered = ends.filter(({ rows, cols, cells }) =>
      [0, cols - 1, cols * (rows - 1), cols * rows - 1].some(
        (cell) => cells[cell] === Math.max(...cells),
      ),
    );
    return {
      positions: positions.size,
      afterstates: afterstates.size,
      ends: ends.length,
      corner: cornered.length,
    };
  }
}

describe("what best play does", () => {
  it.each([
    ["2x2", [2, 4]],
    ["2x2", [2]],
    ["1x4", [2, 4]],
    ["2x3", [2, 4]],
  ] as [string, Tiles][])("on %s, tiles %j, is what the rules give", async (shape, tiles) => {
    const of = game(shape, tiles);
    const { db } = files(of);
    await tabulate(of, undefined, { ...options, db });
    const found = (await survey(opened(of, ["minimax"], db), options)) as Survey;
    const brute = new BruteForce(of.shape, tiles);
    const { counts, losses } = brute.habits();
    expect(found.habits).toEqual(counts);
    expect(found.removals).toEqual(brute.removals());

    const byDistance = (all: Survey["byLargest"]) =>
      Object.fromEntries(
        all.map(({ tile, distance, placements: count, worst }) => [
          `${tile} at ${distance}`,
          { placements: count, worst },
        ]),
      );
    expect(byDistance(found.byLargest)).toEqual(
      brute.placements((board) => Math.max(...board.cells)),
    );
    expect(byDistance(found.byEqual)).toEqual(brute.placements((_, tile) => tile));

    const lost = losses.map(({ sliderFirst, placerFirst }) => placerFirst - sliderFirst);
    const { largestLoss: largest, smallestZugzwang: smallest } = found;
    expect(largest === undefined).toBe(losses.length === 0);
    if (largest && smallest) {
      expect(largest.placerFirst - largest.sliderFirst).toBe(Math.max(...lost));
      expect(tileSum(smallest.board)).toBe(Math.min(...losses.map(({ board }) => tileSum(board))));
      expect(losses).toContainEqual(largest);
      expect(losses).toContainEqual(smallest);
    }

    const walked = ({ positions, afterstates, ends, endsBy }: Survey["perfect"]) => ({
      positions,
      afterstates,
      ends,
      corner: endsBy.corner,
    });
    expect(walked(found.perfect)).toEqual(brute.perfect(starts(of.shape)));
    expect(found.perfectFrom).toHaveLength(starts(of.shape).length);
    for (const from of found.perfectFrom.filter((_, i) => i % 4 === 0)) {
      expect(walked(from)).toEqual(brute.perfect([from.start]));
    }
  });
});
