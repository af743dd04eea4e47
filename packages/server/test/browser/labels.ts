import type { Answer } from "@gridlock/explorer";
import { boundByRules, cellCount, parseBoard } from "@gridlock/game";
import type { Page } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { openLive, type Site, tooSmall } from "./site.js";

/** The smallest shape, the widest, the tallest, and the one with most cells. */
const SHAPES = ["2x2", "2x7", "4x4", "7x2"];
const MORE_SHAPES = ["2x3", "2x4", "2x5", "2x6", "3x3", "3x4"];
const WIDTHS = [360, 390, 768, 1280];

/**
 * Lists what leaves its place or the page, or lies over something else: the labels of moves with
 * their texts, and all buttons and links at the board; and boards that leave the width unused.
 */
async function misplaced(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const faults: string[] = [];
    const boxOf = (element: Element) => element.getBoundingClientRect();
    const isWithin = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left - 1 &&
      inner.right <= outer.right + 1 &&
      inner.top >= outer.top - 1 &&
      inner.bottom <= outer.bottom + 1;
    const pressed = [...document.querySelectorAll(".stage :is(a, button), .stage label")].filter(
      (each) => boxOf(each).width > 0,
    );
    const board = document.querySelector(".around > .board") as Element;
    for (const label of pressed) {
      const name = label.getAttribute("aria-label") ?? label.textContent;
      const place = label.closest(".spot") ?? label.closest(".ending") ?? label.closest(".around");
      if (place && !isWithin(boxOf(label), boxOf(place))) faults.push(`${name}: leaves its place`);
      for (const text of label.querySelectorAll("b, .chip")) {
        if (!isWithin(boxOf(text), boxOf(label))) faults.push(`${name}: its text leaves it`);
      }
      const { left, right } = boxOf(label);
      if (left < 0 || right > document.documentElement.clientWidth)
        faults.push(`${name}: leaves the page`);
      for (const other of label.closest(".ending") ? pressed : [...pressed, board]) {
        if (other === label || other.contains(label) || label.contains(other)) continue;
        const [one, two] = [boxOf(label), boxOf(other)];
        const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        if (across > 1 && down > 1) faults.push(`${name}: lies over ${other.className}`);
      }
    }
    const [used, room] = [boxOf(board), boxOf(document.querySelector(".stage") as Element)];
    if (used.width < 0.6 * room.width && used.height < 0.4 * innerHeight)
      faults.push(`the board has ${used.width} of ${room.width} pixels`);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push("the page is wider than the window");
    return faults;
  });
}

/** Lists the words on a page that name keys, which a touch screen does not have. */
async function ofKeys(page: Page): Promise<string[]> {
  return (
    (await page.locator("main").innerText()).match(/\b(Tab|WASD|W A S D|Keys?|press)\b/g) ?? []
  );
}

/** Makes all bounds of a page's answers as wide, and as long to write, as the shape allows. */
async function widenAnswers(page: Page): Promise<void> {
  await page.route(/\/v1\/\d+x\d+\?/, async (route) => {
    const response = await route.fetch({ maxRetries: 3 }); // the server closes idle connections
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

/** Measures the labels and buttons around boards, on *Explore* and in games. */
export function testLabels(current: Site): void {
  describe("The labels of moves", () => {
    const stay = "stay in their cells on %s, whatever the width";
    it.each(SHAPES)(stay, staysInCells);
    it.each(MORE_SHAPES)(stay, { tags: ["long"] }, staysInCells);

    async function staysInCells(shape: string): Promise<void> {
      await using opened = await current.visit();
      const { page } = opened;
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
        await openLive(page, `/explore/${shape}?board=${firstOf(shape)}&turn=${turn}`);
        await page.locator(".stage .place, .stage .slide:not(.illegal)").first().waitFor();
        await check(`${turn} to move`);
        await widenAnswers(page);
        await page.keyboard.press("t");
        await waitForIntervals(page, other === "slider" ? /…/ : /≥/);
        await check(`${other} to move, with intervals`);
        await page.unrouteAll({ behavior: "wait" });
      }
    }
  });

  describe("A game", () => {
    const fits = "has room for its board and buttons on %s, whatever the width";
    it.each(["2x7", "4x4"])(fits, fitsGame);
    it.each(["2x2", "7x2", ...MORE_SHAPES])(fits, { tags: ["long"] }, fitsGame);

    async function fitsGame(shape: string): Promise<void> {
      for (const size of ["desktop", "phone"] as const) {
        await using opened = await current.visit({ size });
        const { page } = opened;
        await widenAnswers(page);
        for (const [mode, query, ready] of gamesOf(shape)) {
          // The other modes have no buttons of their own.
          if (size === "phone" && !/^(Slide|Place|The end)/.test(mode)) continue;
          await openLive(page, `/play/${shape}?${query}`);
          await page.locator(ready).first().waitFor();
          if (/^(Slide|Place)/.test(mode)) await page.keyboard.press("v");
          for (const width of size === "phone" ? [360] : WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            const faults = await misplaced(page);
            if (size === "phone") faults.push(...(await tooSmall(page)), ...(await ofKeys(page)));
            expect([mode, size, width, ...faults]).toEqual([mode, size, width]);
          }
        }
        // A page goes on asking while the person thinks.
        await page.unrouteAll({ behavior: "wait" });
      }
    }
  });
}

/** Returns the first start of a shape. */
function firstOf(shape: string): string {
  return filled(shape, (row, col) => (row === 0 && col < 2 ? 2 : 0));
}

function filled(shape: string, tile: (row: number, col: number) => number): string {
  const [rows = 0, cols = 0] = shape.split("x").map(Number);
  const rowOf = (row: number) => Array.from({ length: cols }, (_, col) => tile(row, col)).join("_");
  return Array.from({ length: rows }, (_, row) => rowOf(row)).join("/");
}

/** Lists games of each kind: its name, its query, and what it shows when it is ready. */
function gamesOf(shape: string): (readonly [mode: string, query: string, ready: string])[] {
  const first = firstOf(shape);
  const stuck = filled(shape, (row, col) => ((row + col) % 2 === 0 ? 2 : 4));
  return [
    ["Slide", `board=${first}`, ".slide:not(.illegal)"],
    ["Place tiles", `slider=perfect&placer=you&board=${first}&turn=placer`, ".spot a"],
    ["Watch", `slider=perfect&placer=perfect&board=${first}`, ".stage"],
    ["A game to look at", `board=${first}&moves=1.l`, ".stepper"],
    ["The end of a game", `board=${stuck}`, ".ending"],
  ];
}

/** Waits until the labels of moves show open intervals. */
async function waitForIntervals(page: Page, text: RegExp): Promise<void> {
  await page.locator(".stage :is(.place, .slide) .open", { hasText: text }).first().waitFor();
}
