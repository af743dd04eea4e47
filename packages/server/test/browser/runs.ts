import { accessibilityFaults, GRIDLOCK, Process } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { openLive, type Site } from "./site.js";

/** *Runs*: solves that have ended, and one that runs while the page is open. */
export function testRuns(current: Site): void {
  describe("Runs", () => {
    it("shows a solve from its beginning, with figures, intervals and workers, until it is stopped", async () => {
      await using opened = await current.visit();
      const { page, faults } = opened;
      await openLive(page, "/runs");
      // The solves of the preparation have ended.
      const solved = page.locator("details", { hasText: "3×3" });
      await solved.evaluate((run: HTMLDetailsElement) => {
        run.open = true;
      });
      await solved.getByText("28 of 28").waitFor();
      expect(await solved.locator(".intervals .closed").count()).toBe(28);

      const { db } = current.served;
      await using solve = new Process(GRIDLOCK, ["solve", "2x4", "--db", db, "--workers", "1"], {
        slowed: 1000,
      });
      const underWay = page.getByRole("region", { name: "Under way" });
      await underWay.locator("summary", { hasText: "2×4 running" }).waitFor();
      await underWay.locator(".workers tbody tr").waitFor();
      await underWay.getByText("Asked now: can the slider force").waitFor();
      // Bounds are shown once there are some.
      await underWay.locator(".intervals tbody tr").first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);

      await solve.kill("SIGINT");
      const ended = page.getByRole("region", { name: "Ended" });
      await ended.locator("summary", { hasText: "2×4 stopped" }).waitFor();
      expect(await underWay.innerText()).toContain("Nothing is being solved now.");
      expect(faults).toEqual([]);
    });
  });
}
