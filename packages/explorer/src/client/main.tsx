import { hydrate } from "preact";
import type { Page } from "../page.js";
import { TopBar } from "../ui/layout.js";
import { isLive, LiveView, sectionOf } from "../view.js";

/** Returns an element of the rendered document. */
function part(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element #${id}`);
  return element;
}

const page = JSON.parse(part("page").textContent) as Page;
hydrate(<TopBar section={sectionOf(page)} />, part("bar"));
if (isLive(page)) hydrate(<LiveView page={page} />, part("main"));
