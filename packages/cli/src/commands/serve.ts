import { once } from "node:events";
import { availableParallelism } from "node:os";
import { createServer } from "@gridlock/server";
import { Command, Option } from "commander";
import { watchInterrupts } from "../interrupt.js";
import { type RedisFlags, reachRedis, withRedis } from "../options/cluster.js";
import { searchesMemory } from "../options/memory.js";
import { dbOption, memoryOption } from "../options/options.js";
import { parseInteger, parseSeconds, parseUrl } from "../options/parse.js";
import { existingFolderOption } from "../options/paths.js";
import { printError, printLine } from "../output/print.js";
import { ROOT, VERSION } from "../version.js";

interface ServeFlags extends RedisFlags {
  readonly host: string;
  readonly port: number;
  readonly db: string;
  readonly budget: number;
  readonly memory?: number;
  readonly workers: number;
  readonly root: string;
  readonly published: boolean;
  readonly publicUrl?: string;
}

/** Most threads that search by default. */
const WORKERS = 2;
/** The most sentences to remember, so that they are not repeated. */
const MOST_TOLD = 1000;

/** Makes the command `gridlock serve`. */
export function serveCommand(): Command {
  const command = new Command("serve")
    .description("serve an explorer for browsers and an HTTP API")
    .addOption(
      new Option(
        "--host <address>",
        "address to listen at; 0.0.0.0 for all addresses of this machine",
      )
        .default("127.0.0.1")
        .env("GRIDLOCK_HOST"),
    )
    .addOption(
      new Option("--port <port>", "port to listen at; 0 for any free one")
        .default(2048)
        .env("GRIDLOCK_PORT")
        .argParser((text) => parseInteger(text, 0, 65_535)),
    )
    .addOption(dbOption())
    .option(
      "--budget <seconds>",
      "most seconds to search for a board that is missing from the database and the files beside it",
      parseSeconds,
      5,
    )
    .addOption(
      new Option(
        "--workers <n>",
        "threads that search, each for another board; up to 4 more look up large batches",
      )
        .default(Math.min(WORKERS, availableParallelism()), `one per processor, up to ${WORKERS}`)
        .argParser((text) => parseInteger(text, 1, 64)),
    )
    .addOption(memoryOption("memory for the tables of all searches", "256M for each worker"))
    .addOption(
      existingFolderOption("--root <folder>", "folder whose results/ and docs/ are shown").default(
        ROOT,
        "where Gridlock is installed",
      ),
    )
    .addOption(
      new Option(
        "--public-url <url>",
        "address of the home page as visitors know it, for links to copy and previews of links",
      )
        .env("GRIDLOCK_PUBLIC_URL")
        .argParser(parseUrl),
    )
    .option("--no-published", "leave out published values and the literature");
  return withRedis(command, "show the run of this Redis server too")
    .addHelpText(
      "after",
      `
The explorer shows the value of every board and of each move, and plays against you; docs/api.md describes the
API. The pages load nothing from elsewhere. Boards that are not in the database or in a tabulation are
searched, and what is proven is saved if a solve of the shape has begun in the database. Values of starts that
come with Gridlock are shown where nothing else knows them, marked as published. Ctrl-C stops the server.

Examples:
  $ gridlock serve
  $ gridlock serve --port 8080 --db results/gridlock.db --budget 2
  $ gridlock serve --host 0.0.0.0 --workers 8 --memory 4G
  $ gridlock serve --no-published
  $ gridlock serve --redis redis://10.0.0.1:6379/0 --redis-password-file redis-password
  $ curl 'http://127.0.0.1:2048/v1/3x3?board=2_0_0/0_4_0/0_0_0'`,
    )
    .action(runServe);
}

async function runServe(flags: ServeFlags): Promise<void> {
  const memory = searchesMemory(flags.workers, flags.memory);
  const redis = await reachRedis(flags);
  const { host, port, db, budget, workers, root, published, publicUrl } = flags;
  const told = new Set<string>();
  using watch = watchInterrupts("stopping; Ctrl-C again stops at once");
  await using server = await createServer({
    host,
    port,
    db,
    budget,
    workers,
    root,
    published,
    version: VERSION,
    ...(redis && { redis }),
    ...(publicUrl !== undefined && { publicUrl }),
    memory,
    warn(sentence) {
      if (!told.has(sentence)) printError(sentence);
      if (told.size < MOST_TOLD) told.add(sentence);
    },
  });
  printLine(`serving ${db} at ${server.url}`);
  if (!watch.signal.aborted) await once(watch.signal, "abort");
}
