import {
  addressOfFile,
  GrowthCounts,
  type Page,
  readContent,
  StartsFile,
} from "@gridlock/explorer";
import { cellCount, formatBoard, formatShape, formatTiles, parseShape } from "@gridlock/game";
import { type PublishedGame, publishedGames } from "@gridlock/published";
import type { z } from "zod";
import type { ProjectFiles } from "../files.js";
import { Problem } from "../problem.js";

/** The counts of `node scripts/release/growth.js`. */
const GROWTH = "results/growth.json";

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
    const text = await textOf(path, files);
    if (known.some((file) => file.path === GROWTH) && path === GROWTH.replace("json", "md"))
      return await growthPage(text, files);
    return { name: "document", path, markdown: text };
  }
  const table = path === undefined ? tableOf(game as PublishedGame) : await readTable(path, files);
  const confirmations = game && agrees(table, game) ? game.provenance.confirmations : [];
  return { name: "starts", path: path ?? game?.provenance.source ?? page, table, confirmations };
}

/** Makes the page of the counts of growth, whose Markdown file says how they were made. */
async function growthPage(markdown: string, files: ProjectFiles): Promise<Page> {
  const counts = await contentOf(GROWTH, files, GrowthCounts, "counts of growth");
  const shapes = await Promise.all(
    Object.entries(counts).map(async ([shape, { positions, afterstates, reachable = null }]) => {
      const cells = cellCount(parseShape(shape));
      return { shape, cells, positions, afterstates, reachable, time: await timeOf(shape, files) };
    }),
  );
  const [, paragraph = ""] = markdown.split("\n\n");
  const introduction = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .replaceAll("\n", " ");
  return { name: "growth", path: GROWTH, introduction, shapes };
}

/** Returns the time of the solve that a table of starts names; `null` if there is none. */
async function timeOf(shape: string, files: ProjectFiles): Promise<string | null> {
  try {
    const { solvedBy = "" } = await readTable(`results/${shape}.json`, files);
    return / in ([^()]+) \(/.exec(solvedBy)?.[1] ?? null;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function textOf(path: string, files: ProjectFiles): Promise<string> {
  return (await files.read(path)).content.toString();
}

function readTable(path: string, files: ProjectFiles): Promise<StartsFile> {
  return contentOf(path, files, StartsFile, "a table of starts");
}

/**
 * Reads a JSON file.
 *
 * @throws {Problem} 404 if there is no such file, or it does not fit the schema
 */
async function contentOf<Content>(
  path: string,
  files: ProjectFiles,
  schema: z.ZodType<Content>,
  expected: string,
): Promise<Content> {
  const content = readContent(await textOf(path, files), schema);
  if (content === undefined) throw new Problem(404, `${path} is not ${expected}`);
  return content;
}

/** Returns the page of a game's starts. */
function pageOf({ shape, tiles }: PublishedGame): string {
  return `results/${formatShape(shape)}${formatTiles(tiles) === "2" ? "-tiles-2" : ""}`;
}

/** Makes a table of published values. */
function tableOf({ shape, tiles, starts, provenance }: PublishedGame): StartsFile {
  return {
    ...{ madeBy: provenance.madeBy, shape: formatShape(shape), tiles: [...tiles] },
    starts: starts.map(({ board, ...known }) => ({ board: formatBoard(board), ...known })),
  };
}

/** Returns whether a table has the published values, which the confirmations are of. */
function agrees(table: StartsFile, { starts }: PublishedGame): boolean {
  const published = new Map(starts.map(({ board, lo }) => [formatBoard(board), lo]));
  return table.starts.every(({ board, lo }) => published.get(board) === lo);
}
