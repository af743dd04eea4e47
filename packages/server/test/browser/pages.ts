import { accessibilityFaults, type VisitOptions } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { openLive, type Site, soon, tooSmall } from "./site.js";

const EXPLORE = "/explore/3x3?board=2_0_0/0_4_0/8_0_2";
const PAGES = [
  ["the start page", "/"],
  ["Explore with the slider to move", `${EXPLORE}&turn=slider`],
  ["Explore with the placer to move", `${EXPLORE}&turn=placer`],
  ["Explore where chance is tabulated", "/explore/2x3?board=2_0_0/0_4_0&turn=slider"],
  ["Explore with an open interval", "/explore/3x4?board=2_2_0_0/0_0_0_0/0_0_0_0"],
  ["Explore with intervals in cells", "/explore/4x4?board=2_2_0_0/0_0_0_0/0_0_0_0/0_0_0_0_placer"],
  ["Play as the slider", "/play/3x3"],
  ["Play as the placer", "/play/2x3?slider=perfect&placer=you"],
  ["Watch", "/play/2x3?slider=perfect&placer=perfect"],
  ["Results", "/results/"],
  ["all starts", "/results/2x2/"],
  ["published starts without a file of their own", "/results/2x5-tiles-2/"],
  ["the growth of the cost", "/results/growth/"],
  ["an experiment with charts", "/results/paper/table1/"],
  ["a document", "/docs/explorer/"],
  ["a document with lines of play", "/docs/perfect-play/"],
  ["Runs", "/runs"],
  ["the documents", "/docs/"],
  ["the API", "/v1/docs"],
] as const;

/** Each page once in each theme and each size. */
const LOOKS: readonly VisitOptions[] = [
  { size: "desktop", theme: "light" },
  { size: "phone", theme: "dark" },
];

const REFUSED = [
  ["/nothing", 404, "there is nothing at /nothing"],
  ["/explore/3x3?board=2_3_0/16_0_0/0_0_0", 400, "3 is not a tile"],
  ["/results/nothing/", 404, "there is no page /results/nothing"],
  ["/play/9x9", 400, "9x9 has 81 cells"],
] as const;

/** Every page, and those for errors, in both looks (theme and size): in one only in long runs. */
export function testPages(current: Site): void {
  describe.each(LOOKS)("in $theme colours on a $size", (look) => {
    const tagsOf = (page: number) => (page % 2 === LOOKS.indexOf(look) ? [] : ["long"]);

    PAGES.forEach(([name, path], i) => {
      it(`${name} is accessible, fits, and logs no errors`, { tags: tagsOf(i) }, () => fits(path));
    });

    async function fits(path: string): Promise<void> {
      await using opened = await current.visit(look);
      const { page, faults } = opened;
      await page.goto(path, { waitUntil: "load" });
      const lives = /^\/(explore|play|runs|results\/\d|docs\/perfect|$)/.test(path);
      if (lives) await page.locator("html[data-live]").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      const rows = await page.evaluate(
        () =>
          new Set(
            [...document.querySelectorAll(".bar nav a")].map((a) => a.getBoundingClientRect().top),
          ).size,
      );
      expect(rows).toBe(1);
      for (const width of look.size === "phone" ? [360, 390] : []) {
        await page.setViewportSize({ width, height: 844 });
        expect([width, ...(await tooSmall(page))]).toEqual([width]);
      }
      expect(faults).toEqual([]);
    }

    REFUSED.forEach(([path, status, sentence], i) => {
      it(`${path} is refused with a sentence`, { tags: tagsOf(i >> 1) }, async () => {
        await using opened = await current.visit(look);
        const { page, faults } = opened;
        const response = await page.goto(path);
        expect(response?.status()).toBe(status);
        expect(await page.locator("main").innerText()).toContain(sentence);
        expect(await accessibilityFaults(page)).toEqual([]);
        // The browser itself reports the status of the page.
        expect(faults.filter((fault) => !fault.includes(`a status of ${status}`))).toEqual([]);
      });
    });
  });

  describe("the page of all starts", () => {
    it("steps through a line of best play, by buttons, its slider and keys", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await openLive(page, "/results/3x3/");
      const start = page.locator(".card").first();
      await start.locator("summary").click();
      const said = start.locator(".line-said");
      expect(await said.innerText()).toMatch(/, 184 points so far\.$/);
      const slider = start.getByRole("slider", { name: "Moves made" });
      await slider.press("Home");
      await soon(() => said.innerText()).toBe("The start, 0 points so far.");
      const board = start.locator("details .tiles");
      expect(await board.getAttribute("aria-label")).toMatch(/^row 1: 2, 2, empty;/);
      await start.getByRole("button", { name: "On" }).click();
      await soon(() => said.innerText()).toMatch(/^Slide \w+, [04] points so far\.$/);
      expect(await slider.getAttribute("aria-valuetext")).toMatch(/^Slide/);
      await start.getByRole("link", { name: "Explore this board" }).click();
      await page.waitForURL(/turn=placer/);
      expect(faults).toEqual([]);
    });

    it("says what confirms the values, and shows the lines without scripts", async () => {
      await using opened = await current.visit({ scripts: false });
      const { page } = opened;
      await page.goto("/results/3x3/");
      const evidence = page.getByRole("region", { name: "Where the values come from" });
      expect(await evidence.innerText()).toMatch(/a certificate of 1\d\d,\d+ claims/);
      const start = page.locator(".card").first();
      await start.locator("summary").click();
      await start.locator(".moves-text", { hasText: "down" }).waitFor();
      expect(await start.locator("details .tiles").isVisible()).toBe(true);
      expect(await start.locator(".stepper").isVisible()).toBe(false);
    });
  });

  it("keeps what the server rendered in a browser that lacks a built-in", async () => {
    await using opened = await current.visit();
    const { page, faults } = opened;
    await page.route("**/site/theme.js", (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: "delete Array.prototype.toReversed;",
      }),
    );
    await page.goto(EXPLORE);
    await page
      .locator(".trouble", { hasText: "This page does not work in this browser" })
      .waitFor();
    const board = page.locator(".stage .tiles");
    expect(await board.getAttribute("aria-label")).toMatch(/^row 1: 2, empty, empty; row 2: empty/);
    // The board's bounds as the page has them before any search, but after what other pages asked
    // the server.
    expect(await page.locator(".value strong").innerText()).toMatch(
      /^(\d+( … \d+)?|at least \d+|not known)$/,
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator(".slide.to-left").click();
    await page.waitForURL(/turn=placer/);
    expect(faults.join("\n")).toMatch(/toReversed is not a function/);
  });

  it("steps through a line of play in a document", async () => {
    await using opened = await current.visit();
    const { page, faults } = opened;
    await page.goto("/docs/perfect-play/");
    const line = page.locator(".line-block").first();
    expect(await line.innerText()).toContain("184 points so far");
    await line.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await soon(() => line.innerText()).toContain("The start, 0 points so far");
    await line.getByRole("button", { name: "On" }).click();
    await soon(() => line.innerText()).toContain("Slide down, 0 points so far");
    expect(faults).toEqual([]);
  });

  describe("the theme", () => {
    it("follows the system, or the reader's choice, from the first picture on", async () => {
      await using opened = await current.visit({ theme: "dark" });
      const { page } = opened;
      const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await page.goto("/");
      const dark = await colour();
      const button = page.getByRole("button", { name: /^Theme/ });
      await button.click();
      const light = await colour();
      expect(light).not.toBe(dark);
      await page.goto("/results/");
      expect(await colour()).toBe(light);
      await button.click();
      expect(await colour()).toBe(dark);
    });
  });
}
