import { type Board, type Direction, linesToward } from "@gridlock/game";
import { fillOf } from "./board-picture.js";
import { CELL, drawGrid, GRID_STYLE, MARGIN } from "./grid.js";
import { escaped } from "./svg.js";

/** A move of a game: a slide, or a tile placed in a cell. */
type PlayedMove =
  | { readonly direction: Direction }
  | { readonly tile: number; readonly cell: number };

/** A tile of a game, from its appearance until it merges into another. */
interface Piece {
  readonly tile: number;
  /** The number of the move that makes it appear, counted from 1; 0 for the tiles of the start. */
  readonly born: number;
  /** True if two tiles merged into it, rather than being placed. */
  readonly merged: boolean;
  /** The cell where it appears, and then the cells to which moves take it. */
  readonly path: { readonly move: number; readonly cell: number }[];
  /** The number of the slide in which it merges into another piece, if it does. */
  died?: number;
}

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

/**
 * Seconds before the first move, of each motion or appearance, after each, and after the last move.
 */
const BEFORE = 1.2;
const MOTION = 0.2;
const AFTER_SLIDE = 0.2;
const AFTER_PLACEMENT = 0.4;
const AFTER = 5;

/** Percent of the animation in which a piece appears or vanishes at once. */
const AT_ONCE = 0.005;

/** The look of a piece at one time of the animation. */
interface Keyframe {
  /** Percent of the animation. */
  readonly at: number;
  readonly opacity: 0 | 1;
  readonly cell: number;
  readonly scale: number;
}

/**
 * Draws a game as an animated SVG that repeats for ever: tiles slide, merge and appear, beside the
 * score and the last move. For readers who prefer reduced motion, and in viewers without animation,
 * it shows the end of the game.
 */
export function drawPlay({ title, start, moves, notes }: ShownGame): string {
  const { pieces, scores } = playMoves(start, moves);
  const timing = timingOf(moves);
  const board = drawGrid(start);
  const size = { width: board.width + PANEL + 2 * MARGIN, height: board.height + 2 * MARGIN };
  const rules: string[] = [];
  const animated = (id: string, frames: readonly string[]) => {
    rules.push(`@keyframes ${id}{${frames.join("")}}#${id}{animation-name:${id}}`);
    return id;
  };
  const look = ({ opacity, cell, scale }: Keyframe) => {
    const { x, y } = board.centre(cell);
    return `opacity:${opacity};transform:translate(${x}px,${y}px) scale(${scale})`;
  };
  const tiles = pieces.map((piece, i) => {
    const frames = keyframesOf(piece, timing);
    const last = frames.at(-1) as Keyframe;
    const { x, y } = board.centre(last.cell);
    const id = animated(
      `t${i}`,
      frames.map((frame) => `${frame.at}%{${look(frame)}}`),
    );
    const half = CELL / 2;
    return `<g id="${id}" opacity="${last.opacity}" transform="translate(${x} ${y})"><rect x="${-half}" y="${-half}" width="${CELL}" height="${CELL}" rx="6" fill="${fillOf(piece.tile)}"/><text y="8" class="tile">${piece.tile}</text></g>`;
  });
  const left = board.width + MARGIN + 22;
  // Draws a text that is shown from one move until the next one that changes it.
  const shown = (
    id: string,
    content: string,
    y: number,
    kind: string,
    from: number,
    to: number,
  ) => {
    const frames = visibility(timing.begin[from] as number, timing.begin[to] ?? 100);
    const isLast = to >= timing.begin.length;
    return `<text id="${animated(id, frames)}" x="${left}" y="${y}" class="${kind}" opacity="${isLast ? 1 : 0}">${escaped(content)}</text>`;
  };
  const top = MARGIN + 44;
  const scoreChanges = scores.flatMap((score, m) => (m > 0 && score === scores[m - 1] ? [] : [m]));
  const texts = [
    ...scoreChanges.map((m, i) =>
      shown(`s${m}`, String(scores[m]), top, "score", m, scoreChanges[i + 1] ?? scores.length),
    ),
    ...moves.map((move, i) => {
      const points = (scores[i + 1] as number) - (scores[i] as number);
      return shown(`m${i}`, captionOf(move, points), top + LINE + 6, "move", i + 1, i + 2);
    }),
    ...notes.map(
      (note, i) =>
        `<text x="${left}" y="${top + (i + 3.2) * LINE}" class="note">${escaped(note)}</text>`,
    ),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(moves.map(nameOf).join(", "))}</desc>`,
    `<style>${STYLE}@media (prefers-reduced-motion:no-preference){g[id],text[id]{animation:${timing.seconds}s linear infinite}`,
    ...rules,
    "}</style>",
    `<rect width="${size.width}" height="${size.height}" class="paper"/>`,
    ...board.parts,
    ...tiles,
    ...texts,
    "</svg>",
    "",
  ].join("\n");
}

const STYLE = [
  `.paper{fill:#fff}${GRID_STYLE.light}.tile{font-size:24px;font-weight:bold;text-anchor:middle;fill:#111}`,
  ".score{font-size:44px;font-weight:bold}.move{font-size:16px}.note{font-size:14px}",
  ".score,.move{fill:#1f2328}.note{fill:#59636e}",
  `@media (prefers-color-scheme:dark){.paper{fill:#0d1117}${GRID_STYLE.dark}.score,.move{fill:#e6edf3}.note{fill:#9198a1}}`,
].join("");

/**
 * Plays moves on a board and follows each tile. All moves must be legal. `scores[m]` is the score
 * after move m, and `scores[0]` is 0.
 */
function playMoves(start: Board, moves: readonly PlayedMove[]) {
  const pieces: Piece[] = [];
  const scores = [0];
  const on: (Piece | undefined)[] = start.cells.map(() => undefined);
  const add = (move: number, cell: number, tile: number, merged = false) => {
    const piece: Piece = { tile, born: move, merged, path: [{ move, cell }] };
    pieces.push(piece);
    on[cell] = piece;
  };
  const moveTo = (cell: number, piece: Piece, move: number) => {
    if (piece.path.at(-1)?.cell !== cell) piece.path.push({ move, cell });
    on[cell] = piece;
  };
  /** Slides the pieces of a line toward its first cell; returns the points earned. */
  const slideLine = (line: readonly number[], move: number): number => {
    let score = 0;
    let filled = 0;
    let last: Piece | undefined;
    for (const cell of line) {
      const piece = on[cell];
      if (piece === undefined) continue;
      on[cell] = undefined;
      if (last?.tile === piece.tile) {
        const met = line[filled - 1] as number;
        moveTo(met, piece, move);
        piece.died = last.died = move;
        add(move, met, 2 * piece.tile, true);
        score += 2 * piece.tile;
        last = undefined;
      } else {
        moveTo(line[filled++] as number, piece, move);
        last = piece;
      }
    }
    return score;
  };
  start.cells.forEach((tile, cell) => {
    if (tile !== 0) add(0, cell, tile);
  });
  moves.forEach((played, i) => {
    let score = scores[i] as number;
    if ("tile" in played) add(i + 1, played.cell, played.tile);
    else for (const line of linesToward(start, played.direction)) score += slideLine(line, i + 1);
    scores.push(score);
  });
  return { pieces, scores };
}

/**
 * Returns the seconds of the animation and, in percent of them, the beginning of each move m, 0 for
 * m = 0, and the time in which a move moves tiles.
 */
function timingOf(moves: readonly PlayedMove[]) {
  const times = [0];
  let time = BEFORE;
  for (const move of moves) {
    times.push(time);
    time += MOTION + ("tile" in move ? AFTER_PLACEMENT : AFTER_SLIDE);
  }
  const seconds = time + AFTER;
  return {
    seconds: rounded(seconds),
    begin: times.map((at) => (100 * at) / seconds),
    motion: (100 * MOTION) / seconds,
  };
}

/** Returns the looks of a piece over the whole animation, in order of time. */
function keyframesOf(piece: Piece, { begin, motion }: ReturnType<typeof timingOf>): Keyframe[] {
  const first = piece.path[0] as { cell: number };
  const beginOf = (move: number) => begin[move] as number;
  const frames: Keyframe[] = [];
  const add = (at: number, opacity: 0 | 1, cell: number, scale = 1) =>
    frames.push({ at: rounded(at), opacity, cell, scale });
  if (piece.born === 0) add(0, 1, first.cell);
  else {
    // A merged tile replaces its parts when they have met; a placed tile grows.
    const from = beginOf(piece.born) + (piece.merged ? motion : 0);
    const scale = piece.merged ? 1.15 : 0.3;
    add(0, 0, first.cell, scale);
    add(from - AT_ONCE, 0, first.cell, scale);
    add(from, 1, first.cell, scale);
    add(from + (piece.merged ? motion / 2 : motion), 1, first.cell);
  }
  let { cell } = first;
  for (const step of piece.path.slice(1)) {
    add(beginOf(step.move), 1, cell);
    ({ cell } = step);
    add(beginOf(step.move) + motion, 1, cell);
  }
  if (piece.died !== undefined) {
    const end = beginOf(piece.died) + motion;
    if (frames.at(-1)?.at !== rounded(end)) add(end, 1, cell);
    add(end + AT_ONCE, 0, cell);
  }
  add(100, piece.died === undefined ? 1 : 0, cell);
  return frames;
}

/** Returns the keyframes of something that is visible from one time to another, in percent. */
function visibility(from: number, to: number): string[] {
  const frame = (at: number, opacity: number) => `${rounded(at)}%{opacity:${opacity}}`;
  const frames =
    from === 0 ? [frame(0, 1)] : [frame(0, 0), frame(from, 0), frame(from + AT_ONCE, 1)];
  if (to >= 100) return [...frames, frame(100, 1)];
  return [...frames, frame(to, 1), frame(to + AT_ONCE, 0), frame(100, 0)];
}

function nameOf(move: PlayedMove): string {
  return "tile" in move ? `a ${move.tile} is placed` : `slide ${move.direction}`;
}

function captionOf(move: PlayedMove, points: number): string {
  if ("tile" in move) return `the placer adds a ${move.tile}`;
  return `the slider slides ${move.direction}${points > 0 ? `: +${points}` : ""}`;
}

function rounded(number: number): number {
  return Number(number.toFixed(3));
}
