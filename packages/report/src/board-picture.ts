import { type Board, formatBoard } from "@gridlock/game";
import { DARK, drawBoard, LIGHT } from "./board-image.js";
import { LIGHT as COLOURS, completeSvg, escaped, type Picture } from "./svg.js";

/** A board in a picture, with a caption below it. */
export interface Frame {
  readonly board: Board;
  readonly caption: string;
}

/** Boards in a row, with a heading above them. */
export interface Strip {
  readonly heading: string;
  readonly frames: readonly Frame[];
}

/** Size of a board, of that of {@link drawBoard}. */
const SCALE = 0.5;
/** Distances between and around boards, and heights of headings and captions, in pixels. */
const GAP = 36;
const MARGIN = 16;
const HEADING = 20;
const CAPTION = 40;

/** Draws rows of boards, one below the other, as SVG. All boards must have the same shape. */
export function drawStrips(name: string, title: string, strips: readonly Strip[]): Picture {
  const drawn = strips.map(({ frames }) => frames.map(({ board }) => drawBoard(board, "slider")));
  const [{ width: boardWidth, height: boardHeight } = { width: 0, height: 0 }] = drawn.flat();
  const pitch = SCALE * boardWidth + GAP;
  const stripHeight = HEADING + SCALE * boardHeight + CAPTION;
  const width = 2 * MARGIN + Math.max(...drawn.map(({ length }) => length)) * pitch - GAP;
  const height = 2 * MARGIN + strips.length * stripHeight;
  const parts = strips.flatMap(({ heading, frames }, s) => {
    const top = MARGIN + s * stripHeight;
    const boards = frames.map(({ caption }, f) => {
      const left = MARGIN + f * pitch;
      const { parts = [] } = drawn[s]?.[f] ?? {};
      const place = `translate(${left} ${top + HEADING}) scale(${SCALE})`;
      const below = text(left, top + HEADING + SCALE * boardHeight + 14, 12, caption);
      return `<g transform="${place}">${parts.join("")}</g>${below}`;
    });
    return [text(MARGIN, top + 14, 14, heading), ...boards];
  });
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
    `<style>${LIGHT}${DARK}</style>`,
    `<rect width="${width}" height="${height}" fill="${COLOURS.paper}"/>`,
    ...parts,
    "</svg>",
  ].join("\n");
  return { name, title, svg: completeSvg(svg, title, describe(strips)) };
}

/** Describes rows of boards for readers who cannot see them. */
function describe(strips: readonly Strip[]): string {
  const frame = ({ board, caption }: Frame) => `${caption}: ${formatBoard(board)}`;
  return strips
    .map(({ heading, frames }) => `${heading}. ${frames.map(frame).join("; ")}.`)
    .join(" ");
}

function text(x: number, y: number, size: number, content: string): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${COLOURS.ink}">${escaped(content)}</text>`;
}
