import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "./setup.js";

let served: Served;

beforeAll(async () => {
  served = await serve({}, afterAll);
});

describe("pictures of boards", () => {
  it.each([
    ["svg", "image/svg+xml"],
    ["png", "image/png"],
  ])("as %s may be kept", async (kind, type) => {
    const path = `/v1/board.${kind}?board=2_0_0/0_4_0/0_0_0`;
    const { status, headers } = await served.get(path);
    expect([status, headers.get("content-type")]).toEqual([200, type]);
    expect(headers.get("cache-control")).toBe("public, max-age=86400");
    const known = { headers: { "if-none-match": headers.get("etag") as string } };
    expect((await served.get(path, known)).status).toBe(304);
    expect((await served.get(`${path}&turn=placer`, known)).status).toBe(200);
  });

  it("read boards in other formats", async () => {
    const { text } = await served.get("/v1/board.svg?board=1_2/3_0&exponents=true&turn=placer");
    expect(text).toContain("<title>2 4/8 0, placer to move</title>");
  });

  it.each([
    ["board=2_3/16_0", /^board: 3 is not a tile/],
    ["", /^the parameter board is missing/],
    ["board=2_2/0_0&tiles=2", /^there is no parameter "tiles"/],
    ["board=2_2/0_0&turn=both", /^turn is "both"; expected slider or placer/],
  ])("are refused for ?%s", async (query, detail) => {
    for (const kind of ["svg", "png"]) {
      const { status, json } = await served.get(`/v1/board.${kind}?${query}`);
      expect(status).toBe(400);
      expect(json.detail).toMatch(detail);
    }
  });
});
