import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { siteFolder } from "@gridlock/explorer";
import { Files } from "@gridlock/schemas/api";
import type { Operation } from "../operation.js";
import { Problem } from "../problem.js";
import { replyTagged } from "../reply.js";
import type { Sources } from "../sources.js";

/** The operations of the files below `results/` and `docs/`. */
export function fileOperations({ files }: Sources): Operation[] {
  // Two, since OpenAPI takes /v1/files/{path} for the same as /v1/{shape}/starts.
  const read = (folder: string, example: string): Operation => ({
    path: `/v1/files/${folder}/{path}`,
    id: `${folder}File`,
    summary: `Get a file of ${folder}/`,
    description: `The path is that of the list of files, without ${folder}/. It may have slashes.`,
    group: "Files",
    examples: { path: example },
    reply: { type: "application/octet-stream" },
    problems: [404],
    async handle(context) {
      const { content, type } = await files.read(`${folder}/${context.req.param("path")}`);
      return replyTagged(context, content, type);
    },
  });
  return [
    {
      path: "/v1/files",
      id: "files",
      summary: "List the files of results/ and docs/",
      description:
        "The files are tables, charts and documents; each has an address below /v1/files/.",
      group: "Files",
      reply: { type: "application/json", schema: Files },
      handle: async () => ({ files: await files.list() }),
    },
    read("results", "3x3.json"),
    read("docs", "notation.md"),
  ];
}

/** The files that the pages load, and their types. */
const SITE_FILES: Readonly<Record<string, string>> = {
  "app.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "theme.js": "text/javascript; charset=utf-8",
  "favicon.svg": "image/svg+xml",
};

/**
 * Reads a file that the pages load.
 *
 * @throws {Problem} 404 if there is no such file
 */
export async function siteFile(name: string) {
  const type = Object.hasOwn(SITE_FILES, name) ? SITE_FILES[name] : undefined;
  if (type) return { content: await readFile(join(siteFolder, name)), type };
  throw new Problem(404, `there is no file ${name.slice(0, 100)}`);
}
