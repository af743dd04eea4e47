/** A file of a site. */
export interface SiteFile {
  /** From the site's folder, with slashes: `explore/3x3/index.html`. */
  readonly path: string;
  readonly content: Buffer;
}

/** Pages and files to which no page has a link. */
const HIDDEN = [
  "explore/",
  "play/",
  "site/app.js",
  "site/app.css",
  "site/theme.js",
  "site/favicon.svg",
];

/**
 * Reads all that can be reached from a server's home page, by links: pages, and the files that they
 * link to and show. What is not there any more is left out, as its readers would find it.
 *
 * @param url the server's address, without a slash at the end
 * @throws {Error} if the server fails
 */
export async function* crawl(url: string, signal: AbortSignal): AsyncGenerator<SiteFile> {
  const found = new Set(["", ...HIDDEN]);
  for (const address of found) {
    const response = await fetch(`${url}/${sourceOf(address)}`, { signal });
    if (response.status === 404) continue;
    if (!response.ok) throw new Error(`/${address} cannot be read: ${response.status}`);
    const content = Buffer.from(await response.arrayBuffer());
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (isPage) for (const link of linksIn(content.toString())) found.add(link);
    yield { path: isPage ? `${address}index.html` : address, content };
  }
}

/** Returns a file's address on the server: on a site, board pictures have no query in theirs. */
function sourceOf(address: string): string {
  const [, board, turn] = /^pictures\/([\d_.]+)\.(slider|placer)\.png$/.exec(address) ?? [];
  if (board === undefined) return address;
  return `v1/board.png?board=${board.replaceAll(".", "/")}&turn=${turn}`;
}

/**
 * Returns the addresses below the base that a page names. Of those of boards and games, only that
 * of the page for their shape: its script reads the rest.
 */
function linksIn(html: string): string[] {
  const attributes = html.matchAll(/\s(?:href|src)="([^"]*)"/g);
  const pictures = html.matchAll(/property="og:image" content="[^"]*\/(pictures\/[^"]*)"/g);
  const links = [...attributes, ...pictures];
  return links.flatMap(([, value = ""]) => {
    const [address = ""] = value.split("#");
    const [path = "", query] = address.split("?");
    const isElsewhere = /^([a-z][a-z0-9+.-]*:|\/|\.)/i.test(path);
    const isPage = query === undefined || /^(explore|play)\//.test(path);
    return isElsewhere || path === "" || !isPage ? [] : [path];
  });
}
