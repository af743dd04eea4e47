/*
 * Takes the pictures of the explorer for the documentation: `docs/explore.png` and `docs/play.png`.
 * Solves and tabulates 3×3 for them, which takes a minute, and needs Chromium.
 *
 *     node scripts/release/pictures.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  findChromium,
  launchChromium,
  runGridlock,
  TemporaryFolder,
  Visits,
  whileServing,
} from "@gridlock/testbed";
import { parseCommandLine } from "../command-line.js";

parseCommandLine({});

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A board with different values for all slides, whose best slide is not best by chance. */
const SHOWN = "8_2_4/32_2_2/2_64_0";
/** The slides of the game in the picture that are not the best ones, by their numbers. */
const MISTAKES = [5, 12];

const chromium = findChromium();
if (chromium === undefined) throw new Error("found no Chromium; name one with GRIDLOCK_CHROMIUM");
const folder = new TemporaryFolder().path;
const db = join(folder, "pictures.db");
runGridlock(folder, "solve", "3x3", "--db", db, "--quiet", "--json");
runGridlock(folder, "tabulate", "3x3", "--db", db, "--quiet", "--json");
const browser = await launchChromium(chromium);
try {
  await whileServing(db, (url) => takePictures(browser, url));
} finally {
  await browser.close();
}

async function takePictures(browser, site) {
  const visits = new Visits(browser, site);
  const explore = await visits.visit();
  await explore.page.goto(`/explore/3x3?board=${SHOWN}&turn=slider`);
  await save(explore.page, "explore");
  await explore[Symbol.asyncDispose]();

  const play = await visits.visit();
  // The placer's choice among equally good placements is the same each time.
  await play.page.addInitScript("Math.random = () => 0");
  await play.page.goto("/play/3x3?board=2_0_2/0_0_0/0_0_0");
  await playGame(play.page);
  await save(play.page, "play");
}

/** Plays a game with some mistakes, and goes back to the last one. */
async function playGame(page) {
  await page.locator("html[data-live]").waitFor();
  await page.keyboard.press("v");
  for (let slide = 0; ; slide++) {
    await page.locator(".slide[class*='grade-'], .review").first().waitFor();
    if ((await page.locator(".review").count()) > 0) break;
    const wanted = MISTAKES.includes(slide) ? "slight, costly, grave" : "best";
    const [best, ...others] = wanted.split(", ").map((grade) => `.slide.grade-${grade}`);
    const wished = page.locator([best, ...others].join(","));
    const chosen = (await wished.count()) > 0 ? wished : page.locator(".slide.grade-best");
    const before = await page.locator(".stage .tiles").getAttribute("aria-label");
    await chosen.first().click();
    await page.waitForFunction((label) => {
      const shown = document.querySelector(".stage .tiles").getAttribute("aria-label");
      const waits = document.querySelector(".slide[class*='grade-'], .review") === null;
      return shown !== label && !waits;
    }, before);
  }
  await page.locator(".plies .gave").last().click();
}

/** Takes a picture of the whole page. */
async function save(page, name) {
  await page.mouse.move(0, 0);
  writeFileSync(join(root, `docs/${name}.png`), await page.screenshot({ fullPage: true }));
  console.log(`docs/${name}.png`);
}
