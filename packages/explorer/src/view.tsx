import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { ExploreView } from "./explore/page.js";
import { HomeView } from "./home.js";
import type { Page } from "./page.js";
import { PlayView } from "./play/page.js";
import { StartsView } from "./results/starts.js";
import { RunsView } from "./runs/page.js";
import type { Section } from "./ui/layout.js";

const VIEWS = {
  home: HomeView,
  explore: ExploreView,
  play: PlayView,
  starts: StartsView,
  runs: RunsView,
};

/** A page that the browser takes over. The others are as the server rendered them. */
export type LivePage = Extract<Page, { name: keyof typeof VIEWS }>;

/** Returns whether the browser takes a page over. */
export function isLive(page: Page): page is LivePage {
  return page.name in VIEWS;
}

/** The content of a page that the browser takes over. */
export function LiveView({ page }: { readonly page: LivePage }) {
  // What needs scripts is shown from here on.
  useEffect(() => document.documentElement.setAttribute("data-live", ""), []);
  const View = VIEWS[page.name] as ComponentType<{ page: LivePage }>;
  return <View page={page} />;
}

/** Returns the section that a page belongs to. */
export function sectionOf(page: Page): Section | undefined {
  const { name } = page;
  if (name === "document") return page.path.startsWith("docs/") ? "docs" : "results";
  if (name === "starts") return "results";
  return name === "problem" ? undefined : name;
}
