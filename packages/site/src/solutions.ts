import { gzipSync } from "node:zlib";
import { type Board, type Game, parseShape, slides, starts } from "@gridlock/game";
import { createTable, effortOf, Kernel } from "@gridlock/kernel";
import { Analyst, defaultMemory, NOTHING_STORED } from "@gridlock/solver/analyst";
import type { SiteFile } from "./crawl.js";
import { SOLVED_SHAPES, SOLVED_TILES, tableOf } from "./tables.js";

/**
 * The least nodes of a bound that is written. The first board of a game of 2×5 then takes some
 * 70,000 nodes at most, with a sixth of the bytes that all bounds take.
 */
const LEAST_NODES = 16;

/**
 * Solves the small games, and returns the bounds that cost most: of all starts with the values of
 * all their moves, and of all replies to these. A board far from best play takes a short search
 * from there. They are compressed by gzip, whose checksum tells a file that the host has replaced
 * or cut off: its records would be false bounds.
 */
export function* solutions(signal: AbortSignal): Generator<SiteFile> {
  for (const name of SOLVED_SHAPES) {
    const game: Game = { shape: parseShape(name), tiles: SOLVED_TILES };
    const kernel = new Kernel(
      createTable(game, defaultMemory(game, 1, Number.MAX_SAFE_INTEGER), 1),
      0,
    );
    const analyst = new Analyst(game, NOTHING_STORED, kernel);
    const analyse = (board: Board, turn: "slider" | "placer") => {
      signal.throwIfAborted();
      analyst.analyse({ board, turn }, Number.POSITIVE_INFINITY, () => signal.aborted);
    };
    for (const board of starts(game.shape)) {
      analyse(board, "slider");
      for (const { board: afterstate } of slides(board)) analyse(afterstate, "placer");
    }
    const records = Buffer.concat([...kernel.records.read(effortOf(LEAST_NODES))]);
    const content = gzipSync(kernel.records.pack(records));
    yield { path: `site/${tableOf(game)}`, content };
  }
}
