import { accessibilityFaults, type VisitOptions } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import type { Site } from "./site.js";

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
  ["an experiment with charts", "/results/paper/table1/"],
  ["a document", "/docs/explorer/"],
  ["Runs", "/runs"],
  ["the API", "/v1/docs"],
] as const;

/** Each page once in each theme and each size. */
const LOOKS: readonly VisitOptions[] = [
  { size: "desktop", theme: "light" },
  { size: "phone", theme: "dark" },
];

/** Every page in both themes and sizes, and those for errors. */
export function testPages(current: Site): void {
  describe.each(LOOKS)("in $theme colours on a $size", (look) => {
    it.each(PAGES)("%s is accessible, fits, and logs no errors", async (_, path) => {
      await using opened = await current.visit(look);
      const { page, faults } = opened;
      await page.goto(path, { waitUntil: "load" });
      const lives = /^\/(explore|play|runs|$)/.test(path);
      if (lives) await page.locator("html[data-live]").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      expect(faults).toEqual([]);
    });

    it.each([
      ["/nothing", 404, "there is nothing at /nothing"],
      ["/results/nothing/", 404, "there is no page /results/nothing"],
      ["/explore/3x3?board=2_3_0/16_0_0/0_0_0", 400, "3 is not a tile"],
      ["/play/9x9", 400, "9x9 has 81 cells"],
    ])("%s is refused with a sentence", async (path, status, sentence) => {
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
