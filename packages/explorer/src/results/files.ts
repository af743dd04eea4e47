import type { StartsFile } from "../data.js";
import type { FileTitle } from "../page.js";

/** Returns a Markdown file's title: its first heading, or else its path. */
export function titleOf(markdown: string, path: string): string {
  return /^#\s+(.+)$/m.exec(markdown)?.[1]?.trim() ?? path;
}

/** Whether a JSON file lists starts, as `gridlock export --format json` writes them. */
export function isStartsFile(content: unknown): content is StartsFile {
  if (typeof content !== "object" || content === null) return false;
  const { shape, starts } = content as Record<string, unknown>;
  return (
    typeof shape === "string" &&
    Array.isArray(starts) &&
    starts.every((start) => typeof start?.board === "string" && typeof start?.lo === "number")
  );
}

/** A section of the list of results. */
export interface FileGroup {
  readonly title: string;
  readonly files: readonly FileTitle[];
}

/** The sections and the paths that belong to each; the first that fits takes a file. */
const GROUPS: readonly (readonly [title: string, path: RegExp])[] = [
  ["Every start", /^results\/\d+x\d+[^/]*\.json$/],
  ["Every position", /^results\/positions\//],
  ["The paper's experiments", /^results\/paper\//],
  ["Published players", /^results\/players\//],
  ["Measurements", /^results\/(?!\d+x\d+)/],
  ["Documentation", /^(docs\/|README)/],
];

/** Puts files into sections. Files that belong to no section are not listed. */
export function groupFiles(files: readonly FileTitle[]): FileGroup[] {
  const groupOf = ({ path }: FileTitle) => GROUPS.findIndex(([, pattern]) => pattern.test(path));
  return GROUPS.map(([title], group) => ({
    title,
    files: files.filter((file) => groupOf(file) === group),
  })).filter((group) => group.files.length > 0);
}

/** Returns the address of a file's page. */
export function pageOfFile(path: string): string {
  return path.startsWith("results/") ? `/${path}` : `/docs/${path.replace(/^docs\//, "")}`;
}
