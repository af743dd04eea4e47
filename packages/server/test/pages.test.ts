import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProjectFiles } from "../src/files.js";
import { type ServerOptions, withDefaults } from "../src/options.js";
import { filePage } from "../src/routes/file-pages.js";
import { type Served, serve } from "./setup.js";

let served: Served;

beforeAll(async () => {
  const root = temporaryFolder(afterAll);
  mkdirSync(join(root, "results/paper"), { recursive: true });
  mkdirSync(join(root, "docs"));
  writeFileSync(join(root, "secret.md"), "# Secret");
  writeFileSync(join(root, "results/growth.md"), "# Growth\n\nIt grows.\n");
  writeFileSync(join(root, "results/gridlock.db"), "a database");
  writeFileSync(join(root, "results/.hidden.md"), "hidden");
  writeFileSync(join(root, "results/paper/table2.svg"), "<svg/>");
  const start = { board: "2 2/0 0", value: 12, lo: 12, hi: 12, line: [], end: null };
  const made = { madeBy: "gridlock export 2x2 --format json", solvedBy: null, version: "0.1.0" };
  const table = { ...made, shape: "2x2", tiles: [2, 4], starts: [start] };
  writeFileSync(join(root, "results/2x2.json"), JSON.stringify(table));
  writeFileSync(join(root, "docs/api.md"), "# The API\n");
  symlinkSync(join(root, "secret.md"), join(root, "results/link.md"));
  execFileSync("mkfifo", [join(root, "results/pipe.md")]);
  served = await serve({ root, budget: 60, published: true }, afterAll);
});

describe("files of results/ and docs/", () => {
  it("are listed and served, with tags", async () => {
    const { json } = await served.get("/v1/files");
    expect(json.files.map(({ path, title }: never) => [path, title])).toEqual([
      ["results/2x2.json", "results/2x2.json"],
      ["results/growth.md", "Growth"],
      ["results/paper/table2.svg", "results/paper/table2.svg"],
      ["docs/api.md", "The API"],
    ]);
    for (const [path, type] of [
      ["/v1/files/results/growth.md", "text/markdown; charset=utf-8"],
      ["/v1/files/results/paper/table2.svg", "image/svg+xml"],
      ["/v1/files/docs/api.md", "text/markdown; charset=utf-8"],
      ["/site/app.js", "text/javascript; charset=utf-8"],
      ["/site/app.css", "text/css; charset=utf-8"],
    ] as const) {
      const { status, headers } = await served.get(path);
      expect([path, status, headers.get("content-type")]).toEqual([path, 200, type]);
      expect(headers.get("cache-control")).toBe("no-cache");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'.*sandbox$/);
      const known = { headers: { "if-none-match": headers.get("etag") as string } };
      expect((await served.get(path, known)).status).toBe(304);
    }
  });

  it.each([
    ..."/v1/files/results/gridlock.db /v1/files/results/.hidden.md /v1/files/results/link.md /v1/files/results/none.md".split(
      " ",
    ),
    ..."/v1/files/results/..%2fsecret.md /v1/files/results/paper /v1/files/results/pipe.md".split(
      " ",
    ),
    ..."/v1/files/docs/..%2fresults%2fgrowth.md /v1/files/results//growth.md /v1/files/results/%00.md".split(
      " ",
    ),
    ..."/site/none.js /site/..%2fpackage.json /site/package.json /v1/files/results/paper%5C..%5Cx.md".split(
      " ",
    ),
  ])("do not include %s", async (path) => {
    const { status, headers } = await served.get(path);
    expect(status).toBe(404);
    expect(headers.get("content-type")).toBe("application/problem+json");
  });
});

describe("pages", () => {
  const title = async (path: string, init?: RequestInit) => {
    const { status, text, headers } = await served.get(path, init);
    expect(headers.get("content-type"), path).toBe("text/html; charset=utf-8");
    return [status, /<title>(.*?)<\/title>/.exec(text)?.[1]];
  };

  it("are rendered with their data", async () => {
    expect(await title("/")).toEqual([200, "Gridlock"]);
    expect((await title("/results"))[0]).toBe(200);
    expect((await title("/runs"))[0]).toBe(200);
    expect((await title("/results/growth/"))[1]).toMatch(/^Growth/);
    expect((await title("/docs/api/"))[1]).toMatch(/^The API/);
    expect((await title("/v1/docs"))[1]).toMatch(/^The API/);
    expect((await served.get("/docs/")).text).toContain('<a href="docs/api/">The API</a>');
    for (const [folder, name] of [
      ["explore", /^2 2 0\/0 0 0\/0 0 0 /],
      ["play", /^Play 3×3 /],
    ] as const) {
      for (const path of [`/${folder}`, `/${folder}/`]) {
        expect((await title(path))[1]).toMatch(name);
      }
    }
    expect((await title("/results/2x2/"))[1]).toMatch(/^All starts of 2×2/);
    const { text, headers } = await served.get("/explore/2x2?board=2_2/0_0&turn=placer");
    expect(text).toMatch(/2@2,1/);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'self'/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const { json } = await served.get("/v1/2x2?board=2_2/0_0&turn=placer&budget=0");
    const pageIn = (html: string) =>
      JSON.parse(/id="page">(.*?)<\/script>/.exec(html)?.[1] ?? "").page;
    const page = pageIn(text);
    expect(page.answer).toEqual(json);
    expect(text).not.toMatch(/role="status">read as/);
    const exponents = (await served.get("/explore/2x2?board=3_0/0_0")).text;
    expect(exponents).toMatch(/role="status">read as exponents, since 3 is not a tile: 1 is 2,/);
    expect(pageIn(exponents)).toMatchObject({ board: "8 0/0 0" });
    const played = (await served.get("/play/2x2?board=3_0/0_0")).text;
    expect(played).toMatch(/The board was read as exponents, since 3 is not a tile/);
    const play = (await served.get("/play/2x2")).text;
    expect(pageIn(play).starts).toHaveLength(6);
  });

  it("name no address from the host's root, and say what a proxy has to do", async () => {
    const { get } = await serve({ publicUrl: "https://example.org/2048/" });
    for (const path of ["/", "/explore/2x2", "/play/2x2/", "/runs", "/docs", "/none/"]) {
      const { text } = await get(path, { headers: { accept: "text/html" } });
      expect(text).not.toMatch(/(href|src|action)="\//);
    }
    expect((await get("/openapi.json")).json.servers[0].url).toBe(".");
    expect((await get("/2048/explore/2x2")).json.detail).toBe(
      "there is nothing at /2048/explore/2x2; the proxy has to remove /2048 from the path",
    );
  });

  it("report problems, with their status", async () => {
    expect((await title("/explore/9x9"))[0]).toBe(400);
    const { status, text } = await served.get("/explore/2x2?board=2_3/16_0");
    expect(status).toBe(400);
    expect(text).toMatch(/is not a tile/);
    expect((await title("/results/none/"))[0]).toBe(404);
    expect((await title("/results/paper/table2.svg"))[0]).toBe(404);
    expect(await title("/nowhere", { headers: { accept: "text/html" } })).toEqual([
      404,
      "Not Found · Gridlock",
    ]);
  });
});

describe("a file that somebody else made or damaged", () => {
  const start = { board: "2 2/0 0", value: 12, lo: 12, hi: 12, line: [], end: null };
  const made = { madeBy: "gridlock export 2x2 --format json", solvedBy: null, version: "0.1.0" };
  const table = { ...made, shape: "2x2", tiles: [2, 4], starts: [start] };
  const settings = withDefaults({ db: "" } as ServerOptions);

  it.each<[string, unknown]>([
    ["results/2x2", "{"],
    ["results/2x2", null],
    ["results/2x2", { ...table, shape: "2x99" }],
    ["results/2x2", { ...table, starts: [{ ...start, board: "x" }] }],
    ["results/2x2", { ...table, starts: [{ ...start, hi: "x" }] }],
  ])("is no page: %s, %j", async (page, content) => {
    const root = temporaryFolder();
    mkdirSync(join(root, "results"));
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(root, `${page}.json`), text);
    const catalogue = undefined as never; // not asked, since there is a file
    const made = filePage(page, { files: new ProjectFiles(root), catalogue, settings });
    await expect(made).rejects.toMatchObject({ status: 404, message: /^\S+\.json is not / });
  });
});

describe("players", () => {
  it("are listed if they can play the shape", async () => {
    const { json } = await served.get("/v1/2x3/players");
    const names = (side: "sliders" | "placers") =>
      json[side].map(({ name }: { name: string }) => name);
    expect(names("sliders")).toContain("emr");
    expect(names("sliders")).toContain("zaky-minimax");
    expect(names("sliders")).not.toContain("perfect"); // nothing is tabulated
    expect(names("placers")).toEqual(["random", "evil"]);
  });

  it("choose moves with probabilities that sum to 1", async () => {
    for (const [by, turn, name] of [
      ["emr", "slider", "emr"],
      ["zaky-minimax:2", "slider", "zaky-minimax:2"],
      ["perfect", "slider", "perfect"],
      ["perfect", "placer", "perfect"],
      ["random", "placer", "random"],
      ["evil", "placer", "evil:4"],
    ] as const) {
      const { json, status } = await served.get(
        `/v1/2x3/play?board=2_2_0/0_4_0&turn=${turn}&by=${by}`,
      );
      expect(status, by).toBe(200);
      expect(json).toMatchObject({ board: "2 2 0/0 4 0", turn, by: name });
      const { moves } = (await served.get(`/v1/2x3?board=2_2_0/0_4_0&turn=${turn}`)).json;
      const legal = moves.map(({ move, place }: never) => move ?? place);
      let sum = 0;
      for (const { move, place, probability } of json.choices) {
        expect(legal).toContain(move ?? place);
        sum += probability;
      }
      expect(sum).toBeCloseTo(1, 9);
    }
  });

  it("give nothing away if they are perfect", async () => {
    for (const turn of ["slider", "placer"]) {
      const path = `board=2_2_0/0_4_0&turn=${turn}`;
      const { choices } = (await served.get(`/v1/2x3/play?${path}&by=perfect`)).json;
      const { moves, value } = (await served.get(`/v1/2x3?${path}`)).json;
      for (const { move, place } of choices) {
        const chosen = moves.find(
          (each: { move?: string; place?: string }) => each.move === move && each.place === place,
        );
        expect(chosen.score + chosen.value).toBe(value);
      }
    }
    const over = await served.get("/v1/2x2/play?board=2_4/8_2&by=perfect");
    expect(over.json.choices).toEqual([]);
    expect((await served.get("/v1/2x2/play?board=2_4/8_2&by=emr")).json.choices).toEqual([]);
  });

  it.each([
    ["by=nobody", 422, /^by: there is no player "nobody"; expected [^/]+$/],
    ["by=evil:99&turn=placer", 422, /expected evil:1 to evil:8/],
    ["by=ntuple:passwords", 422, /ntuple uses the server's weights/],
    ["by=./my-player.js", 400, /by is "\.\/my-player\.js"; expected the name of a player/],
    ["", 400, /the parameter by is missing; expected by=/],
  ] as const)("are refused: %s", async (query, status, sentence) => {
    const reply = await served.get(`/v1/2x2/play?board=2_2/0_0&${query}`);
    expect(reply.status).toBe(status);
    expect(reply.json.detail).toMatch(sentence);
  });
});
