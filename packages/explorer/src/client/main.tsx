import { hydrate } from "preact";
import type { Host, Page } from "../page.js";
import { TopBar } from "../ui/layout.js";
import { isLive, LiveView, sectionOf } from "../view.js";
import { SiteSource } from "./site-source.js";
import { SERVER, Source } from "./source.js";

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
  const source = host.kind === "server" ? SERVER : new SiteSource("site/worker.js");
  hydrate(
    <Source.Provider value={source}>
      <LiveView page={page} />
    </Source.Provider>,
    part("main"),
  );
}
// The page's address changes with its board, and the rendered link would lead to another one.
const skip = part("skip");
skip.setAttribute("href", "#main");
skip.addEventListener("click", (event) => {
  event.preventDefault();
  part("main").focus();
});
