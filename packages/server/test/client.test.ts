import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiClient, ApiError, type BatchBoard } from "@gridlock/gridlock/client";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import type { z } from "zod";
import type { BatchBoardSchema } from "../src/parameters.js";
import { type Served, serve } from "./setup.js";

const BOARD = "2 2 0/0 0 0";

let served: Served;
let client: ApiClient;

beforeAll(async () => {
  served = await serve({}, afterAll);
  client = served.client;
});

it("describes the boards of a batch as the server takes them", () => {
  type Taken = z.output<typeof BatchBoardSchema>;
  expectTypeOf<Taken>().toExtend<BatchBoard>();
  expectTypeOf<Omit<BatchBoard, "board">>().toExtend<Omit<Taken, "board">>();
  expectTypeOf<keyof BatchBoard>().toEqualTypeOf<keyof Taken>();
});

describe("the client", () => {
  it("returns what the server answers, with the given parameters", async () => {
    const answer = await client.answer("2x3", BOARD);
    expect(answer).toMatchObject({ board: BOARD, turn: "slider", value: 44 });
    const path = "/v1/2x3?board=2_2_0/0_0_0&turn=placer&tiles=2&budget=5";
    const options = { turn: "placer", tiles: "2", budget: 5 } as const;
    const after = await client.answer("2x3", BOARD, options);
    expect(after).toEqual({ ...(await served.get(path)).json, source: after.source });
    expect(after.moves[0]).toHaveProperty("place");
    const exponents = { exponents: true, order: undefined } as const;
    expect((await client.answer("2x2", "1 1/0 0", exponents)).board).toBe("2 2/0 0");

    const { choices } = await client.play("2x3", BOARD, "perfect");
    const best = answer.moves.filter(({ verdict }) => verdict === "best");
    expect(choices).toHaveLength(best.length);
    const { sliders } = await client.players("2x3");
    expect(sliders.map(({ name }) => name)).toContain("emr");
    expect((await client.starts("2x3", { tiles: "2" })).tiles).toEqual([2]);
    expect(await client.shapes()).toEqual({ shapes: [] });
    expect(await client.runs()).toEqual({ runs: [] });
    expect(await client.files()).toEqual({ files: [] });
    expect((await client.health()).ok).toBe(true);
  });

  it("yields the answers of a batch, and stops when nobody reads on", async () => {
    const entries = [
      BOARD,
      {
        board: [
          [2, null],
          [4, null],
        ],
      },
      "2 3/16 0",
    ];
    const values: (number | string | null | undefined)[] = [];
    for await (const one of client.query(entries, { values: true, budget: 5 })) {
      values.push("error" in one ? one.code : one.value);
    }
    expect(values).toEqual([44, expect.any(Number), "bad-tile"]);
    for await (const one of client.query([BOARD, BOARD])) {
      expect("moves" in one && one.moves.length).toBe(3);
      break;
    }
    expect((await client.health()).ok).toBe(true);
  });

  it("throws what the server says, and why", async () => {
    const wrong = await client.answer("2x3", "2 3 0/0 16 0").catch((error) => error);
    expect(wrong).toBeInstanceOf(ApiError);
    expect(wrong).toMatchObject({ status: 400, code: "bad-tile", retryAfter: undefined });
    expect(wrong.message).toMatch(/^board: 3 is not a tile; expected/);
    const nobody = new ApiClient("http://127.0.0.1:1");
    await expect(nobody.health()).rejects.toMatchObject({
      status: 0,
      message: expect.stringMatching(/^the server does not answer: /),
    });
    const aborted = AbortSignal.abort(new Error("not wanted"));
    await expect(client.health({ signal: aborted })).rejects.toThrow("not wanted");
  });

  it("says when to try again, and reads answers that are not the API's", async () => {
    const url = await answering((_, reply) => {
      reply.writeHead(503, "Down", { "retry-after": "7" }).end("<h1>down</h1>");
    });
    await expect(new ApiClient(`${url}/`).health()).rejects.toMatchObject({
      status: 503,
      message: "Down",
      retryAfter: 7,
    });
  });

  it("puts characters and lines together that arrive in pieces", async () => {
    const answer = { board: "2 2/0 0", error: "2×3" };
    const text = Buffer.from(`${JSON.stringify(answer)}\n`.repeat(2));
    const url = await answering(async (_, reply) => {
      for (const byte of text) {
        reply.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      reply.end();
    });
    const answers = [];
    for await (const each of new ApiClient(url).query(["2 2/0 0"])) answers.push(each);
    expect(answers).toEqual([answer, answer]);
  });
});

/** Starts a server for the running test; returns its address. */
async function answering(listener: Parameters<typeof createServer>[1] & {}): Promise<string> {
  const server: Server = createServer(listener);
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
