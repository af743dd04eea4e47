/* What scripts that write to `results/` share. Paths are from that folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { wrapMarkdown, writeWhole } from "@gridlock/report";

const FOLDER = fileURLToPath(new URL("../results", import.meta.url));

/** The date of a measurement. */
export const today = new Date().toISOString().slice(0, 10);

export function readPage(file) {
  return readFileSync(join(FOLDER, file), "utf8");
}

export function readData(file) {
  return JSON.parse(readPage(file));
}

/** Writes Markdown, its paragraphs wrapped. */
export function writePage(file, text) {
  writeWhole(join(FOLDER, file), wrapMarkdown(text));
}

export function writeData(file, data) {
  writeWhole(join(FOLDER, file), `${JSON.stringify(data, null, 2)}\n`);
}

export function writeChart(file, svg) {
  writeWhole(join(FOLDER, file), svg);
}

/** Returns the cells of a page's tables, of the rows that begin with a shape. */
export function shapeRowsOf(page) {
  const rows = page.match(/^\| \dx\d.*(?= \|$)/gm) ?? [];
  return rows.map((row) => row.slice(2).split(/ *\| */));
}
