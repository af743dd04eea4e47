import { styleText } from "node:util";
import { type Board, drawBoard } from "@gridlock/game";
import { Command, Help } from "commander";

/** Columns of text where standard output is not a terminal. */
const COLUMNS = 80;

/** Commander's functions for standard output: its width, and whether it has colours. */
const OUTPUT = new Command().configureOutput();

/** Formats of tiles from 2 on, which has the terminal's own colour; larger tiles begin again. */
const TILE_FORMATS = [
  "bold",
  "cyan",
  "green",
  "yellow",
  "magenta",
  "red",
  "blueBright",
  "cyanBright",
  "greenBright",
  "yellowBright",
  "magentaBright",
] as const;

type Format = Parameters<typeof styleText>[0];

/**
 * Styles a text for standard output if it shows colours: FORCE_COLOR and NO_COLOR decide, otherwise
 * whether it is a terminal with colours.
 */
export function styled(format: Format, text: string): string {
  const isColoured = OUTPUT.getOutHasColors?.() ?? false;
  return isColoured ? styleText(format, text, { validateStream: false }) : text;
}

/** Draws a board as a grid, with a dot for an empty cell, each tile in its colour. */
export function drawTiles(board: Board): string {
  return colouredTiles(drawBoard(board));
}

/** Gives each tile of a drawn board its colour. */
export function colouredTiles(drawn: string): string {
  return drawn.replace(/\d+|·/g, (cell) =>
    styled(cell === "·" ? "gray" : ["bold", formatOf(Number(cell))], cell),
  );
}

function formatOf(tile: number): (typeof TILE_FORMATS)[number] {
  return TILE_FORMATS[(Math.log2(tile) - 1) % TILE_FORMATS.length] as (typeof TILE_FORMATS)[number];
}

/** Wraps a text to the width of the terminal, with further lines indented below the first. */
export function wrapped(heading: string, text: string, columns = columnsOfOutput()): string {
  const lines = new Help().boxWrap(text, columns - heading.length);
  return heading + lines.replaceAll("\n", `\n${" ".repeat(heading.length)}`);
}

function columnsOfOutput(): number {
  return OUTPUT.getOutHelpWidth?.() ?? COLUMNS;
}

/** Wraps the paragraphs of a help text to the terminal's width, but not indented lines. */
export function wrappedHelp(text: string): string {
  const width = columnsOfOutput();
  return text.replace(/^\S.*(?:\n\S.*)*/gm, (paragraph) =>
    new Help().boxWrap(paragraph.replaceAll("\n", " "), width),
  );
}
