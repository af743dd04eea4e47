import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Browser, CDPSession, Page } from "playwright-core";
import { findProgram } from "./redis-program.js";

export type { Browser, Page } from "playwright-core";

/**
 * The programs that tests drive. The first one has no windows, which saves a third of the processor
 * time or more.
 */
const PROGRAMS = [
  "chromium-headless-shell",
  ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
];

/** Returns the path of Chromium: `GRIDLOCK_CHROMIUM` or, without that, the one on the PATH. */
export function findChromium(): string | undefined {
  const { GRIDLOCK_CHROMIUM } = process.env;
  return GRIDLOCK_CHROMIUM || findProgram(...PROGRAMS);
}

/** Starts a browser without a window. */
export async function launchChromium(program: string): Promise<Browser> {
  // Loaded here, since most tests need no browser.
  const { chromium } = await import("playwright-core");
  // Containers have neither the rights for Chromium's sandbox nor much shared memory.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
  return await chromium.launch({ executablePath: program, args });
}

/** Options of a visit. */
export interface VisitOptions {
  readonly size?: "desktop" | "phone";
  readonly theme?: "light" | "dark";
  readonly scripts?: boolean;
  /** False if pages get no service worker, which would load a whole site's files. Default: true. */
  readonly serviceWorker?: boolean;
  /** False to empty the browser's cache first. Default: true. */
  readonly cached?: boolean;
}

const SIZES = {
  desktop: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;

/** Playwright's message on the console of a page whose service worker it blocks. */
const BLOCKED = "Service Worker registration blocked by Playwright";

/** A visit to a site: a page of a browser that keeps nothing, and what went wrong on it. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Errors and warnings on the console, uncaught errors, and requests to other hosts. */
  readonly faults: string[];
}

/**
 * Visits to a site, on pages whose animations do not run; what goes wrong on them is collected. The
 * pages are used again, since a browser takes most of its time to open them: the next visit with the
 * same size and the same `serviceWorker` gets the same page, with nothing stored.
 */
export class Visits {
  readonly #browser: Browser;
  readonly #site: string;
  readonly #opened = new Map<string, Opened>();

  /** @param site the address of the site, `http://127.0.0.1:2048` */
  constructor(browser: Browser, site: string) {
    this.#browser = browser;
    this.#site = site;
  }

  /** Opens a page, or takes that of an earlier visit; cleans it when the visit is disposed of. */
  async visit(options: VisitOptions = {}): Promise<Visit> {
    const { size = "desktop", serviceWorker = true } = options;
    const key = `${size} ${serviceWorker}`;
    const opened = this.#opened.get(key) ?? (await open(this.#browser, this.#site, options));
    this.#opened.set(key, opened);
    await begin(opened, options);
    return { ...opened, [Symbol.asyncDispose]: () => clean(opened, size) };
  }
}

interface Opened extends Omit<Visit, keyof AsyncDisposable> {
  readonly devtools: CDPSession;
}

async function open(
  browser: Browser,
  site: string,
  { size = "desktop", serviceWorker = true }: VisitOptions,
): Promise<Opened> {
  const context = await browser.newContext({
    ...SIZES[size],
    baseURL: site,
    reducedMotion: "reduce",
    serviceWorkers: serviceWorker ? "allow" : "block",
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    const isBlocked = !serviceWorker && message.text() === BLOCKED;
    if (/^(error|warning)$/.test(message.type()) && !isBlocked) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${site}/`)) faults.push(`request to ${request.url()}`);
  });
  return { page, faults, devtools: await context.newCDPSession(page) };
}

/** Sets what pages that are used again may have set otherwise. */
async function begin(
  { page, devtools }: Opened,
  { theme = "light", scripts = true, cached = true }: VisitOptions,
): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await devtools.send("Emulation.setScriptExecutionDisabled", { value: !scripts });
  if (!cached) await devtools.send("Network.clearBrowserCache");
}

/** Leaves a page as it was opened, with nothing stored and no faults. */
async function clean({ page, faults, devtools }: Opened, size: keyof typeof SIZES): Promise<void> {
  const { origin } = new URL(page.url());
  await page.unrouteAll();
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  const storageId = { securityOrigin: origin, isLocalStorage: false };
  // A page in a sandbox, such as an answer of the API, has stored nothing.
  await devtools.send("DOMStorage.clear", { storageId }).catch(() => {});
  await page.goto("about:blank");
  const { viewport } = SIZES[size];
  if (page.viewportSize()?.width !== viewport.width) await page.setViewportSize(viewport);
  faults.splice(0);
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** The rules that pages are held to: those of WCAG 2.2 up to level AA, and best practices. */
const RULES: RunOptions = { resultTypes: ["violations"] };

/** Checks a page with axe; returns a line for each violation of the rules of accessibility. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, "utf8"));
  const { violations } = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: { run(document: Document, rules: RunOptions): Promise<AxeResults> };
    };
    return await axe.run(document, rules);
  }, RULES);
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`,
  );
}
