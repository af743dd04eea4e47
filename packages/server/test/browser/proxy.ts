import { request } from "node:http";
import { type LocalServer, serveLocally } from "@gridlock/testbed";
import { expect, it } from "vitest";
import { openLive, type Site } from "./site.js";

/** The path below which the proxy has the server, as the example in `docs/deployment.md`. */
const BELOW = "/2048";

/** Starts a proxy that passes on what is below a path, without that path, and nothing else. */
function proxyTo(server: string): Promise<LocalServer> {
  return serveLocally((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    if (!url.startsWith(`${BELOW}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const passed = request(server + url.slice(BELOW.length), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
}

/** The pages behind a proxy that has the server below a path. */
export function testProxy(current: Site): void {
  it("works below a path of a proxy: styles, links, moves, runs, the API", async () => {
    await using proxy = await proxyTo(current.served.url);
    const home = `${proxy.url}${BELOW}/`;
    await using opened = await current.visit();
    const { page, faults } = opened;
    await openLive(page, home);
    const hasStyles = () => page.evaluate(() => document.styleSheets[0]?.cssRules.length ?? 0);
    expect(await hasStyles()).toBeGreaterThan(0);
    await page.getByRole("link", { name: "Explore", exact: true }).click();
    await page.waitForURL(`${home}explore/3x3/**`);
    await page.locator("html[data-live] .worth", { hasText: "184" }).waitFor();
    // The board after the move is answered by the API, also below the path.
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(`${home}explore/3x3/?board=**turn=placer**`);
    await page.locator(".worth", { hasText: "Source: " }).waitFor();
    await page.reload();
    await page.locator("html[data-live] .worth", { hasText: "Source: " }).waitFor();

    await page.getByRole("link", { name: "Runs" }).click();
    await page.locator(".run .figures").first().waitFor(); // an event
    await page.goto(`${home}v1/docs`);
    await page.waitForURL(`${home}docs/api/`);
    const description = page.getByRole("link", { name: "/openapi.json" }).first();
    expect(await description.evaluate((link: HTMLAnchorElement) => link.href)).toBe(
      `${home}openapi.json`,
    );
    await page.goto(`${home}results/nothing/`);
    expect(await hasStyles()).toBeGreaterThan(0);
    const expected = (fault: string) =>
      fault.startsWith(`request to ${home}`) || fault.includes("a status of 404");
    expect(faults.filter((fault) => !expected(fault))).toEqual([]);
  });
}
