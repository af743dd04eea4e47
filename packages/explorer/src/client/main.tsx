import { type ComponentChildren, hydrate, render } from "preact";
import { useErrorBoundary } from "preact/hooks";
import type { Host, Page } from "../page.js";
import { type Section, TopBar } from "../ui/layout.js";
import { LineBlock } from "../ui/line.js";
import { isLive, type LivePage, LiveView } from "../view.js";
import { HostContext } from "./host.js";
import { pageAt } from "./page-at.js";
import { siteSource } from "./site-source.js";
import { readServer, Source } from "./source.js";

/** Returns an element of the rendered document. */
function part(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element #${id}`);
  return element;
}

const { host, section, page } = JSON.parse(part("page").textContent) as {
  readonly host: Host;
  readonly section: Section | undefined;
  readonly page: Page;
};
/**
 * Shows an element's content, or, where that fails, the content that the server rendered, with a
 * sentence. An older browser may lack what the content needs.
 */
function Guarded({
  element,
  rendered,
  children,
}: {
  readonly element: HTMLElement;
  readonly rendered: string;
  readonly children: ComponentChildren;
}) {
  const [failure] = useErrorBoundary((error) => {
    console.error(error);
    // Not before Preact has removed its own elements.
    setTimeout(() => {
      element.innerHTML = `${FAILED}${rendered}`;
      document.documentElement.removeAttribute("data-live");
    });
  });
  return failure === undefined ? children : null;
}

/** What an element begins with whose content has failed. */
const FAILED = `<div class="trouble" role="alert"><p>This page does not work in this browser: it
can be read, and its links can be followed. <a href="docs/explorer/#browsers">About these pages</a>
lists the browsers that it needs.</p></div>`;

/** Hydrates an element that the server rendered; returns a function that changes its content. */
function hydrateGuarded(element: HTMLElement, content: ComponentChildren) {
  const rendered = element.innerHTML;
  const guarded = (children: ComponentChildren) => (
    <Guarded {...{ element, rendered }}>{children}</Guarded>
  );
  hydrate(guarded(content), element);
  return (changed: ComponentChildren) => render(guarded(changed), element);
}

hydrate(<TopBar section={section} host={host} />, part("bar"));
if (isLive(page)) {
  const source = host.kind === "server" ? readServer : siteSource("site/worker.js");
  const app = (shown: LivePage) => (
    <HostContext.Provider value={host}>
      <Source.Provider value={source}>
        <LiveView key={JSON.stringify(shown)} page={shown} />
      </Source.Provider>
    </HostContext.Provider>
  );
  const change = hydrateGuarded(part("main"), app(page));
  // A file of a site is the same for all queries.
  if (host.kind === "site") change(app(pageAt(page, location)));
}
for (const block of document.querySelectorAll<HTMLElement>("[data-line]")) {
  hydrateGuarded(block, <LineBlock text={block.getAttribute("data-line") ?? ""} />);
  document.documentElement.setAttribute("data-live", "");
}
/** Makes a site work without a network, where the browser allows it. */
async function registerServiceWorker(): Promise<void> {
  await navigator.serviceWorker.register(new URL("service-worker.js", document.baseURI));
}
if (host.kind === "site") registerServiceWorker().catch(() => {});
// The page's address changes with its board, and the rendered link would lead to another one.
const skip = part("skip");
skip.setAttribute("href", "#main");
skip.addEventListener("click", (event) => {
  event.preventDefault();
  part("main").focus();
});
