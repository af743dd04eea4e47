import type { Answer } from "@gridlock/explorer";
import { boundByRules, cellCount, parseBoard } from "@gridlock/game";
import type { Page } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { openLive, type Site } from "./site.js";

/** The smallest shape, the widest, the tallest, and the one with most cells. */
const SHAPES = ["2x2", "2x7", "4x4", "7x2"];
const MORE_SHAPES = ["2x3", "2x4", "2x5", "2x6", "3x3", "3x4"];
const WIDTHS = [360, 390, 768, 1280];

/** Lists the labels of moves that leave their place or the page, lie over each other, or whose text leaves them. */
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
      const { left, right } = boxOf(label);
      if (left < 0 || right > document.documentElement.clientWidth)
        faults.push(`${name}: leaves the page`);
      for (const other of document.querySelectorAll(
        ".stage .place, .stage .slide, .around > .board",
      )) {
        if (other === label || other.contains(label)) continue;
        const [one, two] = [boxOf(label), boxOf(other)];
        const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        if (across > 1 && down > 1) faults.push(`${name}: lies over ${other.className}`);
      }
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push("the page is wider than the window");
    return faults;
  });
}

/** Makes all bounds of the answers that a page asks for as wide, and as long to write, as the shape allows. */
async function widenAnswers(page: Page): Promise<void> {
  await page.route(/\/v1\/\d+x\d+\?/, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as Answer;
    const { board, turn } = parseBoard(answer.board);
    // Bounds near those of the rules are shown as lower bounds alone.
    const most = boundByRules({ board, turn }).hi - 8 * cellCount(board);
    const hi = Math.min(most, 987_654);
    const wide = { lo: Math.min(123_456, Math.floor(hi / 2)), hi, value: null };
    const moves = answer.moves.map((move) => ({ ...move, ...wide, verdict: "open" as const }));
    await route.fulfill({ response, json: { ...answer, ...wide, moves } });
  });
}

/** The labels of moves on *Explore*, measured. */
export function testLabels(current: Site): void {
  describe("The labels of moves", () => {
    const stay = "stay in their cells on %s, whatever the width";
    it.each(SHAPES)(stay, staysInCells);
    it.each(MORE_SHAPES)(stay, { tags: ["long"] }, staysInCells);

    async function staysInCells(shape: string): Promise<void> {
      await using opened = await current.visit();
      const { page } = opened;
      const [rows = 0, cols = 0] = shape.split("x").map(Number);
      const first = Array.from({ length: rows }, (_, row) =>
        Array.from({ length: cols }, (_, col) => (row === 0 && col < 2 ? 2 : 0)).join("_"),
      ).join("/");
      const check = async (what: string) => {
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          expect([what, width, ...(await misplaced(page))]).toEqual([what, width]);
        }
      };
      for (const [turn, other] of [
        ["slider", "placer"],
        ["placer", "slider"],
      ]) {
        await openLive(page, `/explore/${shape}?board=${first}&turn=${turn}`);
        await page.locator(".stage .place, .stage .slide:not(.illegal)").first().waitFor();
        await check(`${turn} to move`);
        await widenAnswers(page);
        await page.keyboard.press("t");
        const wide = other === "slider" ? /…/ : /≥/;
        await page.locator(`.stage :is(.place, .slide) .open`, { hasText: wide }).first().waitFor();
        await check(`${other} to move, with intervals`);
        await page.unrouteAll({ behavior: "wait" });
      }
    }
  });
}
