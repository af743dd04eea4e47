import { describe, expect, it, vi } from "vitest";
import { type ReadFile, SiteAnswers } from "../src/answers.js";
import { readModule } from "./modules.js";

/** A position of 2×3 that is no start, so that only a search knows its value. */
const ADDRESS = "v1/2x3?board=2_4_2/0_0_0&turn=slider";
const VALUE = 44;

/** Answers an address after a search that is long enough for any of these boards. */
async function searched(address: string, read = readModule): Promise<unknown> {
  return await new SiteAnswers(read, 2 ** 27).answer(`${address}&budget=60`);
}

it("searches no game whose values a table entry may not hold", async () => {
  const read = vi.fn(readModule);
  const address = "v1/2x7?board=2+2+0+0+0+0+0/0+0+0+0+0+0+0&turn=slider&tiles=2";
  expect(await searched(address, read)).toMatchObject({
    board: "2 2 0 0 0 0 0/0 0 0 0 0 0 0",
    value: null,
    unsearched:
      "with 2s alone 2x7 cannot be searched; its values may be larger than a table entry holds",
  });
  expect(read).not.toHaveBeenCalled();
});

describe("where something is missing", () => {
  it("searches without the table of a solution, or with another file in its place", async () => {
    expect(await searched(ADDRESS)).toMatchObject({ value: VALUE });
    const page = new TextEncoder().encode("<!doctype html><title>Nothing here</title>");
    const read: ReadFile = async (name) => (await readModule(name)) ?? page;
    vi.spyOn(console, "warn").mockImplementationOnce((said) => {
      expect(said).toMatch(/^site\/tables\/2x3-2-4.bin is not the file that was written/);
    });
    expect(await searched(ADDRESS, read)).toMatchObject({ value: VALUE });
  });

  it("says what the rules say before it fails for a missing module", async () => {
    const read: ReadFile = async () => undefined;
    const answers = new SiteAnswers(read, 2 ** 27);
    const known = await answers.answer(`${ADDRESS}&budget=0`);
    expect(known).toMatchObject({ value: null, source: "rules" });
    const sought = answers.answer(`${ADDRESS}&budget=1`);
    await expect(sought).rejects.toThrow(/^This site has no file kernel\/\S+\.$/);
  });

  it.each([
    ["this browser has no WebAssembly", undefined],
    [
      "this device did not provide the memory",
      {
        // A device without free memory throws this error.
        Memory: function refuse() {
          throw new RangeError("could not allocate memory");
        },
      },
    ],
  ])("says what the rules say, and %s", async (reason, substitute) => {
    vi.stubGlobal("WebAssembly", substitute);
    try {
      const answer = await searched(ADDRESS);
      expect(answer).toMatchObject({ value: null, source: "rules" });
      expect(answer).toHaveProperty("unsearched", expect.stringContaining(reason));
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

it("searches boards of 16 cells in a small table", async () => {
  // A value that takes a search, but a short one.
  const address = "v1/4x4?board=2+4+8+16/32+64+128+256/2+4+16+32/64+128+4+4&turn=slider";
  const read = vi.fn(readModule);
  const answer = await searched(address, read);
  expect(answer).toMatchObject({ source: "search", value: expect.any(Number) });
  // A site has no table of this shape, so that it would be asked for in vain.
  for (const [name] of read.mock.calls) expect(name).toMatch(/^kernel\//);
});
