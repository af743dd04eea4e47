import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { extname, join, posix, sep } from "node:path";
import { titleOf } from "@gridlock/explorer";
import type { Files } from "@gridlock/schemas";
import { cachedFor } from "./cache.js";
import { Problem } from "./problem.js";

/** The types of the files that are shown. */
const TYPES: Readonly<Record<string, string>> = {
  ".md": "text/markdown; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".csv": "text/csv; charset=utf-8",
};

/** The folders whose files are shown. */
const FOLDERS = ["results", "docs"];
/** Most files listed, folders below each other, and bytes of a file. */
const MOST_FILES = 2000;
const MOST_DEPTH = 4;
const MOST_BYTES = 32 * 2 ** 20;
/** Milliseconds for which the list is kept. */
const CACHE_MS = 5000;
/** Characters of a path. */
const MOST_LENGTH = 300;

type ListedFile = Files["files"][number];

/** The files below `results/` and `docs/` in a folder: reports and charts, no databases. */
export class ProjectFiles {
  readonly #root: string | undefined;
  /** Lists the files by path. */
  readonly list = cachedFor(CACHE_MS, async () => {
    const files: ListedFile[] = [];
    for (const folder of FOLDERS) await this.#readFolder(folder, MOST_DEPTH, files);
    return files;
  });

  constructor(root: string | undefined) {
    this.#root = root;
  }

  async #readFolder(folder: string, depth: number, files: ListedFile[]): Promise<void> {
    if (this.#root === undefined || depth === 0) return;
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = posix.join(folder, entry.name);
      if (files.length >= MOST_FILES || entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) await this.#readFolder(path, depth - 1, files);
      else if (entry.isFile() && Object.hasOwn(TYPES, extname(entry.name))) {
        const content = entry.name.endsWith(".md") ? await this.#content(path) : undefined;
        const title = content === undefined ? path : titleOf(content.toString(), path);
        const { size } = await stat(join(this.#root, path));
        files.push({ path, title, bytes: size });
      }
    }
  }

  /**
   * Reads a file.
   *
   * @param path from the root, with slashes
   * @throws {Problem} 404 if there is no such file, or it is not one of those that are shown
   */
  async read(path: string) {
    const type = path.length > MOST_LENGTH ? undefined : TYPES[extname(path)];
    const content = type && (await this.#content(path));
    if (type && content) return { content, type };
    const shown = path.slice(0, MOST_LENGTH);
    throw new Problem(404, `there is no file ${shown}; /v1/files lists all files`);
  }

  async #content(path: string): Promise<Buffer<ArrayBuffer> | undefined> {
    const [folder = "", ...below] = path.split("/");
    const isPlain = below.every(
      (part) => part !== "" && !part.startsWith(".") && !/[\\\0]/.test(part),
    );
    if (this.#root === undefined || !FOLDERS.includes(folder) || !isPlain) return undefined;
    try {
      // Links that lead out of the folder are not followed.
      const [within, file] = await Promise.all([
        realpath(join(this.#root, folder)),
        realpath(join(this.#root, path)),
      ]);
      if (!file.startsWith(within + sep)) return undefined;
      const stats = await stat(file);
      // A read of a named pipe would wait for somebody who writes into it, and occupy a thread of
      // Node.js.
      return stats.isFile() && stats.size <= MOST_BYTES ? await readFile(file) : undefined;
    } catch {
      return undefined;
    }
  }
}
