import { Answer } from "@gridlock/schemas";
import { tabulate } from "@gridlock/tablebase";
import { beginSolves, Oracle } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "./setup.js";

const GAME = { shape: { rows: 2, cols: 3 }, tiles: [2, 4] } as const;
const START = "2_2_0/0_0_0";

let served: Served;

beforeAll(async () => {
  served = await serve({}, afterAll);
  beginSolves(served.db, "2x3");
});

describe("GET /v1/{shape}", () => {
  it("answers as query --json does, searched and then looked up", async () => {
    const searched = await served.get(`/v1/2x3?board=${START}`);
    expect(searched.status).toBe(200);
    expect(searched.headers.get("content-type")).toBe("application/json");
    expect(Answer.parse(searched.json)).toEqual(searched.json);
    expect(searched.json).toMatchObject({ board: "2 2 0/0 0 0", turn: "slider", value: 44 });
    expect(searched.json.moves.length).toBe(3);
    expect(searched.json.line.length).toBeGreaterThan(3);
    const again = await served.get(`/v1/2x3?board=${START}&budget=0`);
    expect(searched.json.source).toBe("search");
    expect(again.json).toEqual({ ...searched.json, source: "database" });
    expect(served.warnings).toEqual([]);
  });

  it("takes blanks, another orientation, the placer, and other tiles", async () => {
    const oracle = new Oracle(GAME);
    const value = oracle.position({ rows: 2, cols: 3, cells: [2, 0, 4, 0, 0, 0] });
    for (const path of [
      "/v1/2x3?board=2%200%204/0%200%200",
      "/v1/2x3?board=2+0+4/0+0+0",
      "/v1/3x2?board=2_0/0_0/4_0",
      "/v1/2x3?board=2_0/0_0/4_0&turn=slider",
    ]) {
      expect((await served.get(path)).json.value, path).toBe(value);
    }
    const after = oracle.afterstate({ rows: 2, cols: 3, cells: [2, 2, 0, 0, 0, 0] });
    for (const path of [`board=${START}&turn=placer`, `board=${START}_placer`]) {
      const { json } = await served.get(`/v1/2x3?${path}`);
      expect(json).toMatchObject({ turn: "placer", value: after });
      expect(json.moves[0]).toHaveProperty("place");
    }
    const others = new Oracle({ ...GAME, tiles: [2] });
    const cells = [2, 2, 0, 0, 0, 0];
    expect((await served.get(`/v1/2x3?board=${START}&tiles=2`)).json.value).toBe(
      others.position({ rows: 2, cols: 3, cells }),
    );
  });

  it("takes boards as other programs write them", async () => {
    for (const path of [
      ...[
        "/v1/2x3?board=2+0+4+0+0+0",
        "/v1/2x3?board=2+0+4%0A0+0+0%0A",
        "/v1/2x3?board=1,-,2;-,-,-",
      ],
      ...["/v1/2x3?board=[[2,0,4],[0,0,0]]", "/v1/2x3?board=102f000fffffffff"],
      ...["/v1/2x3?board=fffffffff000f201&order=low", "/v1/2x3?board=1_0_2/0_0_0&exponents=true"],
    ]) {
      const { json } = await served.get(path);
      expect(json.board, path).toBe("2 0 4/0 0 0");
    }
  });

  it("lets exact answers be cached, with a tag, but not intervals", async () => {
    await served.get(`/v1/2x3?board=${START}`); // from here on, its source is the database
    const { headers } = await served.get(`/v1/2x3?board=${START}`);
    expect(headers.get("cache-control")).toMatch(/^public, max-age=\d{5,}$/);
    const etag = headers.get("etag") as string;
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const known = await served.get(`/v1/2x3?board=${START}`, {
        headers: { "if-none-match": given },
      });
      expect([known.status, known.text, known.headers.get("etag")]).toEqual([304, "", etag]);
    }
    const other = await served.get(`/v1/2x3?board=2_4_0/0_0_0`, {
      headers: { "if-none-match": etag },
    });
    expect(other.status).toBe(200);
    const open = await served.get("/v1/3x4?board=2_2_0_0/0_0_0_0/0_0_0_0&budget=0");
    expect(open.json.value).toBeNull();
    expect(open.headers.get("cache-control")).toBe("no-store");
    expect(open.headers.get("etag")).toBeNull();
  });

  it("answers HEAD without content, and lets pages of other sites read", async () => {
    const head = await served.get(`/v1/2x3?board=${START}`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    const headers = { origin: "https://example.org" };
    const got = await served.get(`/v1/2x3?board=${START}`, { headers });
    expect(got.headers.get("access-control-allow-origin")).toBe("*");
    expect(got.headers.get("access-control-expose-headers")).toContain("Retry-After");
    const asked = { ...headers, "access-control-request-method": "POST" };
    const preflight = await served.get("/v1/query", { method: "OPTIONS", headers: asked });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
  });

  it("answers boards that cannot be searched with an interval and the reason", async () => {
    const unsearched = await served.get(`/v1/1x13?board=${"2_4_".repeat(6)}0`);
    expect(unsearched.status).toBe(200);
    expect(unsearched.json).toMatchObject({
      value: null,
      unsearched: expect.stringMatching(/^1x13 cannot/),
    });
    expect(unsearched.json.lo).toBeLessThan(unsearched.json.hi);
    const path = "/v1/4x4?board=2_4_8_16/32_64_128_256/2_4_16_32/64_128_4_4";
    const { json } = await served.get(path);
    expect(json).toMatchObject({ value: expect.any(Number), source: "search" });
  });

  it.each([
    ["/v1/2x3", /the parameter board is missing; expected board=/],
    ["/v1/2x3?board=", /^board: the text is empty; expected a board/],
    ["/v1/2x3?board=2_0_0/0_0", /rows of equal length/],
    ["/v1/2x3?board=2_3_0/0_16_0", /^board: 3 is not a tile.*\n {2}2_3_0\/0_16_0\n {4}\^\n/],
    [`/v1/2x3?board=${"2_".repeat(1001)}`, /the board is too long; expected at most 2000/],
    ["/v1/2x2?board=2_2_0/0_0_0", /a board of 2x3; expected one of 2x2/],
    ["/v1/9x9?board=2_2", /^shape: 9x9 has 81 cells/],
    ["/v1/abc?board=2_2", /^shape: "abc" is not a shape/],
    ["/v1/nothing", /^shape: "nothing" is not a shape/],
    [`/v1/2x3?board=${START}&turn=both`, /turn is "both"; expected slider or placer/],
    [`/v1/2x3?board=${START}_placer&turn=slider`, /the board has the placer to move/],
    [`/v1/2x3?board=${START}&tiles=8`, /tiles is "8"; expected 2,4 \(the game\) or 2/],
    [`/v1/2x3?board=${START}&budget=-1`, /budget is "-1"; expected a number of seconds/],
    [`/v1/2x3?board=${START}&trun=placer`, /there is no parameter "trun"; expected board, turn/],
    [`/v1/2x3?board=${START}&turn=placer&turn=slider`, /"turn" is given twice/],
    ["/v1/2x2?board=2_4/8_2&turn=placer", /no empty cell/],
  ])("refuses %s with a sentence", async (path, sentence) => {
    const { status, headers, json } = await served.get(path);
    expect(status).toBe(400);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(json).toMatchObject({ type: "about:blank", title: "Bad Request", status: 400 });
    expect(json.detail).toMatch(sentence);
  });

  it("names the alternatives for unknown addresses and methods", async () => {
    const missing = await served.get("/v2/3x3");
    expect([missing.status, missing.json.detail]).toEqual([
      404,
      "there is nothing at /v2/3x3; /v1/docs lists all operations",
    ]);
    const refused = await served.get("/v1/3x3", { method: "DELETE" });
    expect([refused.status, refused.json.detail]).toEqual([
      405,
      "/v1/3x3 does not take DELETE; expected GET",
    ]);
    // Two operations, or none but a page, have these addresses.
    for (const [path, method, allow] of [
      ["/v1/shapes", "POST", "GET, HEAD"],
      ["/explore/3x3", "POST", "GET, HEAD"],
      ["/", "DELETE", "GET, HEAD"],
      ["/v1/query", "PUT", "POST"],
      ["/v1/query", "GET", "POST"],
      ["/v1/query/", "HEAD", "POST"],
    ] as const) {
      const { status, headers, json } = await served.get(path, { method });
      expect([path, status, headers.get("allow")]).toEqual([path, 405, allow]);
      const expected = allow.replace(", HEAD", "");
      if (method === "HEAD") continue;
      expect(json.detail).toBe(`${path} does not take ${method}; expected ${expected}`);
    }
  });
});

describe("GET /v1/shapes and /v1/{shape}/starts", () => {
  it("list tabulated shapes, with the expected scores of the ordinary game", async () => {
    const own = await serve();
    expect((await own.get("/v1/shapes")).json).toEqual({ shapes: [] });
    const open = await own.get("/v1/2x3/starts");
    expect(open.json).toMatchObject({ shape: "2x3", tiles: [2, 4] });
    expect(open.json.starts[0]).toMatchObject({ value: null, lo: 0 });
    await tabulate(GAME, undefined, { threads: 1, memory: 2 ** 26, db: own.db });
    await expect
      .poll(async () => (await own.get("/v1/shapes")).json.shapes)
      .toEqual([
        {
          shape: "2x3",
          tiles: [2, 4],
          starts: 20,
          solved: 20,
          lowest: 40,
          highest: 44,
          atLeast: 40,
          published: null,
          tabulated: true,
          positions: expect.any(Number),
        },
      ]);
    const { starts } = (await own.get("/v1/3x2/starts")).json;
    const oracle = new Oracle(GAME);
    for (const { board, value, expected } of starts) {
      const cells = board.split(/[ /]/).map(Number);
      expect(value).toBe(oracle.position({ rows: 2, cols: 3, cells }));
      expect(expected).toBeGreaterThan(value);
    }
    const { json } = await own.get(`/v1/2x3?board=${START}`);
    expect(json).toMatchObject({ value: 44, reachable: true, expected: expect.any(Number) });
  });
});
