import { addressOfFile, isStartsFile, type Page, type StartsFile } from "@gridlock/explorer";
import { formatBoard, formatShape, formatTiles } from "@gridlock/game";
import { type PublishedGame, publishedGames } from "@gridlock/published";
import type { ProjectFiles } from "../files.js";
import { Problem } from "../problem.js";

/**
 * Makes the page of a file: a table of starts (`results/3x3`) or a Markdown file (`docs/search`). A
 * published game whose starts have no file of their own has a table as well.
 *
 * @param page the page's path without a slash at the end
 * @param published whether published values are shown
 * @throws {Problem} 404 if there is no such page
 */
export async function filePage(
  page: string,
  files: ProjectFiles,
  published: boolean,
): Promise<Page> {
  const known = await files.list();
  const path = [`${page}.json`, `${page}.md`].find(
    (each) => addressOfFile(each) === `${page}/` && known.some(({ path }) => path === each),
  );
  const game = published ? publishedGames().find((each) => pageOf(each) === page) : undefined;
  if (path === undefined && game === undefined)
    throw new Problem(404, `there is no page /${page}; /results/ lists all`);
  if (path?.endsWith(".md")) {
    const text = (await files.read(path)).content.toString();
    return { name: "document", path, markdown: text };
  }
  const table = path === undefined ? tableOf(game as PublishedGame) : await readTable(path, files);
  const confirmations = game && agrees(table, game) ? game.provenance.confirmations : [];
  return { name: "starts", path: path ?? game?.provenance.source ?? page, table, confirmations };
}

async function readTable(path: string, files: ProjectFiles): Promise<StartsFile> {
  const table = JSON.parse((await files.read(path)).content.toString());
  if (!isStartsFile(table)) throw new Problem(404, `${path} does not list starts`);
  return table;
}

/** Returns the page of a game's starts. */
function pageOf({ shape, tiles }: PublishedGame): string {
  return `results/${formatShape(shape)}${formatTiles(tiles) === "2" ? "-tiles-2" : ""}`;
}

/** Makes a table of published values. */
function tableOf({ shape, tiles, starts, provenance }: PublishedGame): StartsFile {
  return {
    ...{ madeBy: provenance.madeBy, shape: formatShape(shape), tiles },
    starts: starts.map(({ board, lo, hi, value }) => ({
      board: formatBoard(board),
      lo,
      hi,
      value,
    })),
  };
}

/** Returns whether a table has the published values, which the confirmations are of. */
function agrees(table: StartsFile, { starts }: PublishedGame): boolean {
  const published = new Map(starts.map(({ board, lo }) => [formatBoard(board), lo]));
  return table.starts.every(({ board, lo }) => published.get(board) === lo);
}
