import { type Board, formatBoard } from "@gridlock/game";
import { completeSvg, escaped, LIGHT, type Picture } from "./svg.js";

/** A board in a picture, with a caption below it. */
export interface Frame {
  readonly board: Board;
  readonly caption: string;
  /** True if empty cells are drawn as unknown, with a question mark. */
  readonly unknown?: boolean;
  /** The cell of the tile just placed. */
  readonly placed?: number;
}

/** Boards in a row, with a heading above them. */
export interface Strip {
  readonly heading: string;
  readonly frames: readonly Frame[];
}

const CELL = 34;
const GAP = 36;
const MARGIN = 16;

/** Fills of tiles by exponent, lightest first; all suit dark digits, on light and dark pages. */
const FILLS = [
  "#f4efe6",
  "#eee4da",
  "#ede0c8",
  "#f2b179",
  "#f59563",
  "#f67c5f",
  "#f65e3b",
  "#edcf72",
];

/** Returns the fill of a tile; tiles from 256 on share one. */
export function fillOf(tile: number): string {
  return FILLS[Math.min(Math.log2(tile), FILLS.length) - 1] as string;
}

/** Draws rows of boards, one below the other, as SVG. All boards must have the same shape. */
export function drawStrips(name: string, title: string, strips: readonly Strip[]): Picture {
  const [first] = strips.flatMap(({ frames }) => frames);
  const { rows = 0, cols = 0 } = first?.board ?? {};
  const stripHeight = rows * CELL + 74;
  const longest = Math.max(...strips.map(({ frames }) => frames.length));
  const width = 2 * MARGIN + longest * (cols * CELL + GAP) - GAP;
  const height = 2 * MARGIN + strips.length * stripHeight;
  const parts = strips.flatMap(({ heading, frames }, s) => {
    const top = MARGIN + s * stripHeight;
    return [
      text(MARGIN, top + 14, heading, { bold: true }),
      ...frames.map((frame, f) => drawFrame(frame, MARGIN + f * (cols * CELL + GAP), top + 28)),
    ];
  });
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
    `<rect width="${width}" height="${height}" fill="${LIGHT.paper}"/>`,
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

function drawFrame({ board, caption, unknown, placed }: Frame, left: number, top: number): string {
  const cells = board.cells.map((tile, cell) => {
    const x = left + (cell % board.cols) * CELL;
    const y = top + Math.floor(cell / board.cols) * CELL;
    const fill = tile === 0 ? "none" : fillOf(tile);
    const stroke =
      cell === placed ? `stroke="${LIGHT.ink}" stroke-width="2.5"` : `stroke="${LIGHT.faint}"`;
    const box = `<rect x="${x + 1}" y="${y + 1}" width="${CELL - 2}" height="${CELL - 2}" rx="4" fill="${fill}" ${stroke}/>`;
    const label = tile === 0 ? (unknown ? "?" : "") : String(tile);
    // A tile keeps its light fill on a dark page, so its number stays dark there.
    const ink = tile === 0 ? LIGHT.ink : "#111111";
    return `${box}<text x="${x + CELL / 2}" y="${y + CELL / 2 + 5}" font-size="14" text-anchor="middle" fill="${ink}">${label}</text>`;
  });
  const below = top + board.rows * CELL + 18;
  return [...cells, text(left, below, caption, { bold: false })].join("");
}

function text(x: number, y: number, content: string, { bold }: { bold: boolean }): string {
  const weight = bold ? ' font-weight="bold"' : "";
  return `<text x="${x}" y="${y}" font-size="${bold ? 14 : 12}"${weight} fill="${LIGHT.ink}">${escaped(content)}</text>`;
}
