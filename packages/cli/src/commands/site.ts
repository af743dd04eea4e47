import { availableParallelism } from "node:os";
import { formatBytes, formatCount } from "@gridlock/report";
import { SiteError, writeSite } from "@gridlock/site";
import { Command } from "commander";
import { UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { dbOption } from "../options/options.js";
import { parseUrl } from "../options/parse.js";
import { parseFolder } from "../options/paths.js";
import { printError, printLine, tell } from "../output/print.js";
import { ROOT, VERSION } from "../version.js";

interface SiteFlags {
  readonly baseUrl?: string;
  readonly db: string;
  readonly quiet?: true;
}

/** Seconds to search for a board of a page, and bytes of the table. */
const BUDGET = 5;
const MEMORY = 2 ** 28;
/** Files between two lines of progress. */
const FILES_A_LINE = 50;

/** Makes the command `gridlock site`. */
export function siteCommand(): Command {
  return new Command("site")
    .description("write the explorer as static files, which need no server")
    .argument(
      "<folder>",
      "the folder to write: a new or empty one, or an earlier site",
      parseFolder,
    )
    .option(
      "--base-url <url>",
      "address that the site will have, for links to copy and previews of links",
      parseUrl,
    )
    .addOption(dbOption())
    .option("--quiet", "hide progress")
    .addHelpText(
      "after",
      `
The site has the pages of gridlock serve, with values of the database, the published ones, and results/ and
docs/. Boards are searched in the visitor's browser. It works on any web host and below any folder, without special
headers, and without a network after the first visit. Gridlock's repository has a workflow that publishes it, in
examples/site/.

Examples:
  $ gridlock site public
  $ gridlock site public --base-url https://example.org/2048/`,
    )
    .action(runSite);
}

async function runSite(folder: string, flags: SiteFlags): Promise<void> {
  using watch = watchInterrupts("stopping; Ctrl-C again stops at once");
  let count = 0;
  try {
    const { files, bytes } = await writeSite({
      folder,
      db: flags.db,
      root: ROOT,
      version: VERSION,
      signal: watch.signal,
      budget: BUDGET,
      memory: MEMORY,
      workers: Math.min(2, availableParallelism()),
      ...(flags.baseUrl !== undefined && { publicUrl: flags.baseUrl }),
      warn: printError,
      onFile() {
        if (++count % FILES_A_LINE === 0) tell(flags, `${formatCount(count)} files`);
      },
    });
    printLine(`wrote ${formatCount(files)} files, ${formatBytes(bytes)}, to ${folder}`);
  } catch (error) {
    throw error instanceof SiteError ? new UsageError(error.message) : error;
  }
}
