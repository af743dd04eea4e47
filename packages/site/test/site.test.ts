import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Answer } from "@gridlock/explorer";
import {
  formatBoard,
  type Game,
  parseBoard,
  parseShape,
  starts,
  unpackBoard,
} from "@gridlock/game";
import {
  accessibilityFaults,
  type Browser,
  findChromium,
  type LocalServer,
  launchChromium,
  Oracle,
  type Page,
  servePlainly,
  temporaryFolder,
  type Visit,
  type VisitOptions,
  Visits,
} from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { writeSite } from "../src/index.js";
import { lostPage } from "../src/lost-page.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** The folder of the host below which the site lies. */
const BELOW = "some/folder";
/** A file of the overwritten earlier site, and one that the list of its files lacks. */
const GONE = "gone.html";
const KEPT = "kept.txt";
const chromium = findChromium();

let host: string;
let folder: string;

async function write(to = folder): Promise<void> {
  await writeSite({
    folder: to,
    root: ROOT,
    version: "0.0.0",
    db: join(host, "test.db"),
    budget: 1,
    workers: 1,
    memory: 2 ** 27,
    publicUrl: "https://example.org/2048/",
    signal: new AbortController().signal,
    warn: () => {},
  });
}

beforeAll(async () => {
  host = temporaryFolder(afterAll);
  folder = join(host, BELOW);
  // An earlier site, with a page that is gone, and a file that is not the site's.
  mkdirSync(join(folder, "site"), { recursive: true });
  for (const path of [GONE, "index.html", KEPT]) writeFileSync(join(folder, path), "earlier");
  const all = [GONE, "index.html", "../kept.txt"];
  writeFileSync(join(folder, "site/files.json"), JSON.stringify({ all }));
  writeFileSync(join(folder, "../kept.txt"), "kept");
  await write();
}, 600_000); // the long tests run beside others for minutes

const textOf = (path: string) => readFileSync(join(folder, path), "utf8");

describe("a written site", () => {
  it("has pages that load no more than 250 kB before the search", () => {
    const first = ["index.html", "site/app.js", "site/app.css", "site/theme.js"];
    const bytes = first.reduce((sum, path) => sum + gzipSync(textOf(path)).length, 0);
    expect(bytes).toBeLessThan(250_000);
  });

  it("has all files that its pages name", () => {
    const { all, first } = JSON.parse(textOf("site/files.json"));
    const some = ["index.html", "play/4x4/index.html", "explore/2x7/index.html", "404.html"];
    expect(all).toEqual(expect.arrayContaining([...some, "site/kernel/3x3.solo.wasm"]));
    const kept = [
      "./",
      "explore/",
      "play/",
      "docs/",
      "lost/",
      "play/4x4/",
      "explore/2x7/",
      "docs/api/",
    ];
    expect(first).toEqual(expect.arrayContaining(kept));
    const pages = (all as string[]).filter((path) => /(?<!^lost\/)index\.html$/.test(path));
    const named = pages.flatMap((path) => {
      const [, base] = /<base href="([^"]*)"/.exec(textOf(path)) ?? [];
      expect(base).toBe("../".repeat(path.split("/").length - 1) || "./");
      const attributes = textOf(path).matchAll(/\s(?:href|src)="([^"#?]+)[^"]*"/g);
      return [...attributes].map(([, address = ""]) => address);
    });
    const isBelow = (address: string) => !/^([a-z]+:|\/|\.|v1\/board)/.test(address);
    const fileOf = (address: string) => (address.endsWith("/") ? `${address}index.html` : address);
    const missing = [...new Set(named)]
      .filter(isBelow)
      .filter((each) => !all.includes(fileOf(each)));
    expect(missing).toEqual([]);
  });

  it("has a picture of its board for previews of each page", () => {
    const html = textOf("explore/3x3/index.html");
    const [, address = ""] =
      /og:image" content="https:\/\/example.org\/2048\/([^"]+)"/.exec(html) ?? [];
    expect(address).toMatch(/^pictures\/[\d_.]+\.slider\.png$/);
    const png = readFileSync(join(folder, address));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it("has a page with title, value and picture for each start of the small shapes", () => {
    const { all } = JSON.parse(textOf("site/files.json"));
    for (const shape of ["2x2", "2x3", "2x4", "3x3"]) {
      for (const start of starts(parseShape(shape))) {
        const name = formatBoard(start).replaceAll(" ", "_").replaceAll("/", ".");
        const html = textOf(`explore/${shape}/${name}/index.html`);
        expect(html).toContain(`<title>${formatBoard(start)} · Gridlock</title>`);
        expect(html).toMatch(/og:description" content="Slider to move. Worth \d+ points/);
        expect(html).toContain(
          `og:image" content="https://example.org/2048/pictures/${name}.slider.png`,
        );
        expect(all).toContain(`pictures/${name}.slider.png`);
      }
    }
  });

  it("is written over an earlier site, and over nothing else", async () => {
    expect(existsSync(join(folder, GONE))).toBe(false);
    expect(textOf("index.html")).not.toBe("earlier");
    expect(textOf(KEPT)).toBe("earlier");
    expect(textOf("../kept.txt")).toBe("kept");
    const { all } = JSON.parse(textOf("site/files.json"));
    expect(all).not.toEqual(expect.arrayContaining([GONE]));
    await expect(write(join(host, "some"))).rejects.toThrow(/is not empty, and no site/);
  });

  it.each<[string, readonly unknown[], (site: string) => void]>([
    ["a folder", ["link/x"], (site) => symlinkSync("..", join(site, "link"))],
    ["an old file", ["old"], (site) => symlinkSync("../x", join(site, "old"))],
    ["a new file", [], (site) => symlinkSync("../x", join(site, "index.html"))],
  ])("is not written or removed through a link in place of %s", async (_, all, link) => {
    const around = temporaryFolder();
    const site = join(around, "public");
    mkdirSync(join(site, "site"), { recursive: true });
    writeFileSync(join(around, "x"), "precious");
    writeFileSync(join(site, "site/files.json"), JSON.stringify({ all: [5, ...all] }));
    link(site);
    await expect(write(site)).rejects.toThrow(/: it is a link to another file; expected a /);
    expect(readFileSync(join(around, "x"), "utf8")).toBe("precious");
  });

  it("is not looked for in a pipe", async () => {
    const site = temporaryFolder();
    mkdirSync(join(site, "site"));
    execFileSync("mkfifo", [join(site, "site/files.json")]);
    await expect(write(site)).rejects.toThrow(/is not empty, and no site/);
  });

  it("has the same addresses when it is written again", { tags: ["long"] }, async () => {
    // Pages of boards that are searched for a time may differ, but not their addresses.
    const filesNow = () => JSON.parse(textOf("site/files.json")).all;
    const before = filesNow();
    await write();
    expect(filesNow()).toEqual(before);
  });
});

describe.skipIf(chromium === undefined)("a site on a plain web host", () => {
  let browser: Browser;
  let server: LocalServer;
  let shared: Visits;
  beforeAll(async () => {
    server = await servePlainly(host);
    afterAll(() => server[Symbol.asyncDispose]());
    browser = await launchChromium(chromium as string);
    shared = new Visits(browser, server.url);
    afterAll(() => browser.close());
  });

  /**
   * Opens a page that tests share, without the service worker, which would load all files of the
   * site. One with it is for a test alone.
   */
  async function open(path: string, options: VisitOptions = {}): Promise<Visit> {
    const visits = options.serviceWorker ? new Visits(browser, server.url) : shared;
    const visited = await visits.visit({ serviceWorker: false, ...options });
    onTestFinished(() => visited[Symbol.asyncDispose]());
    await visited.page.goto(`/${BELOW}/${path}`);
    return visited;
  }

  /** Opens a page, and waits until the browser has taken it over. */
  async function openLive(path: string, options?: VisitOptions): Promise<Visit> {
    const visited = await open(path, options);
    await visited.page.locator("html[data-live]").waitFor();
    return visited;
  }

  /** Has a worker of the page answer positions: the same one, with its findings, at each call. */
  async function ask(page: Page, boards: readonly string[]): Promise<Answer[]> {
    const addresses = boards.map((board) => {
      const rows = board.split("/");
      const shape = `${rows.length}x${rows[0]?.split(" ").length}`;
      return `v1/${shape}?board=${board.replaceAll(" ", "_")}&turn=slider&tiles=2,4&budget=60`;
    });
    return await page.evaluate(async (all) => {
      const scope = globalThis as { asked?: Worker };
      scope.asked ??= new Worker(new URL("site/worker.js", document.baseURI), { type: "module" });
      const worker = scope.asked;
      const answers: Answer[] = [];
      for (const address of all) {
        const { port1, port2 } = new MessageChannel();
        const answer = new Promise<Answer>((resolve, reject) => {
          port1.onmessage = ({ data }) => {
            if (data.error) reject(new Error(data.error));
            else resolve(data.value);
          };
        });
        worker.postMessage(address, [port2]);
        answers.push(await answer);
      }
      return answers;
    }, addresses);
  }

  it("opens the address of any board, with what it is worth", async () => {
    const { page, faults } = await openLive("explore/3x3/?board=2_0_0/0_4_0/0_0_0&turn=slider", {
      serviceWorker: true,
    });
    await page.locator(".worth", { hasText: "180" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it("opens the game of the address, not the one of its page", async () => {
    const { page } = await openLive("explore/2x3/?board=2_2_0/0_0_0&turn=slider&tiles=2");
    await page.locator(".worth", { hasText: "516" }).waitFor();
    await page.goto(`/${BELOW}/play/2x3/?tiles=2`);
    await page.locator(".figures", { hasText: "516" }).waitFor();
    expect(await page.locator("h1").innerText()).toMatch(/2s only/);
    expect(await page.locator(".new-game option", { hasText: /^2 2 0.0 0 0: 516$/ }).count()).toBe(
      1,
    );
    await page.getByText("The value of this board is known: the placer is perfect here.").waitFor();
  });

  it("leaves the caches of other sites of its host alone", async () => {
    const { page } = await open("results/", { serviceWorker: true });
    const scope = `${server.url}/${BELOW}/`;
    const others = [
      "another site",
      "gridlock",
      `gridlock ${scope}below/ 1`,
      `gridlock ${server.url}/ 1`,
    ];
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.evaluate(
      async ({ others, old }) => {
        for (const name of [...others, old]) {
          await (await caches.open(name)).put("/kept", new Response("kept"));
        }
        const registration = await navigator.serviceWorker.ready;
        await registration.unregister();
      },
      { others, old: `gridlock ${scope} old` },
    );
    await page.reload();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const names = () => page.evaluate(() => caches.keys());
    const { version } = JSON.parse(textOf("site/files.json"));
    await expect
      .poll(async () => (await names()).sort())
      .toEqual([...others, `gridlock ${scope} ${version}`].sort());
  });

  it("shares a start by its own page, and goes on from there", async () => {
    const { page, faults } = await openLive("results/3x3/");
    const name = "4_4_0.0_0_0.0_0_0";
    await page.locator(`.card a[href='explore/3x3/${name}/']`).click();
    await page.locator("html[data-live] .worth", { hasText: "164" }).waitFor();
    const corner = await page.evaluate(async (address) => {
      const picture = new Image();
      picture.src = new URL(address, document.baseURI).href;
      await picture.decode();
      const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
      const context = canvas.getContext("2d");
      context?.drawImage(picture, 0, 0);
      return [canvas.width, canvas.height, ...(context?.getImageData(0, 0, 1, 1).data ?? [])];
    }, `pictures/${name}.slider.png`);
    expect(corner).toEqual([1200, 630, 255, 255, 255, 255]);
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/explore\/3x3\/\?board=8_0_0/);
    await page.goBack();
    await page.locator(".tiles[aria-label^='row 1: 4, 4, empty']").waitFor();
    expect(faults).toEqual([]);
  });

  it("says what is wrong with the board of an address", async () => {
    const { page } = await openLive("explore/3x3/?board=2_0_0/0_4_0/0_0_7k");
    await page.locator("[role=alert]", { hasText: "7k" }).waitFor();
  });

  it("answers as brute force does on 200 positions", async () => {
    const game: Game = { shape: parseShape("2x3"), tiles: [2, 4] };
    const oracle = new Oracle(game);
    oracle.position(parseBoard("2 2 0/0 0 0").board);
    const known = [...oracle.positions];
    const chosen = known.filter((_, i) => i % Math.floor(known.length / 200) === 0).slice(0, 200);
    const boards = chosen.map(([board]) => formatBoard(unpackBoard(game.shape, board)));
    const { page } = await open("explore/2x3/");
    const answers = await ask(page, boards);
    expect(answers.map(({ value }) => value)).toEqual(chosen.map(([, value]) => value));
    for (const { moves, value } of answers) {
      for (const { verdict, score, lo, hi } of moves) {
        expect(verdict).not.toBe("open");
        if (verdict === "best") expect([score + lo, score + hi]).toEqual([value, value]);
        else expect(score + hi).toBeLessThanOrEqual(value as number);
        if (verdict === "worse") expect(score + hi).toBeLessThan(value as number);
      }
    }
  });

  const whole = "plays a whole game of %s against the strong placer";
  it.each(["2x3"])(whole, playsGame);
  it.each(["3x3", "2x5"])(whole, { tags: ["long"] }, playsGame);

  async function playsGame(shape: string): Promise<void> {
    const { page, faults } = await openLive(`play/${shape}/`);
    const figure = (name: string) =>
      page.locator(".figures div", { hasText: name }).locator("dd").innerText();
    await expect.poll(() => figure("In all")).toMatch(/^\d+$/);
    const worth = await figure("In all");
    const boardNow = async () => {
      const label = await page.locator(".stage .tiles").getAttribute("aria-label");
      const rows = (label ?? "").split("; ").map((row) => row.replace(/^row \d+: /, ""));
      return rows.join("/").replaceAll(",", "").replaceAll("empty", "0");
    };
    const sumOf = (board: string) =>
      board.split(/[ /]/).reduce((sum, tile) => sum + Number(tile), 0);
    const over = page.locator(".status", { hasText: "Game over" });
    for (;;) {
      const board = await boardNow();
      const [answer] = await ask(page, [board]);
      const moves = answer?.turn === "slider" ? answer.moves : [];
      const best = moves.find(({ verdict }) => verdict === "best")?.move;
      if (best === undefined) break;
      await page.keyboard.press(`Arrow${best.charAt(0).toUpperCase()}${best.slice(1)}`);
      const now = async () => sumOf(await boardNow());
      await expect.poll(now).toBeGreaterThan(sumOf(board));
    }
    await over.waitFor();
    expect(await figure("Points so far")).toBe(worth);
    expect(faults).toEqual([]);
  }

  it("makes a slide before the board's answer is there", async () => {
    const { page, faults } = await openLive("play/2x5/?board=2_2_0_0_0/0_0_0_0_0");
    await page.keyboard.press("ArrowRight");
    await page.locator(".tiles[aria-label*=', 4; row 2']").waitFor({ timeout: 60_000 });
    expect(faults).toEqual([]);
  });

  it("plays 4×4, and says that it is not proven", async () => {
    const { page, faults } = await openLive("play/4x4/");
    await page.locator(".unsolved", { hasText: /a better move may exist/ }).waitFor();
    // Slides wait for no search, and neither does the placer for long.
    await page.keyboard.press("ArrowLeft");
    await page.locator(".tiles[aria-label^='row 1: 4,']").waitFor();
    await page.locator("[data-announcer]", { hasText: /Placed/ }).waitFor({ state: "attached" });
    expect(await page.locator("main").innerText()).not.toMatch(/perfect (placer|here)/);
    expect(faults).toEqual([]);
  });

  it("shows what each mistake of a game cost, to the point", async () => {
    const { page, faults } = await openLive(
      "play/3x3/?tiles=2,4&board=2_2_0/0_0_0/0_0_0&slider=you&placer=perfect&moves=28.dLlJdDrJdFdDuNrIdClLrNlEdFlF",
    );
    await page.getByRole("button", { name: "Learn from the 3 mistakes" }).waitFor();
    expect(await page.locator(".facts .figures dd").allInnerTexts()).toEqual(["124", "0"]);
    expect(faults).toEqual([]);
  });

  it.each(["a", "a/b/", "explore/9x9/"])(
    "has a page for the missing address %s, wherever it lies",
    async (path) => {
      const { page, faults } = await open("results/");
      // A host shows it with the status 404, at the address that was asked for.
      const body = lostPage(undefined);
      await page.route(`**/${BELOW}/${path}`, (route) =>
        route.fulfill({ status: 404, contentType: "text/html", body }),
      );
      await page.goto(`/${BELOW}/${path}`);
      await page.locator("h1", { hasText: "This page is not here" }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.styleSheets.length)).toBe(1);
      await page.getByRole("link", { name: "Docs" }).click();
      await page.waitForURL(`**/${BELOW}/docs/`);
      // The browser itself reports the page, and the folders that the site is not in.
      expect(faults.filter((fault) => !fault.includes("a status of 404"))).toEqual([]);
    },
  );

  it("works without a network after the first visit", async () => {
    const { page } = await openLive("explore/3x3/", { serviceWorker: true });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await page.locator(".worth", { hasText: "points" }).waitFor();
    await page.context().setOffline(true);
    await page.goto(`/${BELOW}/explore/3x3/?board=2_0_0/0_4_0/0_0_0`);
    await page.locator(".worth", { hasText: "180" }).waitFor();
    for (const path of ["", "play/4x4/", "docs/api/"]) {
      await page.goto(`/${BELOW}/${path}`);
      expect(await page.locator("h1").count()).toBe(1);
    }
    await page.goto(`/${BELOW}/results/2x6/`);
    await page.locator("h1", { hasText: "This page is not here" }).waitFor();
  });

  it("says what the search lacks, shows the bounds by rules, and searches again", async () => {
    const { page, faults } = await open("results/");
    // A file of the site that is replaced by the host's page for files that are missing.
    const html = { contentType: "text/html", body: "<!doctype html><title>Not here</title>" };
    await page.route("**/site/tables/*", (route) => route.fulfill(html));
    await page.goto(`/${BELOW}/explore/2x3/?board=2_4_2/0_0_0`);
    await page.locator(".value strong", { hasText: /^44$/ }).waitFor();
    await page.unroute("**/site/tables/*");

    const worker = textOf("site/worker.js");
    const lack = async (begin: string, board: string, sentence: RegExp) => {
      const body = `${begin};${worker}`;
      await page.route("**/site/worker.js", (route) =>
        route.fulfill({ contentType: "text/javascript", body }),
      );
      await page.goto(`/${BELOW}/explore/2x4/?board=${board}`);
      await page.locator(".worth .note", { hasText: sentence }).waitFor();
      expect(await page.locator(".value").innerText()).toMatch(
        /^at least \d+ points still to come/,
      );
      await page.unroute("**/site/worker.js");
    };
    const refused = "function refuse() { throw new RangeError('out of memory') }";
    await lack("delete globalThis.WebAssembly", "2_4_2_4/0_0_2_2", /has no WebAssembly/);
    await lack(`WebAssembly.Memory = ${refused}`, "2_4_2_4/0_0_2_4", /did not provide the memory/);

    await page.route("**/site/worker.js", (route) => route.abort());
    await page.goto(`/${BELOW}/explore/2x4/?board=2_4_2_4/0_0_2_8`);
    const trouble = page.locator(".trouble", { hasText: "its script cannot be loaded" });
    await trouble.waitFor();
    await page.unroute("**/site/worker.js");
    await trouble.getByRole("button", { name: "Try now" }).click();
    await page.locator(".value strong", { hasText: /^\d+$/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it("keeps the files of a new release, all of them, once it is online again", async () => {
    const { page } = await openLive("", { serviceWorker: true });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const { version } = JSON.parse(textOf("site/files.json"));
    // Another release: a page and the script of all pages differ, and with them the version.
    const changed = ["index.html", "site/app.js", "site/files.json", "service-worker.js"];
    const before = changed.map((path) => [path, textOf(path)] as const);
    onTestFinished(() => {
      for (const [path, text] of before) writeFileSync(join(folder, path), text);
    });
    for (const [path, text] of before) {
      const released = path.endsWith(".html")
        ? text.replace("<footer>", "<footer>The next release. ")
        : path.endsWith("app.js")
          ? `document.documentElement.dataset.release = "next";${text}`
          : text.replaceAll(version, "next");
      expect(released).not.toBe(text);
      writeFileSync(join(folder, path), released);
    }
    await page.goto(`/${BELOW}/explore/2x2/`);
    const ours = `gridlock ${server.url}/${BELOW}/`;
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([`${ours} next`]);
    await page.context().setOffline(true);
    await page.goto(`/${BELOW}/`);
    await page.locator("html[data-live][data-release=next]").waitFor();
    expect(await page.locator("footer").innerText()).toMatch(/^The next release/);
  });

  /** Pages that only a site has, and, for the long run, those that the server's tests check too. */
  const OWN = ["", "results/3x3/", "docs/library/", "explore/2x6/"];
  const SERVED = ["results/", "results/4x4/", "docs/explorer/", "play/3x3/"];
  const accessible = "is accessible in both themes at /%s";
  it.each(OWN)(accessible, isAccessible);
  it.each(SERVED)(accessible, { tags: ["long"] }, isAccessible);

  async function isAccessible(path: string): Promise<void> {
    const { page } = await open(path);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFaults(page)).toEqual([]);
    }
  }

  it.each(["", "results/3x3/", ...SERVED, "explore/3x3/"])(
    "can be read without scripts at /%s",
    async (path) => {
      const { page } = await open(path, { scripts: false });
      expect(await page.locator("h1").innerText()).not.toBe("");
    },
  );
});
