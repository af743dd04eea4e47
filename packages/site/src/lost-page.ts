import { renderPage } from "@gridlock/explorer";

/**
 * Finds the folder of the site, the nearest one above the address that has its files, and makes it
 * the base of the page. It asks before anything else of the page is read, so that all of its
 * addresses are right.
 */
const FIND_BASE = `for (let at = location.pathname; at !== ""; ) {
  at = at.slice(0, at.lastIndexOf("/"));
  try {
    const request = new XMLHttpRequest();
    request.open("GET", location.origin + at + "/site/theme.js", false);
    request.send();
    // Some hosts have a page for all files that are missing, with the status 200.
    if (request.status !== 200 || !/javascript/.test(request.getResponseHeader("content-type"))) continue;
    document.head.appendChild(document.createElement("base")).href = location.origin + at + "/";
    break;
  } catch {}
}`;

/**
 * Makes the page for addresses that the site does not have, or that the browser has not kept, at
 * any depth.
 *
 * @param url the address of the site; without it, the page finds the site by a script, and a reader
 *   without scripts gets the page as of a site that is the whole host
 */
export function lostPage(url: string | undefined): string {
  const base = url === undefined ? "/" : new URL(url).pathname;
  const page = renderPage(
    {
      name: "problem",
      status: 404,
      title: "This page is not here",
      detail:
        "The address is mistyped, or the page is gone. Without a network, there are the start page, Explore, Play, Docs, and pages that you have opened.",
    },
    { kind: "site", base, here: "404.html" },
  );
  // The first base of a page is the one that counts.
  return url === undefined ? page.replace("<base ", `<script>${FIND_BASE}</script><base `) : page;
}
