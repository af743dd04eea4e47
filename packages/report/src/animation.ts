import { type Board, type Direction, place, slide } from "@gridlock/game";
import { DARK, drawTile, LIGHT } from "./board-image.js";
import { drawEmptyBoard, MARGIN } from "./empty-board.js";
import { escaped } from "./svg.js";

/** A move of a game: a slide, or a tile placed in a cell. */
type PlayedMove =
  | { readonly direction: Direction }
  | { readonly tile: number; readonly cell: number };

/** A game to be shown as an animation. */
interface ShownGame {
  readonly title: string;
  readonly start: Board;
  readonly moves: readonly PlayedMove[];
  /** Short lines below the score. */
  readonly notes: readonly string[];
}

/** Sizes in pixels. */
const PANEL = 250;
const LINE = 22;

/** Seconds for which each board is shown, and for which the last one remains. */
const SHOWN = 0.6;
const AFTER = 5;

const STYLE = [
  `.paper{fill:#fff}${LIGHT}.score{font-size:44px;font-weight:bold}.move{font-size:16px}.note{font-size:14px}`,
  ".score,.move{fill:#1f2328}.note{fill:#59636e}",
  `${DARK}@media (prefers-color-scheme:dark){.paper{fill:#0d1117}.score,.move{fill:#e6edf3}.note{fill:#9198a1}}`,
].join("");

/**
 * Draws a game as an animated SVG that repeats for ever: one board after the other, beside the
 * score and the last move. For readers who prefer reduced motion, and in viewers without animation,
 * it shows the end of the game.
 */
export function drawPlay({ title, start, moves, notes }: ShownGame): string {
  const empty = drawEmptyBoard(start);
  const [width, height] = [empty.width + PANEL + 2 * MARGIN, empty.height + 2 * MARGIN];
  const top = MARGIN + 44;
  const text = (kind: string, y: number, content: string) =>
    `<text x="${empty.width + MARGIN + 22}" y="${y}" class="${kind}">${escaped(content)}</text>`;
  const frames = playMoves(start, moves);
  const tiles = new Set(frames.flatMap(({ board }) => board.cells.filter((tile) => tile > 0)));
  const drawn = frames.map(({ board, score, caption }, i) => {
    const uses = board.cells.map((tile, cell) => {
      const { x, y } = empty.centre(cell);
      return tile === 0 ? "" : `<use href="#t${tile}" x="${x}" y="${y}"/>`;
    });
    const words = text("score", top, String(score)) + text("move", top + LINE + 6, caption);
    const visibility = i === frames.length - 1 ? "visible" : "hidden";
    return `<g id="f${i}" class="frame" visibility="${visibility}">${uses.join("")}${words}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(moves.map(nameOf).join(", "))}</desc>`,
    `<style>${STYLE}${animationOf(frames.length)}</style>`,
    `<defs>${[...tiles].map((tile) => `<g id="t${tile}">${drawTile(tile, { x: 0, y: 0 })}</g>`).join("")}</defs>`,
    `<rect width="${width}" height="${height}" class="paper"/>`,
    ...empty.parts,
    ...drawn,
    ...notes.map((note, i) => text("note", top + (i + 3.2) * LINE, note)),
    "</svg>",
    "",
  ].join("\n");
}

/** Returns the rules that show so many frames one after the other, to readers who allow motion. */
function animationOf(frames: number): string {
  const seconds = rounded(SHOWN * frames + AFTER);
  const shownFor = (name: string, time: number) =>
    `@keyframes ${name}{0%{visibility:visible}${rounded((100 * time) / seconds)}%,100%{visibility:hidden}}`;
  const delays = Array.from(
    { length: frames },
    (_, i) => `#f${i}{animation-delay:${rounded(SHOWN * i)}s}`,
  );
  return [
    "@media (prefers-reduced-motion:no-preference){",
    `.frame{visibility:hidden;animation:frame ${seconds}s step-end infinite}${shownFor("frame", SHOWN)}`,
    `.frame:last-of-type{animation-name:last}${shownFor("last", SHOWN + AFTER)}`,
    ...delays,
    "}",
  ].join("");
}

/** Returns the boards of a game, each with the score so far and what has just been played. */
function playMoves(start: Board, moves: readonly PlayedMove[]) {
  let [board, score] = [start, 0];
  const frames = [{ board, score, caption: "" }];
  for (const move of moves) {
    if ("tile" in move) {
      ({ board } = place(board, move.cell, move.tile));
      frames.push({ board, score, caption: `the placer adds a ${move.tile}` });
      continue;
    }
    const slid = slide(board, move.direction);
    if (slid === undefined) throw new RangeError(`no tile can slide ${move.direction}`);
    ({ board } = slid);
    score += slid.score;
    const points = slid.score > 0 ? `: +${slid.score}` : "";
    frames.push({ board, score, caption: `the slider slides ${move.direction}${points}` });
  }
  return frames;
}

function nameOf(move: PlayedMove): string {
  return "tile" in move ? `a ${move.tile} is placed` : `slide ${move.direction}`;
}

function rounded(number: number): number {
  return Number(number.toFixed(3));
}
