import { type Board, type Direction, formatBoard, parseBoard, place, slide } from "@gridlock/game";
import fc from "fast-check";
import { expect, it } from "vitest";
import { drawPlay } from "../src/index.js";

const PITCH = 70;

type Moves = Parameters<typeof drawPlay>[0]["moves"];

const draw = (start: Board, moves: Moves) =>
  drawPlay({ title: "a < b", start, moves, notes: ["so & so"] });

/** Returns the frames of an animation, with their boards, scores, visibility, and times. */
function framesOf(svg: string, { rows, cols }: { rows: number; cols: number }) {
  const frames = svg.matchAll(/<g id="(f\d+)" class="frame" visibility="(\w+)">(.*)<\/g>/g);
  return [...frames].map(([, id, visibility, content = ""]) => {
    const cells: number[] = new Array(rows * cols).fill(0);
    for (const [, tile, x, y] of content.matchAll(/href="#t(\d+)" x="(\d+)" y="(\d+)"/g)) {
      cells[(cols * (Number(y) - 48) + Number(x) - 48) / PITCH] = Number(tile);
    }
    const score = Number(/class="score">(\d+)</.exec(content)?.[1]);
    const delay = Number(new RegExp(`#${id}\\{animation-delay:([\\d.]+)s`).exec(svg)?.[1]);
    return { board: formatBoard({ rows, cols, cells }), score, visibility, delay };
  });
}

it("shows the boards of a game by the rules, one after the other, and its score", () => {
  const anyGame = fc.record({
    shape: fc.constantFrom("2 2/0 0", "2 0 0/0 4 0", "0 0 2/0 0 0/4 0 0", "2 2 2/2 2 2/2 2 2"),
    choices: fc.array(fc.nat(), { minLength: 2, maxLength: 16 }),
  });
  fc.assert(
    fc.property(anyGame, ({ shape, choices }) => {
      const { board: start } = parseBoard(shape);
      const moves: Moves[number][] = [];
      let [board, score] = [start, 0];
      const expected = [{ board: formatBoard(board), score }];
      for (const [i, choice] of choices.entries()) {
        if (i % 2 === 0) {
          const slides = (["up", "left", "down", "right"] as Direction[]).flatMap(
            (direction) => slide(board, direction) ?? [],
          );
          const slid = slides[choice % slides.length];
          if (slid === undefined) break;
          moves.push({ direction: slid.direction });
          board = slid.board;
          score += slid.score;
        } else {
          const empty = board.cells.flatMap((tile, cell) => (tile === 0 ? [cell] : []));
          const cell = empty[choice % empty.length] as number;
          const tile = choice % 3 === 0 ? 4 : 2;
          moves.push({ cell, tile });
          ({ board } = place(board, cell, tile));
        }
        expected.push({ board: formatBoard(board), score });
      }
      const svg = draw(start, moves);
      const frames = framesOf(svg, start);
      expect(frames).toMatchObject(expected);
      // Without animation, the end of the game and its score remain.
      const hidden = expected.slice(1).map(() => "hidden");
      expect(frames.map(({ visibility }) => visibility)).toEqual([...hidden, "visible"]);
      // Each is shown until the next one, and the last one until the first.
      const [, seconds = "", part = ""] =
        /animation:frame ([\d.]+)s .*@keyframes last\{0%\{visibility:visible\}([\d.]+)%/.exec(
          svg,
        ) ?? [];
      const [, step = ""] = /@keyframes frame\{0%\{visibility:visible\}([\d.]+)%/.exec(svg) ?? [];
      const starts = frames.map(({ delay }) => delay);
      const ends = [...starts.slice(1), Number(seconds)];
      frames.forEach((_, i) => {
        const shown = (Number(i === frames.length - 1 ? part : step) / 100) * Number(seconds);
        expect((starts[i] as number) + shown).toBeCloseTo(ends[i] as number, 2);
      });
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
  expect(() => draw(board, [{ direction: "up" }])).toThrow("no tile can slide up");
});
