import { formatBoard, tileSum } from "@gridlock/game";
import { accessibilityFaults, type Page } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { boardOn, openLive, type Site, soon, untilSaid } from "./site.js";

const ARROWS: Readonly<Record<string, string>> = {
  up: "ArrowUp",
  left: "ArrowLeft",
  down: "ArrowDown",
  right: "ArrowRight",
};

/** A game of 3×3 whose slider gave away 124 points in three moves. */
const GAME_WITH_MISTAKES =
  "tiles=2,4&board=2_2_0/0_0_0/0_0_0&slider=you&placer=perfect&moves=28.dLlJdDrJdFdDuNrIdClLrNlEdFlF";

/** Asks the server for the values of a position's slides; returns the worst or best one's name. */
async function slideOn(page: Page, { served }: Site, which: "best" | "worst"): Promise<string> {
  const board = await boardOn(page);
  const shape = `${board.rows}x${board.cols}`;
  const asked = formatBoard(board).replaceAll(" ", "_");
  const { json } = await served.get(`/v1/${shape}?board=${asked}&turn=slider`);
  const moves: { move: string; score: number; value: number }[] = json.moves;
  const sorted = moves.sort((a, b) => b.score + b.value - a.score - a.value);
  return (which === "best" ? sorted[0]?.move : sorted.at(-1)?.move) as string;
}

/** Returns a figure of the score. */
async function figure(page: Page, name: string): Promise<string> {
  return await page.locator(".figures div", { hasText: name }).locator("dd").innerText();
}

/** Opens a game, and waits until its first position is valued. */
async function begin(page: Page, path: string): Promise<void> {
  await openLive(page, path);
  await soon(() => figure(page, "In all")).not.toBe("…");
}

/** Plays a game to its end, and returns the page's verdict. */
async function playOut(
  page: Page,
  site: Site,
  move: (name: string) => Promise<void>,
  which: "best" | "worst",
) {
  const over = page.locator(".status", { hasText: "Game over" });
  for (;;) {
    await page.locator(".slide:not(.illegal), .review").first().waitFor();
    if ((await over.count()) > 0) return await over.innerText();
    const sum = tileSum(await boardOn(page));
    await move(await slideOn(page, site, which));
    await page.waitForFunction((before) => {
      const label = document.querySelector(".stage .tiles")?.getAttribute("aria-label") ?? "";
      const tiles = label.replaceAll(/row \d+:/g, "").match(/\d+/g) ?? [];
      return tiles.reduce((total, tile) => total + Number(tile), 0) > before;
    }, sum);
  }
}

/** *Play*: whole games on either side, and games that are watched. */
export function testPlay(current: Site): void {
  describe("Play against the strong placer", () => {
    const exactly = "gives a perfect slider exactly the value of a start of %s";
    it.each([["2x3", "2_2_0/0_0_0", "44"]])(exactly, givesValue);

    async function givesValue(shape: string, start: string, value: string): Promise<void> {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, `/play/${shape}?board=${start}`);
      await soon(() => figure(page, "In all")).toBe(value);
      const press = (name: string) => page.keyboard.press(ARROWS[name] as string);
      const said = await playOut(page, current, press, "best");
      // On a busy machine, the placer may have to move before its best move is found.
      const account = () => page.locator(".facts .figures dd").allInnerTexts();
      await soon(account).toEqual(["0", expect.stringMatching(/^\d+$/)]);
      const [, given] = await account();
      const points = Number(value) + Number(given);
      expect(said).toContain(`Game over with ${points} points. The start was worth ${value}`);
      expect(await figure(page, "Points so far")).toBe(String(points));
      if (given === "0") expect(await page.locator(".chart .mistake").count()).toBe(0);

      // Step back through the game.
      const end = formatBoard(await boardOn(page));
      await page.keyboard.press("ArrowLeft");
      const before = formatBoard(await boardOn(page));
      expect(before).not.toBe(end);
      await page.keyboard.press("ArrowRight");
      expect(formatBoard(await boardOn(page))).toBe(end);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    }

    it("counts and marks the mistakes of a poor slider, who swipes on a phone", async () => {
      await using opened = await current.visit({ size: "phone", theme: "dark" });
      const { page, faults } = opened;
      // Some of the placer's equally good replies leave no slide that is a mistake; this takes the
      // first ones.
      await using _chosen = await page.addInitScript("Math.random = () => 0");
      await begin(page, "/play/2x3?board=4_2_0/0_0_0");
      const swipe = async (name: string) => {
        const [x, y] = { up: [0, -60], down: [0, 60], left: [-60, 0], right: [60, 0] }[
          name
        ] as number[];
        const touch = { pointerType: "touch", clientX: 150, clientY: 300 };
        const board = page.locator(".around");
        await board.dispatchEvent("pointerdown", touch);
        await board.dispatchEvent("pointerup", {
          ...touch,
          clientX: 150 + (x as number),
          clientY: 300 + (y as number),
        });
      };
      const said = await playOut(page, current, swipe, "worst");
      const account = /with (\d+) points.*worth 44: you gave (\d+) away/;
      expect(said).toMatch(account);
      const [, score, given] = account.exec(said) ?? [];
      expect(Number(score) + Number(given)).toBe(44);
      expect(Number(given)).toBeGreaterThan(0);
      // The end is on the board, with the ways on.
      const ending = page.locator(".around > .ending");
      expect(await ending.innerText()).toMatch(/Play again\s+Learn from your (\d+ )?mistakes?$/);
      expect(await page.locator(".chart .mistake").count()).toBeGreaterThan(0);
      expect(await page.locator(".plies .gave").count()).toBeGreaterThan(0);
      expect(await page.locator(".facts .figures dd").first().innerText()).toBe(given);
      expect(await accessibilityFaults(page)).toEqual([]);

      // Any move of the game can be looked at, and played on from.
      await page.locator(".plies button").nth(1).click();
      await page.getByRole("link", { name: "Explore this board" }).click();
      await page.waitForURL(/\/explore\/2x3/);
      expect(faults).toEqual([]);
    });

    it("plays all keys that are typed while the opponent replies", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await openLive(page, "/play/3x3/?board=2_0_0/0_4_0/0_0_2&tiles=2");
      for (const key of ["Left", "Right", "Left"]) await page.keyboard.press(`Arrow${key}`);
      // Each slide moves tiles, whatever is placed, and each placement adds 2.
      await soon(async () => tileSum(await boardOn(page))).toBe(14);
      expect(faults).toEqual([]);
    });

    it("gives hints, shows values, and takes moves back", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/3x3?board=4_4_0/0_0_0/0_0_0");
      await page.keyboard.press("h");
      await page.getByText(/^Best: slide left, slide down, slide right. 164 points/).waitFor();
      await page.keyboard.press("v");
      expect(await page.locator(".slide.grade-best").count()).toBe(3);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("a");
      await untilSaid(page, /Placed a .* Slider to move/);
      // A merge shows its points, which do not move where the reader wants no motion.
      const gain = page.locator(".gain");
      expect(await gain.innerText()).toBe("+8");
      expect(await gain.evaluate((each) => getComputedStyle(each).animationName)).toBe("none");
      await page.keyboard.press("z");
      await soon(async () => formatBoard(await boardOn(page))).toBe("4 4 0/0 0 0/0 0 0");
      expect(await figure(page, "Points so far")).toBe("0");
      expect(faults).toEqual([]);
    });
  });

  describe("Play on a shape without known values", () => {
    it("has the opponent make its strongest known reply, and counts only proven mistakes", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/4x4?board=2_2_0_0/0_0_0_0/0_0_0_0/0_0_0_0");
      await page.getByText("Slide against the strong placer.").waitFor();
      await soon(() => figure(page, "In all")).toBe("at least 488");
      await page.keyboard.press("h");
      await page.getByText(/^No move is proven best. May be best: slide /).waitFor();
      await page.keyboard.press("v");
      expect(await page.locator(".around").innerText()).not.toMatch(/M/);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press("ArrowLeft");
      await untilSaid(page, /Placed a .* Slider to move. (Its value is not known|Worth at least)/);
      const given = await page.locator(".facts .figures dd").allInnerTexts();
      expect(given).toEqual(["none proven", "none proven"]);
      expect(faults).toEqual([]);
    });
  });

  describe("Play while a search takes long", () => {
    it("slides and replies with what is known, and values the moves when it is over", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const searched: string[] = [];
      await page.route(/\/v1\/.*&budget=(?!0\.00)/, async (route) => {
        searched.push(route.request().url());
        await held;
        // The page has ended the searches of boards that it does not show any more.
        await route.continue().catch(() => {});
      });
      await openLive(page, "/play/2x4?board=2_4_2_0/0_0_4_0");
      await page.keyboard.press("ArrowLeft");
      await untilSaid(page, /Placed a .* Slider to move/);
      await page.keyboard.press("ArrowUp");
      await untilSaid(page, /Placed a .* Slider to move/);
      expect(await page.locator(".slide:not(.illegal)").count()).toBeGreaterThan(0);
      const main = page.locator("main");
      expect(await main.innerText()).toMatch(/not known yet: the placer is strong, but/);
      expect(await main.innerText()).not.toMatch(/perfect (placer|here)/);
      // No board is asked for twice while its search is under way.
      await soon(() => searched.length).toBeGreaterThan(0);
      expect(new Set(searched).size).toBe(searched.length);
      release();
      await page
        .getByText("The value of this board is known: the placer is perfect here.")
        .waitFor();
      await soon(() => page.locator(".facts .figures dd").first().innerText()).toMatch(/^\d+$/);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    });
  });

  describe("other ways to play", () => {
    it("places tiles with the keyboard against the perfect slider", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/2x3?slider=perfect&placer=you&board=2_2_0/0_0_0");
      const places = page.locator(".spot a");
      await places.first().waitFor();
      const sum = tileSum(await boardOn(page));
      await places.first().focus();
      await page.keyboard.press("4");
      await untilSaid(page, /Slid/);
      await places.first().waitFor();
      expect(tileSum(await boardOn(page))).toBe(sum + 4);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    });

    it.each(["random", "evil"])("plays against the %s placer", async (placer) => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, `/play/2x2?placer=${placer}&board=2_2/0_0`);
      await page.keyboard.press("ArrowLeft");
      await untilSaid(page, /Placed a/);
      expect(faults).toEqual([]);
    });

    it("watches a published player, move by move and by itself", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/2x2?slider=emr&placer=perfect&board=2_2/0_0");
      await page.getByRole("button", { name: "One move" }).waitFor();
      const made = async () =>
        Number((await page.locator("output").allInnerTexts())[0]?.split(" ")[0] ?? 0);
      await soon(async () => {
        await page.keyboard.press("n");
        return await made();
      }).toBeGreaterThan(0);
      await page.getByRole("slider", { name: "Speed" }).fill("12");
      await page.locator("body").press(" ");
      await page.locator(".status", { hasText: "Game over" }).waitFor();
      expect(await made()).toBeGreaterThan(2);
      expect(faults).toEqual([]);
    });

    it("starts new games by its form, without mistaking who plays", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/3x3");
      await page.getByRole("combobox", { name: "Placer" }).selectOption("you");
      await page.getByRole("combobox", { name: "Slider" }).selectOption("perfect");
      await page.getByRole("combobox", { name: "Start" }).selectOption("random");
      await page.getByRole("button", { name: "New game" }).click();
      await page.waitForURL(/slider=perfect&placer=you&board=[\d_%F]+&tiles=/);
      await page.getByText(/^Your turn: place a tile/).waitFor();
      expect(faults).toEqual([]);
    });

    it("is finished with the keyboard alone, by the slider", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/2x2?board=2_2/0_0");
      const keys = ["a", "w", "d", "s"];
      for (let i = 0; (await page.locator(".review").count()) === 0; i++) {
        await page.locator(".slide:not(.illegal), .review").first().waitFor();
        await page.keyboard.press(keys[i % keys.length] as string);
      }
      await page
        .getByText(/^Game over with/)
        .first()
        .waitFor();
      expect(faults).toEqual([]);
    });

    it("is finished with the keyboard alone, by the placer", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/2x2?slider=perfect&placer=you&board=2_2/0_0");
      for (let i = 0; ; i++) {
        await page.locator(".spot a, .review").first().waitFor();
        if ((await page.locator(".review").count()) > 0) break;
        const sum = tileSum(await boardOn(page));
        await page.keyboard.press(i % 2 === 0 ? "ArrowDown" : "ArrowRight");
        await page.locator(".spot a:focus").waitFor();
        await page.keyboard.press(i % 2 === 0 ? "4" : "2");
        await soon(async () => tileSum(await boardOn(page))).toBeGreaterThan(sum);
        await page.locator(".spot a:not(:focus), .review").first().waitFor();
      }
      await page
        .getByText(/^Game over with/)
        .first()
        .waitFor();
      expect(faults).toEqual([]);
    });

    it("continues when the server is back", async () => {
      await using opened = await current.visit({ cached: false });
      const { page } = opened;
      await begin(page, "/play/2x3");
      await soon(() => figure(page, "In all")).toBe("44");
      await current.served.stop();
      await page.keyboard.press("ArrowLeft");
      await page.getByText("The server does not answer.").waitFor();
      await current.start();
      await untilSaid(page, /Placed a .* Slider to move/);
    });
  });

  describe("a game that was left", () => {
    it("is there after a reload, and its best score when it is over", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/2x2?board=2_2/0_0");
      await page.keyboard.press("ArrowLeft");
      await untilSaid(page, /Placed a .* Slider to move/);
      const board = formatBoard(await boardOn(page));
      const cost = await page.locator(".facts .figures dd").first().innerText();
      await page.goto("about:blank");
      await begin(page, "/play/2x2");
      await soon(async () => formatBoard(await boardOn(page))).toBe(board);
      await soon(() => page.locator(".facts .figures dd").first().innerText()).toBe(cost);

      // It continues to its end.
      const press = (name: string) => page.keyboard.press(ARROWS[name] as string);
      const said = await playOut(page, current, press, "best");
      const score = /with (\d+) points/.exec(said)?.[1];
      await soon(() => figure(page, "Your best")).toBe(score);

      // A new game forgets it, but not the score.
      await page.getByRole("button", { name: "New game" }).click();
      await page.getByText(/^Your turn: slide/).waitFor();
      expect(await figure(page, "Points so far")).toBe("0");
      await soon(() => figure(page, "Your best")).toBe(score);
      expect(faults).toEqual([]);
    });

    it("is not overwritten by the same game in another tab", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await begin(page, "/play/2x2?board=2_2/0_0");
      await page.keyboard.press("ArrowLeft");
      await untilSaid(page, /Placed a .* Slider to move/);
      const board = formatBoard(await boardOn(page));
      // Another tab continues it, and then begins anew.
      await using other = await page.context().newPage();
      await begin(other, "/play/2x2?board=2_2/0_0");
      await soon(async () => formatBoard(await boardOn(other))).toBe(board);
      await other.getByRole("button", { name: "Restart" }).click();
      await other.keyboard.press("ArrowDown");
      await untilSaid(other, /Placed a .* Slider to move/);
      const otherBoard = formatBoard(await boardOn(other));
      expect(otherBoard).not.toBe(board);
      await begin(page, "/play/2x2?board=2_2/0_0");
      await soon(async () => formatBoard(await boardOn(page))).toBe(board);
      await begin(other, "/play/2x2?board=2_2/0_0");
      await soon(async () => formatBoard(await boardOn(other))).toBe(otherBoard);
      expect(faults).toEqual([]);
    });

    it("is played on the start page too, where nothing can be stored", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await using _refused = await page.addInitScript(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })",
      );
      await begin(page, "/");
      await soon(() => figure(page, "In all")).toBe("184");
      await page.keyboard.press("ArrowDown");
      await untilSaid(page, /Placed a .* Slider to move/);
      await page.reload();
      await soon(() => figure(page, "Points so far")).toBe("0");
      expect(faults).toEqual([]);
    });
  });

  describe("the address of a game", () => {
    it("shows what each mistake cost, to the point", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await openLive(page, `/play/3x3/?${GAME_WITH_MISTAKES}`);
      await page.getByRole("button", { name: "Learn from the 3 mistakes" }).waitFor();
      expect(await page.locator(".facts .figures dd").allInnerTexts()).toEqual(["124", "0"]);
      expect(faults).toEqual([]);
    });

    it("is copied, and shows the game, its mistakes, and what would have been better", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      // A browser without a clipboard shows the address instead.
      await using _removed = await page.addInitScript("delete Navigator.prototype.clipboard");
      await using _chosen = await page.addInitScript("Math.random = () => 0");
      await begin(page, "/play/2x3?board=4_2_0/0_0_0");
      const press = (name: string) => page.keyboard.press(ARROWS[name] as string);
      const said = await playOut(page, current, press, "worst");
      const end = formatBoard(await boardOn(page));
      const shown = page.waitForEvent("dialog");
      page.once("dialog", (dialog) => dialog.dismiss());
      await page.getByRole("button", { name: "Share" }).click();
      const link = (await shown).defaultValue();
      expect(link.length).toBeLessThan(160);
      expect(await accessibilityFaults(page)).toEqual([]);

      await openLive(page, link);
      await page.getByText("Somebody slid against the strong placer.").waitFor();
      expect(formatBoard(await boardOn(page))).toBe("4 2 0/0 0 0");
      await page.keyboard.press("ArrowRight");
      await page
        .getByText(/^Move 1: slide/)
        .first()
        .waitFor();
      await page.keyboard.press("End");
      expect(formatBoard(await boardOn(page))).toBe(end);
      await soon(() => page.locator(".status").innerText()).toBe(
        said.replace("you gave", "the slider gave"),
      );
      expect(await accessibilityFaults(page)).toEqual([]);

      await page.getByRole("button", { name: /^Learn from/ }).click();
      await page.getByText(/^Mistake 1 of/).waitFor();
      for (const shown of ["#bar", ".stage .figures", ".lesson"]) {
        const { top = -1, bottom = Infinity } = await page
          .locator(shown)
          .evaluate((each) => each.getBoundingClientRect().toJSON());
        expect([shown, top >= 0, bottom <= 860]).toEqual([shown, true, true]);
      }
      await press(await slideOn(page, current, "best"));
      await page.getByText(/is best: it gives nothing away/).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);

      await openLive(page, link.slice(0, -2));
      const alert = page.getByRole("alert");
      expect(await alert.innerText()).toMatch(/^This address was cut off: it has only \d+ of the/);
      await openLive(page, "/play/2x3?board=2_0_48/0_0_0");
      expect(await alert.innerText()).toMatch(/^48 is not a tile.*\n {2}2_0_48\/0_0_0\n {6}\^\^\n/);
      expect(faults).toEqual([]);
    });
  });
}
