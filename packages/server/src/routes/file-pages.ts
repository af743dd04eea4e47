import { addressOfFile, type Page, type StartsTable, startsAddress } from "@gridlock/explorer";
import { formatBoard, formatShape, parseBoard, parseShape, parseTiles } from "@gridlock/game";
import { type PublishedGame, publishedGames } from "@gridlock/published";
import type { Catalogue } from "../catalogue.js";
import type { ProjectFiles } from "../files.js";
import { Problem } from "../problem.js";
import type { Sources } from "../sources.js";

/**
 * Makes the page of a file: a table of starts (`results/3x3`) or a Markdown file (`docs/search`). A
 * listed game whose starts have no file of their own has a table as well. Files of published values
 * are not shown where those are left out.
 *
 * @param page the page's path without a slash at the end
 * @throws {Problem} 404 if there is no such page
 */
export async function filePage(
  page: string,
  { files, catalogue, settings }: Pick<Sources, "files" | "catalogue" | "settings">,
): Promise<Page> {
  const known = (await files.list()).map(({ path }) => path);
  const published = publishedGames().find(
    ({ shape, tiles }) => startsAddress({ shape: formatShape(shape), tiles }) === `${page}/`,
  );
  const isShown = settings.published || published === undefined;
  const path = [`${page}.json`, `${page}.md`].find(
    (each) => isShown && addressOfFile(each) === `${page}/` && known.includes(each),
  );
  if (path?.endsWith(".md")) {
    return { name: "document", path, markdown: await textOf(path, files) };
  }
  const table = path !== undefined ? await readTable(path, files) : tableAt(page, catalogue);
  if (table === undefined) throw new Problem(404, `there is no page /${page}; /results/ lists all`);
  const provenance =
    isShown && published && agrees(table, published) ? published.provenance : undefined;
  const file = path ?? known.find((each) => each === provenance?.source) ?? null;
  const confirmations = provenance?.confirmations ?? [];
  return { name: "starts", path: file, table, confirmations };
}

async function textOf(path: string, files: ProjectFiles): Promise<string> {
  return (await files.read(path)).content.toString();
}

/**
 * Reads a table of starts.
 *
 * @throws {Problem} 404 if there is no such file, or it is not such a table
 */
async function readTable(path: string, files: ProjectFiles): Promise<StartsTable> {
  const text = await textOf(path, files);
  try {
    const { ExportOutput } = await import("@gridlock/schemas"); // which makes the schemas of all outputs
    const table = ExportOutput.parse(JSON.parse(text));
    parseShape(table.shape);
    for (const { board } of table.starts) parseBoard(board);
    return table;
  } catch {
    throw new Problem(404, `${path} is not a table of starts`);
  }
}

/** Makes a table of what is known of a listed game's starts; `undefined` if none has this page. */
function tableAt(page: string, catalogue: Catalogue): StartsTable | undefined {
  const listed = catalogue.shapes().find((game) => startsAddress(game) === `${page}/`);
  if (listed === undefined) return undefined;
  const { shape, tiles } = listed;
  const game = { shape: parseShape(shape), tiles: parseTiles(tiles.join()) };
  const { starts, published } = catalogue.starts(game);
  return {
    shape,
    tiles: game.tiles,
    ...(published && { madeBy: published.madeBy }),
    starts: starts.map(({ board, value, lo, hi }) => ({ board, value, lo, hi })),
  };
}

/** Returns whether a table has the published values, which the confirmations are of. */
function agrees(table: StartsTable, { starts }: PublishedGame): boolean {
  const published = new Map(starts.map(({ board, lo }) => [formatBoard(board), lo]));
  return table.starts.every(({ board, lo }) => published.get(board) === lo);
}
