import type { Node } from "@gridlock/game";
import { renderToString } from "preact-render-to-string";
import { HostContext } from "./client/host.js";
import { firstSpot, pictureAddress, readBoard } from "./logic/address.js";
import { boundOf } from "./logic/grade.js";
import { gameName, nodeTitle, nodeWords } from "./logic/words.js";
import type { ExplorePage, Host, Page, ProblemPage } from "./page.js";
import { titleOf } from "./results/files.js";
import { DocsView, DocumentView, ResultsView } from "./results/page.js";
import { Heading, TopBar } from "./ui/layout.js";
import { isLive, LiveView, sectionOf } from "./view.js";

/** Renders a page as a whole HTML document. */
export function renderPage(page: Page, host: Host): string {
  const { title, description } = describePage(page);
  const { url } = host;
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <base href={host.base} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {url !== undefined && (
          // What previews of links show beside the title needs whole addresses.
          <>
            <meta property="og:url" content={new URL(host.here, url).href} />
            <meta
              property="og:image"
              content={new URL(pictureAddress(nodeOf(page), host), url).href}
            />
            <meta name="twitter:card" content="summary_large_image" />
          </>
        )}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="site/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="site/app.css" />
        <script src="site/theme.js" />
        <script type="module" src="site/app.js" />
      </head>
      <body>
        <a id="skip" class="button hidden" href={`${host.here}#main`}>
          Skip to the content
        </a>
        <header id="bar">
          <TopBar section={sectionOf(page)} host={host} />
        </header>
        <main id="main" tabIndex={-1} class={`page-${page.name}`}>
          <HostContext.Provider value={host}>
            <View page={page} />
          </HostContext.Provider>
        </main>
        <footer>
          Gridlock solves adversarial 2048 exactly. <a href="docs/explorer/">About these pages</a>
        </footer>
        <script
          type="application/json"
          id="page"
          dangerouslySetInnerHTML={{
            __html: asScript({
              host,
              section: sectionOf(page),
              page: isLive(page) ? page : { name: page.name },
            }),
          }}
        />
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(document)}`;
}

/** Returns the board that stands for a page. */
function nodeOf(page: Page): Node {
  if (page.name === "explore" && page.answer !== null) return readBoard(page.board, page.turn);
  if (page.name === "starts" && page.table.starts[0])
    return readBoard(page.table.starts[0].board, "slider");
  const shape = page.name === "explore" || page.name === "play" ? page.shape : "3x3";
  return firstSpot(shape, [2, 4]).node;
}

/** Writes JSON so that it can stand in a script element. */
function asScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function View({ page }: { readonly page: Page }) {
  if (isLive(page)) return <LiveView page={page} />;
  if (page.name === "results") return <ResultsView page={page} />;
  if (page.name === "docs") return <DocsView page={page} />;
  if (page.name === "document") return <DocumentView page={page} />;
  return <ProblemView page={page} />;
}

/** A page for what cannot be shown. */
function ProblemView({ page }: { readonly page: ProblemPage }) {
  return (
    <>
      <p class="note">{page.status}</p>
      <Heading title={page.title}>{page.detail}</Heading>
      <p class="ways row">
        <a class="button" href="./">
          Go to the start page
        </a>
      </p>
    </>
  );
}

const DESCRIPTION = "What a perfect slider can force in 2048, whatever tile lands next.";

/** Returns a page's title, and the description that previews of links show. */
function describePage(page: Page): { title: string; description: string } {
  if (page.name === "explore") return describeExplore(page);
  if (page.name === "play") return titled(`Play ${gameName(page.shape, page.tiles)}`);
  if (page.name === "starts") {
    return titled(`All starts of ${gameName(page.table.shape, page.table.tiles)}`);
  }
  if (page.name === "document") return titled(titleOf(page.markdown, page.path));
  if (page.name === "results") return titled("Results");
  if (page.name === "docs") return titled("Documentation");
  if (page.name === "runs") return titled("Runs");
  if (page.name === "problem") return titled(page.title, page.detail);
  return { title: "Gridlock", description: DESCRIPTION };
}

function describeExplore({ answer, problem, board, turn, shape, tiles }: ExplorePage) {
  if (answer === null) return titled(`Explore ${gameName(shape, tiles)}`, problem ?? DESCRIPTION);
  const node = readBoard(board, turn);
  return titled(nodeTitle(node), nodeWords(node, boundOf(answer, node.board)));
}

function titled(title: string, description = DESCRIPTION) {
  return { title: `${title} · Gridlock`, description };
}
