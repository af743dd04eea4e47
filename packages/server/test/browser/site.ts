import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Board, parseBoard } from "@gridlock/game";
import {
  type Browser,
  findChromium,
  gridlock,
  launchChromium,
  type Page,
  temporaryFolder,
  type Visit,
  type VisitOptions,
  Visits,
} from "@gridlock/testbed";
import { afterAll, beforeAll, expect } from "vitest";
import { type Served, serve } from "../setup.js";

/** The root of the repository, whose results and documents are served. */
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

const chromium = findChromium();
/** Returns whether there is no browser to test with. */
export const noBrowser = chromium === undefined;
if (noBrowser) {
  console.warn(
    "the tests in a browser are skipped: found no Chromium. Install one, for example with apt-get install chromium-headless-shell, or name it with GRIDLOCK_CHROMIUM",
  );
}

/** A test file's site and browser: 2×2, 2×3 (tabulated), and 3×3 solved; others as published. */
export interface Site {
  /** The server; a test that stops it starts it again. */
  served: Served;
  /** Opens a page for a test, which tests with the same size of window share. */
  visit(options?: VisitOptions): Promise<Visit>;
  /** Starts the server, at the address that it had before if it was stopped. */
  start(): Promise<void>;
}

/** Prepares a site before the tests of a file. */
export function site(): Site {
  let browser: Browser;
  let db: string;
  let shared: Visits;
  const prepared: Site = {
    served: undefined as never, // until `start`
    visit: (options) => shared.visit(options),
    async start() {
      const port = prepared.served ? Number(new URL(prepared.served.url).port) : 0;
      const options = { db, port, root: ROOT, published: true, budget: 1, memory: 2 ** 28 };
      prepared.served = await serve({ ...options, limits: { enough: 0.1 } }, afterAll);
    },
  };
  beforeAll(async () => {
    if (chromium === undefined) return;
    const folder = temporaryFolder(afterAll);
    db = join(folder, "test.db");
    for (const command of [
      ["solve", "2x2"],
      ["solve", "3x3"],
      ["tabulate", "2x3"],
    ]) {
      const { code, stderr } = await gridlock(folder, [...command, "--db", db, "--quiet"]);
      if (code !== 0) throw new Error(stderr);
    }
    await prepared.start();
    browser = await launchChromium(chromium);
    shared = new Visits(browser, prepared.served.url);
    afterAll(() => browser.close());
  });
  return prepared;
}

/** Opens an interactive page, and waits until the browser has taken it over. */
export async function openLive(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("html[data-live]").waitFor();
}

/** Waits until a page shows the expected state. */
export function soon<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { interval: 20 });
}

/** Returns the board on a page. */
export async function boardOn(page: Page): Promise<Board> {
  const label = await page.locator(".stage .tiles").getAttribute("aria-label");
  const rows = (label ?? "").split("; ").map((row) => row.replace(/^row \d+: /, ""));
  return parseBoard(rows.join("/").replaceAll(",", "").replaceAll("empty", "0")).board;
}

/** Waits until a page announces a matching text to screen readers. */
export async function untilSaid(page: Page, text: RegExp): Promise<void> {
  await page.locator("[data-announcer]", { hasText: text }).waitFor({ state: "attached" });
}

/** Pixels that a finger needs. */
const FINGER = 44;

/**
 * Lists what is too small to be pressed by a finger. Exempt are links within sentences, what only a
 * keyboard reaches, and the two placements in a cell of *Explore*, which its table lists as well.
 */
export async function tooSmall(page: Page): Promise<string[]> {
  return await page.evaluate((least) => {
    const isInSentence = (each: Element) =>
      each.localName === "a" &&
      getComputedStyle(each).display === "inline" &&
      [...(each.parentElement?.childNodes ?? [])].some(
        (other) => other.nodeType === Node.TEXT_NODE && /\w/.test(other.textContent ?? ""),
      );
    const pressed = [...document.querySelectorAll("a, button, summary, select, textarea, input")];
    return pressed.flatMap((each) => {
      if (each.matches(".explore .place, svg a") || isInSentence(each)) return [];
      // A label is pressed in place of what it names.
      const place = each.matches("[type=radio], [type=checkbox]") ? each.closest("label") : each;
      const { width, height } = (place ?? each).getBoundingClientRect();
      if (width <= 1 || (width > least - 1 && height > least - 1)) return [];
      const name = each.textContent || each.getAttribute("aria-label") || each.outerHTML;
      return [`${name}: ${width} by ${height}`];
    });
  }, FINGER);
}
