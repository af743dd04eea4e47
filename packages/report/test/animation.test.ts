import { type Board, type Direction, formatBoard, parseBoard, place, slide } from "@gridlock/game";
import fc from "fast-check";
import { expect, it } from "vitest";
import { drawPlay } from "../src/index.js";

const PITCH = 70;

interface Look {
  readonly at: number;
  readonly opacity: number;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Reads the pieces of an animation: each one's tile and keyframes. */
function piecesOf(svg: string): { tile: number; looks: Look[] }[] {
  return [...svg.matchAll(/<g id="(t\d+)".*class="tile">(\d+)<\/text>/g)].map(([, id, tile]) => {
    const [, frames = ""] = new RegExp(`@keyframes ${id}\\{(.*?\\})\\}`).exec(svg) ?? [];
    const looks = [
      ...frames.matchAll(
        /([\d.]+)%\{opacity:(\d);transform:translate\(([\d.]+)px,([\d.]+)px\) scale\(([\d.]+)\)\}/g,
      ),
    ].map((match) => {
      const [at, opacity, x, y, scale] = match.slice(1).map(Number);
      return { at, opacity, x, y, scale } as Look;
    });
    return { tile: Number(tile), looks };
  });
}

/** Returns the look of a piece at a time, as a browser interpolates it. */
function lookAt(looks: readonly Look[], at: number): Look {
  const after = looks.findIndex((look) => look.at >= at);
  const to = looks[after] as Look;
  const from = looks[Math.max(0, after - 1)] as Look;
  const part = to.at === from.at ? 1 : (at - from.at) / (to.at - from.at);
  const between = (of: (look: Look) => number) => of(from) + part * (of(to) - of(from));
  return {
    at,
    opacity: between(({ opacity }) => opacity),
    x: between(({ x }) => x),
    y: between(({ y }) => y),
    scale: between(({ scale }) => scale),
  };
}

/** Returns the boards that an animation shows while nothing moves, each once. */
function boardsOf(svg: string, { rows, cols }: { rows: number; cols: number }): string[] {
  const pieces = piecesOf(svg);
  const shown: string[] = [];
  for (let at = 0; at <= 100; at += 0.1) {
    const looks = pieces.map(({ tile, looks }) => ({ tile, ...lookAt(looks, at) }));
    const visible = looks.filter(({ opacity }) => opacity > 0);
    const cells: number[] = new Array(rows * cols).fill(0);
    const rests = visible.every(({ tile, opacity, x, y, scale }) => {
      const col = (x - 48) / PITCH;
      const row = (y - 48) / PITCH;
      const isFree = cells[row * cols + col] === 0;
      cells[row * cols + col] = tile;
      return (
        opacity === 1 && scale === 1 && isFree && Number.isInteger(col) && Number.isInteger(row)
      );
    });
    const board = formatBoard({ rows, cols, cells });
    if (rests && shown.at(-1) !== board) shown.push(board);
  }
  return shown;
}

/** Plays a game, and returns every board of it, after slides too. */
function play(start: Board, moves: Parameters<typeof drawPlay>[0]["moves"]) {
  const boards = [start];
  let score = 0;
  for (const move of moves) {
    const board = boards.at(-1) as Board;
    if ("tile" in move) boards.push(place(board, move.cell, move.tile).board);
    else {
      const slid = slide(board, move.direction);
      if (slid === undefined)
        throw new Error(`${formatBoard(board)} cannot slide ${move.direction}`);
      boards.push(slid.board);
      score += slid.score;
    }
  }
  return { boards: boards.map((board) => formatBoard(board)), score };
}

const draw = (start: Board, moves: Parameters<typeof drawPlay>[0]["moves"]) =>
  drawPlay({ title: "a < b", start, moves, notes: ["so & so"] });

it("shows the boards of a game by the rules, one after the other, and its score", () => {
  const anyGame = fc.record({
    shape: fc.constantFrom("2 2/0 0", "2 0 0/0 4 0", "0 0 2/0 0 0/4 0 0", "2 2 2/2 2 2/2 2 2"),
    choices: fc.array(fc.nat(), { minLength: 2, maxLength: 16 }),
  });
  fc.assert(
    fc.property(anyGame, ({ shape, choices }) => {
      const { board: start } = parseBoard(shape);
      const moves: Parameters<typeof drawPlay>[0]["moves"][number][] = [];
      let board = start;
      for (const [i, choice] of choices.entries()) {
        if (i % 2 === 0) {
          const slides = (["up", "left", "down", "right"] as Direction[]).flatMap(
            (direction) => slide(board, direction) ?? [],
          );
          const slid = slides[choice % slides.length];
          if (slid === undefined) break;
          moves.push({ direction: slid.direction });
          board = slid.board;
        } else {
          const empty = board.cells.flatMap((tile, cell) => (tile === 0 ? [cell] : []));
          const cell = empty[choice % empty.length] as number;
          const tile = choice % 3 === 0 ? 4 : 2;
          moves.push({ cell, tile });
          ({ board } = place(board, cell, tile));
        }
      }
      const svg = draw(start, moves);
      const { boards, score } = play(start, moves);
      expect(boardsOf(svg, start)).toEqual(boards);
      // Without animation, the end of the game and its score remain.
      const last = [...svg.matchAll(/opacity="1".*class="tile">(\d+)</g)].map(([, tile]) => tile);
      expect(last.sort()).toEqual(
        board.cells
          .filter((tile) => tile !== 0)
          .map(String)
          .sort(),
      );
      expect(svg).toMatch(new RegExp(`class="score" opacity="1">${score}</text>`));
    }),
    { numRuns: 40 },
  );
});

it("has a title, escapes texts, and moves only for readers who allow motion", () => {
  const { board } = parseBoard("2 2/0 0");
  const svg = draw(board, [{ direction: "left" }, { tile: 2, cell: 3 }]);
  expect(svg).toContain("<title>a &lt; b</title>");
  expect(svg).toContain("<desc>slide left, a 2 is placed</desc>");
  expect(svg).toContain("so &amp; so");
  expect(svg).toContain("the slider slides left: +4");
  expect(svg).toContain("@media (prefers-color-scheme:dark)");
  const [, animation = ""] = svg.split("@media (prefers-reduced-motion:no-preference){");
  expect(animation).toContain("infinite");
  expect(svg.replace(animation, "")).not.toMatch(/animation|<animate|keyframes/);
});
