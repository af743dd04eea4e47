import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { followLine } from "@gridlock/explorer";
import { formatBoard, parseBoard } from "@gridlock/game";
import { publishedGames } from "@gridlock/published";
import { Answer, Shapes, Starts, Worth } from "@gridlock/schemas";
import { gridlock, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "./setup.js";

const START = "2_2_0_0/0_0_0_0/0_0_0_0";
const START_4X4 = "2_2_0_0/0_0_0_0/0_0_0_0/0_0_0_0";

/** The root of the repository, whose results are served. */
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

let served: Served;
let without: Served;

beforeAll(async () => {
  const folder = temporaryFolder(afterAll);
  const db = join(folder, "test.db");
  const { code, stderr } = await gridlock(folder, ["solve", "2x2", "--db", db, "--quiet"]);
  expect([code, stderr]).toEqual([0, ""]);
  const options = { db, root: ROOT, memory: 2 ** 27 };
  served = await serve({ ...options, published: true }, afterAll);
  without = await serve({ ...options, published: false }, afterAll);
});

describe("published values", () => {
  it("answer starts that nothing else knows, with their file, and are not cached", async () => {
    for (const budget of ["0", "1"]) {
      const { json, headers } = await served.get(`/v1/3x4?board=${START}&budget=${budget}`);
      expect(Answer.parse(json)).toEqual(json);
      expect(json).toMatchObject({
        value: 548,
        source: "published",
        line: [],
        published: {
          source: "results/3x4.json",
          confirmations: [{ kind: "certificate" }, { kind: "second-search" }],
        },
      });
      expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["no-store", null]);
    }
  });

  it("have a page of all starts with what confirms them, unless they are not to be used", async () => {
    const { status, text } = await served.get("/results/3x3/");
    expect([status, text.match(/class="card"/g)?.length]).toEqual([200, 28]);
    expect(text).toMatch(/a second checker, in Python, accepted a certificate/);
    expect((await without.get("/results/3x3/")).status).toBe(404);
    // A game that the database knows has a page with its values.
    const own = await without.get("/results/2x2/");
    expect([own.status, own.text.match(/class="card"/g)?.length]).toEqual([200, 6]);
    expect(own.text).toContain("They are in the database that these pages show.");
    const list = (await without.get("/results/")).text;
    expect([...list.matchAll(/href="(results\/\d[^"]*\/)"/g)].map(([, href]) => href)).toEqual([
      "results/2x2/",
    ]);
  });

  it("give way to values that are proven, which are cached", async () => {
    const { json, headers } = await served.get("/v1/2x2?board=2_2/0_0&turn=placer");
    expect(json).toMatchObject({ value: 12, source: "database" });
    expect(json).not.toHaveProperty("published");
    expect(headers.get("cache-control")).toMatch(/^public/);
  });

  it("do not keep a whole line from being found", async () => {
    const path = "board=2_2_0_0_0/0_0_0_0_0";
    const brief = (await served.get(`/v1/2x5?${path}`)).json;
    expect(brief).toMatchObject({ value: 192, source: "published", line: [] });
    const { value, line, end } = (await served.get(`/v1/2x5?${path}&budget=60`)).json;
    expect(value).toBe(192);
    const steps = followLine(parseBoard("2 2 0 0 0/0 0 0 0 0"), line);
    expect(steps.reduce((sum, { score }) => sum + score, 0)).toBe(192);
    const last = steps.at(-1)?.after.board;
    expect(last && formatBoard(last)).toBe(end);
  });

  it("are in batches", async () => {
    const body = `{"board":"2 2 0 0/0 0 0 0/0 0 0 0"}\n`;
    const { text } = await served.get("/v1/query?values=true", { method: "POST", body });
    const worth = JSON.parse(text);
    expect(Worth.parse(worth)).toEqual(worth);
    expect(worth).toMatchObject({ value: 548, published: { source: "results/3x4.json" } });
  });

  it("are listed with their file, and not cached", async () => {
    const { json } = await served.get("/v1/shapes");
    expect(Shapes.parse(json)).toEqual(json);
    expect(json.shapes).toHaveLength(publishedGames().length);
    expect(json.shapes).toContainEqual({
      shape: "3x4",
      tiles: [2, 4],
      starts: 80,
      solved: 80,
      lowest: 540,
      highest: 552,
      atLeast: 540,
      published: "results/3x4.json",
      tabulated: false,
      positions: null,
    });
    expect(json.shapes).toContainEqual(
      expect.objectContaining({ shape: "4x4", solved: 0, published: "results/4x4.json" }),
    );
    const starts = await served.get("/v1/3x4/starts");
    expect(Starts.parse(starts.json)).toEqual(starts.json);
    expect(starts.json.published.source).toBe("results/3x4.json");
    expect(starts.json.starts[0]).toMatchObject({ value: 548, source: "published" });
    expect(starts.headers.get("cache-control")).toBe("no-store");
    const page = await served.get("/");
    expect(page.text).toMatch(/solved: <a href="results\/3x4\/#evidence">how/);
  });

  it("come with a bound of the literature, which is no part of lo", async () => {
    const { json } = await served.get(`/v1/4x4?board=${START_4X4}&budget=0`);
    expect(json).toMatchObject({ value: null, literature: { bound: 1536, checked: false } });
    expect(json.lo).toBeLessThan(1536);
    const { starts } = (await served.get("/v1/4x4/starts")).json;
    expect(starts[0].literature.bound).toBe(1536);
  });

  it("are left out on request", async () => {
    const { json } = await without.get(`/v1/3x4?board=${START}&budget=0.1`);
    expect(json).toMatchObject({ value: null });
    expect(json).not.toHaveProperty("published");
    const four = (await without.get(`/v1/4x4?board=${START_4X4}&budget=0`)).json;
    expect(four).not.toHaveProperty("literature");
    const { shapes } = (await without.get("/v1/shapes")).json;
    expect(shapes.map(({ published }: { published: unknown }) => published)).not.toContain(
      "results/3x4.json",
    );
  });

  it("leave the choice among moves that are proven best to the perfect player", async () => {
    const { status, json } = await served.get(`/v1/3x4/play?board=${START}&by=perfect&budget=0`);
    expect([status, json.detail]).toEqual([
      422,
      expect.stringMatching(/no move is proven best within 0 s/),
    ]);
  });
});
