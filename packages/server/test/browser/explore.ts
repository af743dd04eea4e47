import { formatBoard } from "@gridlock/game";
import { accessibilityFaults, type Page } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { boardOn, openLive, type Site, soon, untilSaid } from "./site.js";

const START = "/explore/3x3?board=2_0_0/0_4_0/0_0_0&turn=slider&tiles=2,4";

async function shownOn(page: Page): Promise<string> {
  return formatBoard(await boardOn(page));
}

/** Returns the figure in large digits. */
function valueOn(page: Page): Promise<string> {
  return page.locator(".headline strong").innerText();
}

/** In short runs, each test is in one size. */
const SIZES = ["desktop", "phone"] as const;

/** *Explore*: by clicks, keys, text, links without scripts, and while the server is gone. */
export function testExplore(current: Site): void {
  describe.each(SIZES)("Explore on a %s", (size) => {
    const tagsIfNot = (short: (typeof SIZES)[number]) => ({ tags: size === short ? [] : ["long"] });

    const clicks =
      "makes moves by clicks, and goes back and forth with the browser and its own buttons";
    it(clicks, tagsIfNot("phone"), async () => {
      await using opened = await current.visit({ size });
      const { page, faults } = opened;
      await openLive(page, "/explore/3x3/");
      await page.locator(".slide.to-left").click();
      await untilSaid(page, /Placer to move/);
      // The page of the move goes back to an address without a board.
      await page.reload();
      await page.locator("html[data-live]").waitFor();
      await page.goBack();
      await untilSaid(page, /Slider to move. Worth 184/);
      expect(await shownOn(page)).toBe("2 2 0/0 0 0/0 0 0");
      await openLive(page, START);
      expect(await valueOn(page)).toBe("180");
      await page.locator(".slide.to-left").click();
      await untilSaid(page, /Slid left, 0 points. Placer to move. Worth 180 points./);
      expect(await shownOn(page)).toBe("2 0 0/4 0 0/0 0 0");
      expect(page.url()).toContain("board=2_0_0/4_0_0/0_0_0&turn=placer&tiles=2,4");
      await page
        .getByRole("link", { name: /^4: .* in row 1, column 3,/ })
        .first()
        .click();
      await untilSaid(page, /Placed a 4 in row 1, column 3. Slider to move./);
      expect(await shownOn(page)).toBe("2 0 4/4 0 0/0 0 0");
      await page.goBack();
      await untilSaid(page, /Placer to move. Worth 180/);
      expect(await shownOn(page)).toBe("2 0 0/4 0 0/0 0 0");
      await page.getByRole("button", { name: "Undo" }).click();
      await untilSaid(page, /Slider to move. Worth 180/);
      expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
      await page.getByRole("button", { name: "Redo" }).click();
      await page.getByRole("button", { name: "Redo" }).click();
      await page.locator(".tiles[aria-label^='row 1: 2, empty, 4']").waitFor();
      await page.getByRole("button", { name: "Reset" }).click();
      await page.locator(".tiles[aria-label^='row 1: 2, 2, empty']").waitFor();
      await soon(() => valueOn(page)).toBe("184");
      // A browser that refuses to copy shows the link instead.
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
      });
      const shown = page.waitForEvent("dialog");
      page.once("dialog", (dialog) => dialog.dismiss());
      await page.getByRole("button", { name: "Copy link" }).click();
      expect((await shown).defaultValue()).toContain("explore/3x3/?board=2_2_0/0_0_0/0_0_0");
      expect(faults).toEqual([]);
    });

    it("takes a board as text, and explains errors in it", tagsIfNot("desktop"), async () => {
      await using opened = await current.visit({ size });
      const { page, faults } = opened;
      await openLive(page, START);
      const field = page.getByRole("textbox", { name: /^Board/ });
      await field.fill("2 3 16/0 0 0/0 0 0");
      await field.press("Enter");
      const error = page.getByRole("alert");
      const marked = "3 is not a tile.*\n {2}2 3 16/0 0 0/0 0 0\n {4}\\^\n";
      expect(await error.innerText()).toMatch(new RegExp(marked));
      expect(await accessibilityFaults(page)).toEqual([]);
      await field.fill("4 4 0/0 0 0/0 0 0");
      await field.press("Enter");
      await untilSaid(page, /Worth 164 points/);
      // A paste keeps its lines.
      await field.fill("");
      await page.evaluate(() =>
        document.querySelector<HTMLElement>(".board-form textarea")?.focus(),
      );
      await page.keyboard.insertText("2 0 0\n0 4 0\n0 0 0\n");
      expect(await field.inputValue()).toBe("2 0 0\n0 4 0\n0 0 0\n");
      await field.press("Enter");
      await untilSaid(page, /Worth 180 points/);
      expect(await field.inputValue()).toBe("2 0 0/0 4 0/0 0 0");
      await field.fill("1 0 0 0 2 0 0 0 0");
      await field.press("Enter");
      await page.getByText(/read as exponents/).waitFor();
      expect(await shownOn(page)).toBe("2 0 0/0 4 0/0 0 0");
      await field.fill("2 2/0 0");
      await field.press("Enter");
      await page.waitForURL(/explore\/2x2\/\?board=2_2\/0_0/);
      expect(await valueOn(page)).toBe("12");
      expect(faults).toEqual([]);
    });

    it("sets tiles by clicks", tagsIfNot("phone"), async () => {
      await using opened = await current.visit({ size });
      const { page, faults } = opened;
      await openLive(page, START);
      await page.getByRole("button", { name: "Set tiles" }).click();
      await page.getByRole("radio", { name: "16", exact: true }).check({ force: true });
      await page.getByRole("button", { name: "row 3, column 3: empty" }).click();
      await page.locator(".tiles[aria-label$='empty, 16']").waitFor();
      await untilSaid(page, /Slider to move. Worth/);
      expect(await shownOn(page)).toBe("2 0 0/0 4 0/0 0 16");
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    });
  });

  describe("Explore with the keyboard", () => {
    it("slides, makes best moves, mirrors, rotates, changes who moves, undoes", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await openLive(page, START);
      const press = async (key: string, board: string) => {
        await page.keyboard.press(key);
        await soon(() => shownOn(page)).toBe(board);
      };
      await press("ArrowDown", "0 0 0/0 0 0/2 4 0");
      // Tiles do not slide where the reader wants no motion.
      expect(
        await page
          .locator(".tile")
          .first()
          .evaluate((tile) => getComputedStyle(tile).transitionDuration),
      ).toBe("0s");
      await page.locator(".place.grade-best").first().waitFor();
      await page.keyboard.press(" ");
      await untilSaid(page, /Placed a .* Worth 180 points/);
      await press("z", "0 0 0/0 0 0/2 4 0");
      await press("m", "0 0 0/0 0 0/0 4 2");
      await press("r", "0 0 0/4 0 0/2 0 0");
      await page.keyboard.press("t");
      await untilSaid(page, /Slider to move/);
      await press("w", "4 0 0/2 0 0/0 0 0");
      expect(faults).toEqual([]);
    });

    it("sets tiles: E chooses the first cell at once, and arrows the others", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await openLive(page, START);
      const focused = () =>
        page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
      await page.keyboard.press("e");
      await soon(focused).toBe("row 1, column 1: 2");
      await page.keyboard.press("+");
      await page.keyboard.press("ArrowRight");
      await soon(focused).toBe("row 1, column 2: empty");
      await page.keyboard.press("+");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Delete");
      await untilSaid(page, /Slider to move. Worth/);
      expect(await shownOn(page)).toBe("4 2 0/0 0 0/0 0 0");
      // Once tiles are set, the moves have the arrows again.
      await page.keyboard.press("e");
      await page.locator(".edit-cell").first().waitFor({ state: "detached" });
      await page.keyboard.press("ArrowDown");
      await untilSaid(page, /Slid down/);
      expect(faults).toEqual([]);
    });

    it("reaches everything with Tab, and shows what a focused move leads to", async () => {
      await using opened = await current.visit();
      const { page } = opened;
      await openLive(page, START);
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Skip");
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(() => document.activeElement?.matches(".slide.to-down"))) break;
      }
      await soon(() => shownOn(page)).toBe("0 0 0/0 0 0/2 4 0");
      await page.keyboard.press("Enter");
      await untilSaid(page, /Slid down/);
    });

    it("lists its keys", async () => {
      await using opened = await current.visit();
      const { page } = opened;
      await openLive(page, START);
      await page.getByRole("button", { name: "Keys" }).click();
      await page.getByRole("dialog").getByText("make the best move").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // Letters can be switched off as keys; arrows cannot.
      await page.getByRole("checkbox", { name: /^Letters/ }).uncheck();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await page.keyboard.press("t");
      await page.keyboard.press("ArrowLeft");
      await untilSaid(page, /Slid left/);
    });
  });

  describe("Explore", () => {
    it("shows where a published value comes from, and what is open", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await openLive(page, "/explore/4x4?board=2_2_0_0/0_0_0_0/0_0_0_0/0_0_0_0");
      expect(await valueOn(page)).toBe("at least 488");
      await page.getByText("Source: published in results/4x4.json").waitFor();
      await page.getByText(/^Also at least 1,536 by the literature .*; not checked here/).waitFor();
      await page.locator(".moves .verdict", { hasText: "may be better" }).nth(2).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // The value is known, but not which slide is best: the page asks for more than what it came
      // with.
      const asked = page.waitForRequest(/\/v1\/3x4\?board=/);
      await openLive(page, "/explore/3x4?board=2_2_0_0/0_0_0_0/0_0_0_0");
      await asked;
      expect(await valueOn(page)).toBe("548");
      await page
        .getByText(
          /published in results\/3x4.json, confirmed by a checked certificate and a second search/,
        )
        .waitFor();
      expect(faults).toEqual([]);
    });

    it("shows after a move what the answer before says, until the board's own arrives", async () => {
      await using opened = await current.visit();
      const { page } = opened;
      await openLive(page, START);
      let answerNow = () => {};
      const held = new Promise<void>((resolve) => {
        answerNow = resolve;
      });
      await page.route(/\/v1\/3x3\?/, async (route) => {
        await held;
        await route.continue();
      });
      await page.locator(".slide.to-left").click();
      await page.locator(".headline progress").waitFor();
      expect(await valueOn(page)).toBe("180");
      await page.getByText("Source: the answer for the board before.").waitFor();
      const verdicts = page.locator(".moves .verdict");
      expect(new Set(await verdicts.allInnerTexts())).toEqual(new Set(["searching …"]));
      expect(await page.locator(".moves tbody tr").count()).toBe(14);
      expect(await page.locator(".place.grade-best").count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      answerNow();
      await untilSaid(page, /Placer to move. Worth 180/);
      await page.locator(".headline progress").waitFor({ state: "detached" });
      const ring = (grade: string) =>
        page
          .locator(`.place.grade-${grade}`)
          .first()
          .evaluate((label) => getComputedStyle(label).boxShadow);
      expect(await ring("best")).not.toBe("none");
    });

    it("can be read and walked through without scripts", async () => {
      await using opened = await current.visit({ scripts: false });
      const { page, faults } = opened;
      await page.goto(START);
      expect(await valueOn(page)).toBe("180");
      await page.getByRole("table").getByRole("link", { name: "up", exact: true }).click();
      expect(await shownOn(page)).toBe("2 4 0/0 0 0/0 0 0");
      await page.getByRole("link", { name: /^4: .* in row 3, column 3/ }).click();
      expect(await shownOn(page)).toBe("2 4 0/0 0 0/0 0 4");
      const field = page.getByRole("textbox", { name: /^Board/ });
      await field.fill("4 4 0/0 0 0/0 0 0");
      await page.getByRole("button", { name: "Show" }).click();
      expect(await valueOn(page)).toBe("164");
      expect(faults).toEqual([]);
    });

    it("reports that the server is gone, and continues when it is back", async () => {
      await using opened = await current.visit({ cached: false });
      const { page } = opened;
      await openLive(page, START);
      await current.served.stop();
      await page.locator(".slide.to-left").click();
      await page.getByText("The server does not answer.").waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await current.start();
      await untilSaid(page, /Slid left, 0 points. Placer to move. Worth 180 points./);
      await page.getByText("The server does not answer.").waitFor({ state: "hidden" });
    });
  });
}
