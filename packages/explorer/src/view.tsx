import { useEffect } from "preact/hooks";
import { ApiView } from "./api/page.js";
import { ExploreView } from "./explore/page.js";
import { HomeView } from "./home.js";
import type { Page } from "./page.js";
import { PlayView } from "./play/page.js";
import { GrowthView } from "./results/growth.js";
import { StartsView } from "./results/starts.js";
import { RunsView } from "./runs/page.js";
import type { Section } from "./ui/layout.js";

/** A page that the browser takes over. The others are as the server rendered them. */
export type LivePage = Extract<
  Page,
  { name: "home" | "explore" | "play" | "starts" | "growth" | "runs" | "api" }
>;

const LIVE: ReadonlySet<string> = new Set<LivePage["name"]>([
  ...(["home", "explore", "play", "starts", "growth", "runs", "api"] as const),
]);

/** Returns whether the browser takes a page over. */
export function isLive(page: Page): page is LivePage {
  return LIVE.has(page.name);
}

/** The content of a page that the browser takes over. */
export function LiveView({ page }: { readonly page: LivePage }) {
  // What needs scripts is shown from here on.
  useEffect(() => document.documentElement.setAttribute("data-live", ""), []);
  if (page.name === "home") return <HomeView page={page} />;
  if (page.name === "explore") return <ExploreView page={page} />;
  if (page.name === "play") return <PlayView page={page} />;
  if (page.name === "starts") return <StartsView page={page} />;
  if (page.name === "growth") return <GrowthView page={page} />;
  if (page.name === "api") return <ApiView page={page} />;
  return <RunsView page={page} />;
}

/** Returns the section that a page belongs to. */
export function sectionOf({ name }: Page): Section | undefined {
  if (name === "starts" || name === "growth" || name === "document" || name === "reference")
    return "results";
  return name === "problem" ? undefined : name;
}
