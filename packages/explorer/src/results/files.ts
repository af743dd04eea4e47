import type { ShapeSummary } from "../data.js";
import type { FileTitle } from "../page.js";

/** Returns a Markdown file's title: its first heading, or else its path. */
export function titleOf(markdown: string, path: string): string {
  return /^#\s+(.+)$/m.exec(markdown)?.[1]?.trim() ?? path;
}

/** Tables of starts: `results/3x3.json`, `results/2x3-tiles-2.json`. */
const STARTS = /^results\/(\d+)x(\d+)(-tiles-2)?\.json$/;

/** Sections of the results by path; a file is in the first that fits, or else not listed. */
const GROUPS: readonly (readonly [title: string, path: RegExp])[] = [
  ["Every position", /^results\/positions\/.*\.(md|json)$/],
  ["The paper's experiments", /^results\/paper\/.*\.md$/],
  ["Published players", /^results\/players\/.*\.md$/],
  // The tables of starts as Markdown say what their pages say.
  ["Measurements", /^results\/(?!\d+x\d+).*\.md$/],
];

/** Puts files into the sections of the list of results. */
export function groupFiles(files: readonly FileTitle[]) {
  const groupOf = ({ path }: FileTitle) => GROUPS.findIndex(([, pattern]) => pattern.test(path));
  return GROUPS.map(([title], group) => ({
    title,
    files: files.filter((file) => groupOf(file) === group).map(linkTo),
  })).filter((group) => group.files.length > 0);
}

/** Lists the documents. */
export function documentsIn(files: readonly FileTitle[]) {
  return files.filter(({ path }) => /^docs\/.*\.md$/.test(path)).map(linkTo);
}

/** Returns the link to a file; one without a heading has its path for a title. */
function linkTo({ path, title }: FileTitle) {
  return { href: addressOfFile(path) ?? "", title };
}

/** Returns the address of the page with all starts of a game. */
export function startsAddress({ shape, tiles }: Pick<ShapeSummary, "shape" | "tiles">): string {
  return `results/${shape}${tiles.includes(4) ? "" : "-tiles-2"}/`;
}

/**
 * Returns where a file of the project is shown: on a page, or as it is. `undefined` if the server
 * does not show it.
 *
 * @param path the path from the project's root
 */
export function addressOfFile(path: string): string | undefined {
  if (!/^(results|docs)\/[^.]*\.\w+$/.test(path)) return undefined;
  if (path.endsWith(".md") || STARTS.test(path)) return `${path.replace(/\.\w+$/, "")}/`;
  return /\.(json|svg|png|csv)$/.test(path) ? `v1/files/${path}` : undefined;
}
