import { type Host, type Page, type PlayPage, renderPage } from "@gridlock/explorer";
import { formatBoard, formatShape, type Game, notesOf, starts } from "@gridlock/game";
import { Hono } from "hono";
import type { Catalogue } from "../catalogue.js";
import { type Env, hangUp, type RequestContext } from "../operation.js";
import type { Settings } from "../options.js";
import { readEitherWay, readGame, readQuery } from "../parameters.js";
import { type Problem, problemOf, reported } from "../problem.js";
import { compressed, reply, replyTagged } from "../reply.js";
import type { Sources } from "../sources.js";
import { filePage } from "./file-pages.js";
import { siteFile } from "./files.js";

const HTML = "text/html; charset=utf-8";
/** Nothing may be loaded from elsewhere. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'self'";

/** Adds the pages of the explorer and what they load. */
export function addPages(app: Hono<Env>, sources: Sources): void {
  const { catalogue, files, settings, runs } = sources;
  const pages = new Hono<Env>({ strict: false });
  pages.onError((error, context) => problemPage(context, reported(error, settings), settings));
  const page = (path: string, make: (context: RequestContext) => Page | Promise<Page>) =>
    pages.get(path, compressed, async (context) =>
      showPage(context, await make(context), settings),
    );
  page("/", () => ({ name: "home", shapes: catalogue.shapes() }));
  for (const path of ["/explore", "/explore/:shape", "/explore/:shape/:board"]) {
    pages.get(path, compressed, (context) => explorePage(context, sources));
  }
  page("/play", (context) => playPage(context, sources));
  page("/play/:shape", (context) => playPage(context, sources));
  page("/results", async () => ({
    name: "results",
    shapes: catalogue.shapes(),
    files: await files.list(),
  }));
  page("/docs", async () => ({ name: "docs", files: await files.list() }));
  page("/runs", async () => ({ name: "runs", runs: await runs.list() }));
  for (const folder of ["results", "docs"]) {
    page(`/${folder}/:path{.+}`, (context) => {
      const path = `${folder}/${context.req.param("path")?.replace(/\/$/, "")}`;
      return filePage(path, sources);
    });
  }
  app.route("/", pages);
  app.get("/site/:name", compressed, async (context) => {
    const { content, type } = await siteFile(context.req.param("name"));
    return replyTagged(context, content, type);
  });
}

/** Returns the home page's relative address: a proxy or host may serve the pages below any path. */
export function baseOf(pathname: string): string {
  return "../".repeat(pathname.split("/").length - 2) || "./";
}

/**
 * Sends a page.
 *
 * @param problem why the page does not have what was asked for
 */
function showPage(
  context: RequestContext,
  page: Page,
  { site, publicUrl, budget }: Settings,
  problem?: Problem,
): Response {
  const { pathname, search } = new URL(context.req.url);
  const here = `${pathname.slice(1)}${search}`;
  const host: Host = {
    kind: site ? "site" : "server",
    base: baseOf(pathname),
    here,
    ...(publicUrl !== undefined && { url: publicUrl }),
    ...(!site && { budget }),
  };
  const headers = { "content-security-policy": POLICY, ...problem?.headers };
  return reply(renderPage(page, host), HTML, headers, problem?.status);
}

/** Shows a problem as a page. */
export function problemPage(
  context: RequestContext,
  problem: Problem,
  options: Settings,
): Response {
  const { status, title, message } = problem;
  return showPage(context, { name: "problem", status, title, detail: message }, options, problem);
}

async function explorePage(context: RequestContext, sources: Sources): Promise<Response> {
  const { answerer, catalogue, settings } = sources;
  const { req } = context;
  const tiles = req.query("tiles");
  const game = readGame(context, tiles);
  const [first] = starts(game.shape);
  const named = req.query("board") ?? req.param("board")?.replaceAll(".", "/");
  const board = named ?? (first ? formatBoard(first) : "");
  const turn = req.query("turn") === "placer" ? ("placer" as const) : undefined;
  const base = {
    name: "explore" as const,
    shape: formatShape(game.shape),
    tiles: game.tiles,
    shapes: catalogue.shapes(),
  };
  try {
    // A page waits for no search: its script asks for more.
    const query = readQuery(base.shape, { board, turn, tiles, budget: 0 }, settings);
    const { json } = await answerer.answer(query, hangUp(context));
    const answer = JSON.parse(json);
    const notes = notesOf(readEitherWay(board, { shape: game.shape, turn }));
    const shown = { board: answer.board, turn: query.turn, notes, answer };
    return showPage(context, { ...base, ...shown, problem: null }, settings);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status === 500) throw error;
    const shown = { board, turn: turn ?? ("slider" as const), notes: [], answer: null };
    return showPage(context, { ...base, ...shown, problem: problem.message }, settings, problem);
  }
}

async function playPage(context: RequestContext, sources: Sources): Promise<Page> {
  const { catalogue, settings, players } = sources;
  const game = readGame(context, context.req.query("tiles"));
  return {
    name: "play",
    shape: formatShape(game.shape),
    tiles: game.tiles,
    shapes: catalogue.shapes(),
    starts: catalogue.starts(game).starts,
    ...(settings.site && { variants: variantsOf(game, catalogue) }),
    // A site has no server to choose moves for others.
    players: settings.site ? { sliders: [], placers: [] } : await players.list(game),
    search: new URL(context.req.url).search,
  };
}

/** Returns the starts of a shape's game with 2s only, if the value of any is known. */
function variantsOf({ shape }: Game, catalogue: Catalogue): NonNullable<PlayPage["variants"]> {
  const { tiles, starts } = catalogue.starts({ shape, tiles: [2] });
  return starts.some(({ value }) => value !== null) ? [{ tiles, starts }] : [];
}
