import type { Page } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { openLive, type Site } from "./site.js";

const SHAPES = ["2x2", "2x3", "2x4", "2x5", "2x6", "2x7", "3x3", "3x4", "4x4"];
const WIDTHS = [360, 390, 768, 1280];

/** Lists the labels of moves that leave their place, or whose text is cut off or hidden by another one's. */
async function misplaced(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const faults: string[] = [];
    const boxOf = (element: Element) => element.getBoundingClientRect();
    const isWithin = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left - 1 &&
      inner.right <= outer.right + 1 &&
      inner.top >= outer.top - 1 &&
      inner.bottom <= outer.bottom + 1;
    for (const label of document.querySelectorAll(".stage .place, .stage .slide:not(.illegal)")) {
      const name = label.getAttribute("aria-label") ?? "";
      const cell = label.closest(".spot");
      const around = cell ?? label.closest(".around");
      if (around && !isWithin(boxOf(label), boxOf(around))) faults.push(`${name}: leaves its cell`);
      for (const text of label.querySelectorAll("b, .chip")) {
        if (!isWithin(boxOf(text), boxOf(label))) faults.push(`${name}: its text leaves it`);
      }
      if (boxOf(label).right > document.documentElement.clientWidth)
        faults.push(`${name}: leaves the page`);
    }
    return faults;
  });
}

/** The labels of moves on *Explore*, measured. */
export function testLabels(current: Site): void {
  describe("The labels of moves", () => {
    it.each(SHAPES)("stay in their cells on %s, whatever the width", async (shape) => {
      await using opened = await current.visitAlone();
      const { page } = opened;
      const [rows = 0, cols = 0] = shape.split("x").map(Number);
      const first = Array.from({ length: rows }, (_, row) =>
        Array.from({ length: cols }, (_, col) => (row === 0 && col < 2 ? 2 : 0)).join("_"),
      ).join("/");
      for (const turn of ["slider", "placer"]) {
        await openLive(page, `/explore/${shape}?board=${first}&turn=${turn}`);
        await page.locator(".stage .place, .stage .slide:not(.illegal)").first().waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          expect([turn, width, ...(await misplaced(page))]).toEqual([turn, width]);
        }
      }
    });
  });
}
