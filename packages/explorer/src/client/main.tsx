import { hydrate, render } from "preact";
import type { Host, Page } from "../page.js";
import { LineBlock } from "../results/line.js";
import { TopBar } from "../ui/layout.js";
import { isLive, type LivePage, LiveView, sectionOf } from "../view.js";
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

const { host, page } = JSON.parse(part("page").textContent) as {
  readonly host: Host;
  readonly page: Page;
};
hydrate(<TopBar section={sectionOf(page)} host={host} />, part("bar"));
if (isLive(page)) {
  const source = host.kind === "server" ? readServer : siteSource("site/worker.js");
  const app = (shown: LivePage) => (
    <HostContext.Provider value={host}>
      <Source.Provider value={source}>
        <LiveView key={JSON.stringify(shown)} page={shown} />
      </Source.Provider>
    </HostContext.Provider>
  );
  hydrate(app(page), part("main"));
  // A file of a site is the same for all queries.
  if (host.kind === "site") render(app(pageAt(page, location)), part("main"));
}
for (const block of document.querySelectorAll("[data-line]")) {
  hydrate(<LineBlock text={block.getAttribute("data-line") ?? ""} />, block);
  document.documentElement.setAttribute("data-live", "");
}
if (host.kind === "site" && "serviceWorker" in navigator) {
  // Without it, the site needs a network.
  navigator.serviceWorker.register(new URL("service-worker.js", document.baseURI)).catch(() => {});
}
// The page's address changes with its board, and the rendered link would lead to another one.
const skip = part("skip");
skip.setAttribute("href", "#main");
skip.addEventListener("click", (event) => {
  event.preventDefault();
  part("main").focus();
});
