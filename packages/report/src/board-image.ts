import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type Board, formatBoard, type Turn } from "@gridlock/game";
import { drawNumber } from "./digits.js";
import { BOARD_STYLE, CELL, drawEmptyBoard, MARGIN } from "./empty-board.js";

/** Height and greatest width of a tile's number, and half the size of a plus, in pixels. */
const NUMBER = { height: 30, most: 50 };
const PLUS = 7;

/** Fills of tiles by exponent, lightest first; all suit dark digits, on light and dark pages. */
const FILLS = [
  ...["#f4efe6", "#eee4da", "#ede0c8", "#f2b179", "#f59563", "#f67c5f", "#f65e3b", "#edcf72"],
];

/** Size of previews of links, as those who show them ask for it, and the space around a board. */
const PREVIEW = { width: 1200, height: 630 };
const PREVIEW_MARGIN = 40;

/** The style of boards on light pages, and on dark ones. */
export const LIGHT = `${BOARD_STYLE.light}.number{fill:none;stroke:#111;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}.plus{stroke:#8a7d72;stroke-width:3;stroke-linecap:round}`;
export const DARK = `@media (prefers-color-scheme:dark){${BOARD_STYLE.dark}.plus{stroke:#8f887f}}`;

/** Draws a board as SVG for light or dark pages, without fonts; a plus marks the placer's cells. */
export function boardSvg(board: Board, turn: Turn): string {
  const title = `${formatBoard(board)}, ${turn} to move`;
  const { parts, width, height } = drawBoard(board, turn);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<style>${LIGHT}${DARK}</style>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

/** Draws a board as PNG on a white ground, in the size of previews of links: 1200×630. */
export async function boardPng(board: Board, turn: Turn): Promise<Uint8Array<ArrayBuffer>> {
  const { parts, width, height } = drawBoard(board, turn);
  const scale = Math.min(
    (PREVIEW.width - 2 * PREVIEW_MARGIN) / width,
    (PREVIEW.height - 2 * PREVIEW_MARGIN) / height,
  );
  const left = (PREVIEW.width - width * scale) / 2;
  const top = (PREVIEW.height - height * scale) / 2;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PREVIEW.width} ${PREVIEW.height}">`,
    `<style>${LIGHT}</style>`,
    `<g transform="translate(${left} ${top}) scale(${scale})">`,
    ...parts,
    "</g></svg>",
  ].join("");
  return await rasterize(svg);
}

/** Draws a board, and returns the size of the drawing with the space around it. */
export function drawBoard(board: Board, turn: Turn) {
  const empty = drawEmptyBoard(board);
  const contents = board.cells.map((tile, cell) => {
    const { x, y } = empty.centre(cell);
    if (tile > 0) return drawTile(tile, { x, y });
    if (turn === "slider") return "";
    return `<path d="M${x - PLUS} ${y}H${x + PLUS}M${x} ${y - PLUS}V${y + PLUS}" class="plus"/>`;
  });
  return {
    parts: [...empty.parts, ...contents.filter((part) => part !== "")],
    width: empty.width + 2 * MARGIN,
    height: empty.height + 2 * MARGIN,
  };
}

/** Draws a tile around a point; tiles from 256 on share a fill. */
export function drawTile(tile: number, { x, y }: Readonly<Record<"x" | "y", number>>): string {
  const fill = FILLS[Math.min(Math.log2(tile), FILLS.length) - 1];
  const box = `<rect x="${x - CELL / 2}" y="${y - CELL / 2}" width="${CELL}" height="${CELL}" rx="6" fill="${fill}"/>`;
  return `${box}${drawNumber(tile, { x, y, ...NUMBER })}`;
}

let rasterizer: Promise<typeof import("@resvg/resvg-wasm")> | undefined;

/** Renders an SVG without text as PNG, in the size of its view box. */
async function rasterize(svg: string): Promise<Uint8Array<ArrayBuffer>> {
  rasterizer ??= loadRasterizer();
  const { Resvg } = await rasterizer;
  const image = new Resvg(svg, { background: "#ffffff", font: { loadSystemFonts: false } });
  try {
    const rendered = image.render();
    try {
      return rendered.asPng() as Uint8Array<ArrayBuffer>;
    } finally {
      rendered.free();
    }
  } finally {
    image.free();
  }
}

/** Loads the rasterizer, which takes a tenth of a second: only those who need a PNG do so. */
async function loadRasterizer() {
  const resvg = await import("@resvg/resvg-wasm");
  const module = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  await resvg.initWasm(await readFile(module)).catch((error: Error) => {
    // Another user of the library in this process has loaded it.
    if (!error.message.startsWith("Already initialized")) throw error;
  });
  return resvg;
}
