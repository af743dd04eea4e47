import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { siteFolder } from "@gridlock/explorer";
import type { ProjectFiles } from "../files.js";
import type { Operation } from "../operation.js";
import { NoParameters, readParameters } from "../parameters.js";
import { Problem } from "../problem.js";
import { replyJson, replyTagged } from "../reply.js";
import { FilesSchema } from "../schemas.js";

/** The operations of the files below `results/` and `docs/`. */
export function fileOperations(files: ProjectFiles): Operation[] {
  const read = (folder: string, example: string): Operation => ({
    method: "get",
    path: `/v1/${folder}/{path}`,
    id: `${folder}File`,
    summary: `Get a file of ${folder}/`,
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
      method: "get",
      path: "/v1/results",
      id: "results",
      summary: "List the files of results/ and docs/",
      group: "Files",
      query: NoParameters,
      reply: { type: "application/json", schema: FilesSchema },
      problems: [400],
      async handle(context) {
        readParameters(NoParameters, context.req.url);
        return replyJson(context, JSON.stringify({ files: await files.list() }), false);
      },
    },
    read("results", "3x3.json"),
    read("docs", "notation.md"),
  ];
}

/** The types of the files that the pages load. */
const SITE_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Reads a file that the pages load.
 *
 * @throws {Problem} 404 if there is no such file
 */
export async function siteFile(
  name: string,
): Promise<{ content: Buffer<ArrayBuffer>; type: string }> {
  const type = SITE_TYPES[extname(name)];
  if (type === undefined || !/^[\w-]+\.\w+$/.test(name))
    throw new Problem(404, `there is no file ${name.slice(0, 100)}`);
  try {
    return { content: await readFile(join(siteFolder, name)), type };
  } catch {
    throw new Problem(404, `there is no file ${name}`);
  }
}
