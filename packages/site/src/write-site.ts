import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { kernelFiles } from "@gridlock/kernel";
import { createServer, type ServerOptions } from "@gridlock/server";
import { expectFolder, expectPlain, makeFolders, readPlain } from "@gridlock/store";
import { crawl, type SiteFile } from "./crawl.js";
import { lostPage } from "./lost-page.js";
import { solutions } from "./solutions.js";

/** The settings of a site: those of a server, whose pages it copies, and where the site will be. */
export interface SiteOptions extends Omit<ServerOptions, "host" | "port" | "site"> {
  /** The folder to write. It must be empty, or hold a site that was written before. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with each file that has been written. */
  onFile?(path: string): void;
}

/** What has been written. */
export interface WrittenSite {
  readonly files: number;
  readonly bytes: number;
}

/** The file that marks a folder as a site, and lists its files. */
const MANIFEST = "site/files.json";
/** The script that keeps files for use without a network. */
const SERVICE_WORKER = "service-worker.js";
/** The most bytes that the list may have. */
const MOST_MANIFEST = 2 ** 24;
/** Files that a browser loads at once, to work offline: the search, its pages, the documents. */
const FIRST =
  /^(((results|lost)\/)?index\.html|(explore|play|docs)\/([^/]+\/)?index\.html|site\/(?!files\.json).*)$/;

/** A folder that cannot become a site. */
export class SiteError extends Error {
  override readonly name = "SiteError";
}

/**
 * Writes the pages as static files that work below any folder of any web host. Writes and removes
 * nothing through links in the folder, which somebody else may have made.
 *
 * @throws {SiteError} if the folder holds anything but a site
 * @throws {StoreError} `unusable` if one of its files or folders is a link
 */
export async function writeSite(options: SiteOptions): Promise<WrittenSite> {
  const { folder, publicUrl, signal, onFile } = options;
  const before = filesBefore(folder);
  const written = new Map<string, string>();
  let bytes = 0;
  const write = ({ path, content }: SiteFile) => {
    const file = pathIn(folder, path);
    makeFolders(dirname(file));
    writeFileSync(file, content);
    written.set(path, hash("sha256", content, "hex"));
    bytes += content.length;
    onFile?.(path);
  };
  await using server = await createServer({
    ...options,
    host: "127.0.0.1",
    port: 0,
    site: true,
  });
  for await (const file of crawl(server.url, signal)) write(file);
  for (const file of webFiles()) write(file);
  for (const file of solutions(signal)) write(file);
  const lost = Buffer.from(lostPage(publicUrl));
  for (const path of ["404.html", "lost/index.html"]) write({ path, content: lost });
  write({ path: ".nojekyll", content: Buffer.alloc(0) });
  const version = hash("sha256", JSON.stringify([...written]), "hex");
  write({ path: SERVICE_WORKER, content: serviceWorker(version) });
  write({ path: MANIFEST, content: manifestOf(written, version) });
  for (const path of before) if (!written.has(path)) rmSync(pathIn(folder, path), { force: true });
  return { files: written.size, bytes };
}

/**
 * Returns where a file of a site lies.
 *
 * @throws {StoreError} `unusable` if it or a folder on the way there is a link, or is no file or
 *   folder
 */
function pathIn(folder: string, path: string): string {
  const parts = path.split("/");
  for (let i = 1; i < parts.length; i++) expectFolder(join(folder, ...parts.slice(0, i)));
  const file = join(folder, path);
  expectPlain(file, false);
  return file;
}

/** Lists the files of the site that a folder holds. */
function filesBefore(folder: string): string[] {
  const before = listIn(folder).filter((path) => typeof path === "string");
  // Nothing outside the folder is removed, whatever the list says.
  const within = before.filter((path) => !/(^|[\\/])\.\.([\\/]|$)|^[\\/]|:/.test(path));
  for (const path of within) pathIn(folder, path);
  return within;
}

/** Reads the list of files of an earlier site, in which somebody else may have written anything. */
function listIn(folder: string): unknown[] {
  try {
    const place = resolve(folder); // an empty name is the working folder too
    if (!existsSync(place) || readdirSync(place).length === 0) return [];
    const list = readPlain(pathIn(folder, MANIFEST), MOST_MANIFEST).toString();
    return [...(JSON.parse(list) as { all: unknown[] }).all];
  } catch {
    throw new SiteError(
      `${folder} is not empty, and no site; expected an empty folder, or one that gridlock site has written`,
    );
  }
}

/** The list of all files, for the next time, and of those to keep for use without a network. */
function manifestOf(written: ReadonlyMap<string, string>, version: string): Buffer {
  const all = [...written.keys(), MANIFEST].sort();
  const first = all
    .filter((path) => FIRST.test(path))
    .map((path) => path.replace(/(^|\/)index\.html$/, "$1") || "./");
  return Buffer.from(JSON.stringify({ version, first, all }));
}

/** Reads a file of the folder `web`. */
function webFile(name: string): Buffer {
  return readFileSync(fileURLToPath(new URL(`../web/${name}`, import.meta.url)));
}

/** The service worker of a release. */
function serviceWorker(version: string): Buffer {
  return Buffer.concat([Buffer.from(`const VERSION = "${version}";\n`), webFile(SERVICE_WORKER)]);
}

/** The worker, and the modules of the search that it loads. */
function* webFiles(): Generator<SiteFile> {
  yield { path: "site/worker.js", content: webFile("worker.js") };
  for (const name of readdirSync(kernelFiles.url)) {
    if (!/^(sizes\.json|records\.wasm|\d+x\d+\.(solo|small)\.wasm)$/.test(name)) continue;
    yield { path: `site/kernel/${name}`, content: readFileSync(new URL(name, kernelFiles.url)) };
  }
}
