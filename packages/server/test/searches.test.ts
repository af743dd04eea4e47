import { connect } from "node:net";
import { join } from "node:path";
import { parseBoard } from "@gridlock/game";
import { Database } from "@gridlock/store";
import { beginSolves, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Answerer } from "../dist/answerer.js";
import { withDefaults } from "../dist/options.js";
import { type Served, serve } from "./setup.js";

/** A board of 3×4 whose search takes longer than any of these tests. */
const LONG = "2_2_0_0/0_0_0_0/0_0_0_0";
/** A board of 2×2, which is searched at once. */
const SHORT = "2_2/0_0";

let served: Served;

beforeAll(async () => {
  const limits = { waiting: 1, lineLength: 200, bodyBytes: 4000, batches: 1 };
  served = await serve({ workers: 1, memory: 2 ** 27, budget: 1000, limits }, afterAll);
  beginSolves(served.db, "2x2", "2x3", "2x5");
});

const state = async () => (await served.get("/health")).json;
const idle = () => expect.poll(state).toMatchObject({ searches: 0, waiting: 0 });

/** Begins a search that lasts until the returned function hangs up. */
async function beginLong(expected: object): Promise<() => Promise<void>> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const reply = fetch(`${served.url}/v1/3x4?board=${LONG}`, controller).catch(() => {});
  await expect.poll(state).toMatchObject(expected);
  return async () => {
    controller.abort();
    await reply;
  };
}

describe("searches", () => {
  it("end when the client hangs up, and leave the thread to others", async () => {
    const hangUp = await beginLong({ searches: 1 });
    // Others are looked up meanwhile.
    expect((await served.get("/v1/3x4?board=2_4_0_0/0_0_0_0/0_0_0_0&budget=0")).status).toBe(200);
    await hangUp();
    await idle();
    expect((await served.get(`/v1/2x2?board=${SHORT}`)).json.value).toBe(12);
    expect(served.warnings).toEqual([]);
  });

  it("continue in the thread that knows the game, once nobody waits for its search any more", async () => {
    const db = join(temporaryFolder(), "test.db");
    Database.open(db).close();
    await using answerer = new Answerer(
      withDefaults({
        db,
        host: "",
        port: 0,
        budget: 1000,
        workers: 2,
        memory: 2 ** 27,
        version: "0.0.0",
        warn: () => {},
      }),
    );
    const { board } = parseBoard("2 4 8 2/0 0 0 0/0 0 0 0");
    const query = { board, turn: "slider", tiles: [2, 4] } as const;
    const loAfter = async (budget: number) => {
      const { json } = await answerer.answer({ ...query, budget }, new AbortController().signal);
      return JSON.parse(json).lo as number;
    };
    let lo = 0;
    while (lo === 0) lo = await loAfter(1);
    // As a page does when a move is made.
    const controller = new AbortController();
    const search = answerer.answer({ ...query, budget: 1000 }, controller.signal);
    const abandoned = expect(search).rejects.toThrow();
    expect(answerer.searches.running).toBe(1);
    controller.abort();
    // Nothing of it is in the database, and another thread would begin with nothing.
    expect(await loAfter(0.001)).toBeGreaterThanOrEqual(lo);
    await abandoned;
  });

  it("wait for a thread, and are refused with 429 when too many are waiting", async () => {
    const first = await beginLong({ searches: 1 });
    const second = await beginLong({ searches: 1, waiting: 1 });
    const refused = await served.get("/v1/2x3?board=2_4_0/0_0_0");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.json.detail).toMatch(/^1 requests are waiting for a search already/);
    // Boards that can be looked up are still answered, and pages do not wait for a search.
    expect((await served.get("/explore/2x3?board=2_4_0/0_0_0")).status).toBe(200);
    expect((await served.get(`/v1/2x2?board=${SHORT}`)).json.value).toBe(12);
    await second();
    await expect.poll(state).toMatchObject({ searches: 1, waiting: 0 });
    await first();
    await idle();
    expect((await served.get("/v1/2x3?board=2_4_0/0_0_0")).status).toBe(200);
  });

  it("keep to the budget, and what they prove is looked up from then on", async () => {
    const path = `/v1/2x5?board=2_2_0_0_0/0_0_0_0_0`;
    const { json } = await served.get(`${path}&budget=0.3`);
    expect(json.lo).toBeLessThan(json.hi);
    await expect
      .poll(async () => (await served.get(`${path}&budget=0`)).json.lo)
      .toBeGreaterThanOrEqual(json.lo);
  });

  it("end once all verdicts are known, unless a budget is given", async () => {
    const own = await serve({ limits: { enough: 0 } });
    const board = "2_0_2_0/0_0_0_0&turn=placer";
    const brief = (await own.get(`/v1/2x4?board=${board}`)).json;
    expect(brief.value).not.toBeNull();
    const verdicts = brief.moves.map(({ verdict }: { verdict: string }) => verdict);
    expect(verdicts).toContain("best");
    expect(verdicts).not.toContain("open");
    const values = ({ moves }: typeof brief) => moves.map(({ value }: never) => value);
    expect(values(brief)).toContain(null);
    const batch = { method: "POST", body: '{"board":"2 0 2 0/0 0 0 0","turn":"placer"}' };
    expect(values(JSON.parse((await own.get("/v1/query", batch)).text))).toEqual(values(brief));
    const { json } = await own.get(`/v1/2x4?board=${board}&budget=60`);
    expect(values(json)).not.toContain(null);
    expect(json.value).toBe(brief.value);
  });

  it("leave no shape behind in the database", async () => {
    const own = await serve();
    expect((await own.get(`/v1/2x2?board=${SHORT}`)).json.value).toBe(12);
    expect((await own.get(`/explore/2x2?board=${SHORT}`)).status).toBe(200);
    expect((await own.get("/v1/2x2/starts")).status).toBe(200);
    expect((await own.get("/v1/shapes")).json.shapes).toEqual([]);
    await own.stop();
    using database = Database.open(own.db, { readOnly: true });
    expect(database.games()).toEqual([]);
    expect(own.warnings).toEqual([]);
  });

  it("do not outlive the server", async () => {
    const own = await serve({ budget: 1000, memory: 2 ** 27 });
    const reply = own.get(`/v1/3x4?board=${LONG}`).then(
      ({ status }) => status,
      () => "cut",
    );
    await expect.poll(async () => (await own.get("/health")).json.searches).toBe(1);
    await own.stop();
    // The thread stops within its search, with what is proven, or is refused.
    expect([200, 503]).toContain(await reply);
    await expect(fetch(own.url)).rejects.toThrow();
  });
});

describe("POST /v1/query", () => {
  const post = (body: string, query = "") =>
    served.get(`/v1/query${query}`, { method: "POST", body });
  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("answers each line in order, the bad ones with an error", async () => {
    const body = [
      '{"board":"2 2/0 0"}',
      "nonsense",
      "",
      '{"board":"2 2/0 0","turn":"placer"}',
      '{"board":"2 2/0 0","tiles":"2"}',
      '{"board":"2 3/16 0"}',
      '{"board":"2 2/0 0","colour":"red"}',
      '{"board":"2 2/0 0 placer"}',
      '{"board":[[2,2],[null,0]],"turn":"placer"}',
      '{"board":"1 1 0 0","shape":"2x2","exponents":true,"turn":"placer"}',
    ].join("\n");
    const { text, headers, status } = await post(body);
    expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    const answers = linesOf(text);
    expect(answers).toHaveLength(9);
    expect(answers[0]).toEqual((await served.get("/v1/2x2?board=2_2/0_0")).json);
    expect(answers[1]).toMatchObject({ board: "nonsense", error: /not JSON/ });
    expect(answers[2]).toEqual((await served.get("/v1/2x2?board=2_2/0_0&turn=placer")).json);
    expect(answers[3].value).toBe((await served.get("/v1/2x2?board=2_2/0_0&tiles=2")).json.value);
    expect(answers[4].error).toMatch(/^3 is not a tile/);
    expect(answers[5].error).toMatch(/colour/);
    expect(answers[4].code).toBe("bad-tile");
    for (const i of [6, 7, 8]) expect(answers[i]).toEqual(answers[2]);
    const values = linesOf((await post(body, "?values=true")).text);
    expect(values[0]).toEqual({
      board: "2 2/0 0",
      turn: "slider",
      lo: 12,
      hi: 12,
      value: 12,
      source: "database",
    });
  });

  it("answers many lines, which other threads look up, as it answers each alone", async () => {
    const boards = ["2 2/0 0", "2 3/16 0", "2 0 0/0 2 0 placer", "2 2 2/0 0 0", "4 2 0 2/0 0 0 0"];
    const kinds = [...boards.map((board) => JSON.stringify(board)), "nonsense", "7"];
    // The last board is not known before it has been searched.
    const brief = ({ board, value, error, moves }: Record<string, unknown>) => {
      return { board, value, error, moves };
    };
    const alone: ReturnType<typeof brief>[] = [];
    for (const kind of kinds) alone.push(brief(linesOf((await post(kind)).text)[0]));
    const many = Array.from({ length: 200 }, (_, i) => i % kinds.length);
    const body = many.map((kind) => `${kinds[kind]}\n`).join("");
    expect(body.length).toBeGreaterThan(2048);
    expect(linesOf((await post(body)).text).map(brief)).toEqual(many.map((kind) => alone[kind]));
    const known = body
      .replaceAll(/^"4 2.*\n/gm, "")
      .repeat(2)
      .slice(0, 3900);
    const values = linesOf((await post(known, "?values=true")).text);
    expect(values.slice(0, 4).map(({ value }) => value)).toEqual(
      alone.slice(0, 4).map(({ value }) => value),
    );
  });

  it("refuses a compressed body", async () => {
    const headers = { "content-encoding": "gzip" };
    const { status, json } = await served.get("/v1/query", { method: "POST", body: "{}", headers });
    expect(status).toBe(415);
    expect(json.detail).toBe('the body is encoded as "gzip"; expected it plain');
  });

  it("says what is wrong with an entry, and what was expected", async () => {
    for (const [entry, sentence] of [
      ["7", /^the entry is 7; expected "2 0 0\/0 4 0\/0 0 0" or \{"board":/],
      ["null", /^the entry is null; expected/],
      ["[]", /^the entry is an array; expected .*, each on a line of its own$/],
      ["{}", /^board is missing; expected a text, or at most 16 rows/],
      ['{"board":3}', /^board is 3; expected a text/],
      [
        `{"board":[${Array(17).fill("[2]")}]}`,
        /^board is \[.*; expected a text, or at most 16 rows/,
      ],
      [`{"board":[[${Array(17).fill(2)}]]}`, /^board is \[.*; expected a text, or at most 16 rows/],
      ['{"board":[2,2]}', /^board is \[2,2\]; expected a text, or at most 16 rows/],
      ['{"board":"2 2/0 0","turn":"both"}', /^turn is "both"; expected slider or placer$/],
      ['{"board":"2 2/0 0","exponents":"true"}', /^exponents is "true"; expected true or false$/],
      ['{"board":"2 2/0 0","shape":3}', /^shape is 3; expected rows x columns/],
      ['{"board":"2 2/0 0","colour":"red"}', /^there is no field "colour"; expected board, shape/],
    ] as const) {
      const [answer] = linesOf((await post(entry)).text);
      expect(answer.error, entry).toMatch(sentence);
    }
  });

  it("reads lines after a byte order mark", async () => {
    expect(linesOf((await post('\ufeff"2 2/0 0"')).text)).toMatchObject([{ value: 12 }]);
  });

  it("answers a line before the next one is sent", async () => {
    const { port, hostname } = new URL(served.url);
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    const send = (line: string) => socket.write(`${line.length.toString(16)}\r\n${line}\r\n`);
    socket.write("POST /v1/query HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    send('{"board":"2 2/0 0"}\n');
    await expect.poll(() => received).toMatch(/"value":12/);
    const refused = await post("{}");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    send('{"board":"2 4/8 2"}\n');
    await expect.poll(() => received).toMatch(/"board":"2 4\/8 2"/);
    socket.destroy();
    await expect.poll(async () => (await post("{}")).status).toBe(200);
  });

  it("refuses bodies and lines that are too large", async () => {
    const large = await post(`${"x".repeat(100)}\n`.repeat(100));
    expect([large.status, large.json.detail]).toEqual([
      413,
      "the body is too large; expected at most 4000 bytes",
    ]);
    const { text } = await post(`{"board":"2 2/0 0"}\n${"x".repeat(300)}`);
    expect(linesOf(text).at(-1).error).toMatch(/a line is too long; expected at most 200/);
    expect((await post("{}", "?values=maybe")).status).toBe(400);
  });

  it("stops when the client hangs up", async () => {
    const controller = new AbortController();
    const body = '{"board":"2 2 0 0/0 0 0 0/0 0 0 0"}\n'.repeat(10);
    const reply = fetch(`${served.url}/v1/query`, {
      method: "POST",
      body,
      signal: controller.signal,
    }).catch(() => {});
    await expect.poll(state).toMatchObject({ searches: 1 });
    controller.abort();
    await reply;
    await idle();
    await expect.poll(async () => (await post("{}")).status).toBe(200);
  });
});
