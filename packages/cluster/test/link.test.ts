/* Engines that share bounds through a server, and what others write to it. */
import { setTimeout as sleep } from "node:timers/promises";
import { packBoard, parseBoard, parseShape } from "@gridlock/game";
import { RECORD_BYTES } from "@gridlock/kernel";
import { LocalPool } from "@gridlock/solver";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Engine } from "../dist/engine.js";
import { addressOf, type Batch, writeBatch } from "../src/batch.js";
import { keysOf } from "../src/keys.js";
import type { Sharing } from "../src/link.js";
import type { RedisOptions } from "../src/redis-options.js";
import { engineOptions, startEngine } from "./engines.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";

const GAME = { shape: parseShape("2x4"), tiles: [2, 4] } as const;
const START = { turn: "slider", board: packBoard(parseBoard("2 2 0 0/0 0 0 0").board) } as const;
/** Its answer takes some ten thousand nodes. */
const QUESTION = { ...START, threshold: 200 };
const HERE = { run: "r1", isLate: true };

function clientOf(redis: RedisOptions): Redis {
  const client = new Redis(redis.url);
  onTestFinished(() => client.disconnect());
  return client;
}

function nodesOf({ pool }: Engine): number {
  const { positions, afterstates } = pool.counts();
  return positions + afterstates;
}

/** Waits until a count of what an engine has shared has a value. */
const counted = (engine: Engine, name: keyof Engine["link"]["counts"]) =>
  expect.poll(() => engine.link.counts[name]);

/** Waits until the engine's counts no longer grow. */
async function settled(engine: Engine): Promise<Engine["link"]["counts"]> {
  for (let before = ""; ; await sleep(1200)) {
    const now = JSON.stringify(engine.link.counts);
    if (now === before) return engine.link.counts;
    before = now;
  }
}

/** Starts an engine for a worker of this name that shares with its peers. */
async function member(redis: RedisOptions, worker: string, sharing?: Partial<Sharing>) {
  const engine = await startEngine(GAME, engineOptions(redis), { worker });
  if (sharing) engine.link.share({ ...HERE, peers: [], ...sharing });
  return engine;
}

/** Returns records that a search has proven, changed by `change`, for batches. */
async function provenRecords(change: (record: DataView) => void = () => {}) {
  const pool = new LocalPool(GAME, { workers: 1, memory: 2 ** 25 });
  onTestFinished(() => pool[Symbol.asyncDispose]());
  await pool.ask(QUESTION);
  const records = Buffer.concat([...pool.kernel.records.read(1)]);
  for (let at = 0; at < records.length; at += RECORD_BYTES) {
    change(new DataView(records.buffer, records.byteOffset + at, RECORD_BYTES));
  }
  const all = records.length / RECORD_BYTES;
  return {
    all,
    /** Packs the first of them. */
    batch(count = all): Batch {
      const packed = pool.kernel.records.packInOrder(records.subarray(0, RECORD_BYTES * count));
      return { packed };
    },
  };
}

/** Claims that the game is over on each board, whatever it cost to find out. */
function falsify(record: DataView): void {
  record.setUint16(8, 0, true);
  record.setUint16(10, 0, true);
}

/** Returns a function that writes to the stream of a worker that is not an engine. */
function writerOf(client: Redis, redis: RedisOptions, name: string) {
  const stream = keysOf(redis).bounds(name);
  return (batch: Batch, to: { run: string } = HERE, id = "*") =>
    client.xadd(stream, id, ...writeBatch(addressOf(GAME, to), batch));
}

describe("engines of a run", () => {
  it("have each other's bounds in their tables", async () => {
    const redis = await someRedis();
    const [a, b] = [
      await member(redis, "a", { peers: ["b"] }),
      await member(redis, "b", { peers: ["a"] }),
    ];
    await a.pool.ask(QUESTION, {});
    const spent = nodesOf(a);
    await counted(b, "received").toBeGreaterThan(0);
    const [sent, received] = [await settled(a), await settled(b)];
    expect(received).toMatchObject({ received: sent.sent, refused: 0 });
    expect(received.bytesReceived).toBeGreaterThanOrEqual(sent.bytesSent);
    await b.pool.ask(QUESTION, {});
    expect(nodesOf(b)).toBeLessThan(spent / 10);
    const ttl = await clientOf(redis).pttl(keysOf(redis).bounds("a"));
    expect(ttl).toBeGreaterThan(0);
  });

  it("give a worker that joins the table of the first of them", async () => {
    const redis = await someRedis();
    const a = await member(redis, "a", {});
    await a.pool.ask(QUESTION, {});
    expect((await settled(a)).sent).toBe(0); // to nobody
    const b = await member(redis, "b");
    a.link.share({ ...HERE, peers: ["b"] });
    b.link.share({ ...HERE, peers: ["a"] });
    await counted(b, "table").toBeGreaterThan(0);
    await settled(b);
    await b.pool.ask(QUESTION, {});
    expect(nodesOf(b)).toBeLessThan(nodesOf(a) / 10);
    expect(await clientOf(redis).xlen(keysOf(redis).table("b"))).toBeLessThanOrEqual(1);
  });

  it("go on sending a table when a third worker joins", async () => {
    const redis = await someRedis();
    const client = clientOf(redis);
    const b = await member(redis, "b", { peers: ["a"] });
    const { batch } = await provenRecords();
    const table = keysOf(redis).table("b");
    const send = () => client.xadd(table, "*", ...writeBatch(addressOf(GAME, HERE), batch(10)));
    await send();
    await counted(b, "table").toBe(10);
    b.link.share({ ...HERE, peers: ["a", "c"] });
    await send();
    await counted(b, "table").toBe(20);
  });

  it("pass on the bounds that they prove last, and leave", async () => {
    const redis = await someRedis();
    const [a, b] = [
      await member(redis, "a", { peers: ["b"] }),
      await member(redis, "b", { peers: ["a"] }),
    ];
    await a.pool.ask({ ...START, threshold: 40 }, {});
    await counted(b, "received").toBeGreaterThan(0);
    await a.pool.ask(QUESTION, {});
    await a[Symbol.asyncDispose]();
    await settled(b);
    const spent = nodesOf(a);
    await b.pool.ask(QUESTION, {});
    expect(nodesOf(b)).toBeLessThan(spent / 10);
  });
});

describe("an engine refuses", () => {
  it("batches for another run, and counts them", async () => {
    const redis = await someRedis();
    const engine = await member(redis, "me", { peers: ["other"] });
    const write = writerOf(clientOf(redis), redis, "other");
    const { batch } = await provenRecords(falsify);
    for (let i = 0; i < 3; i++) await write(batch(), { run: "r2" });
    await write(batch(0));
    await counted(engine, "refused").toBe(3);
    expect(engine.link.counts.received).toBe(0);
    expect((await engine.pool.ask({ ...START, threshold: 8 }, {}))?.lo).toBeGreaterThanOrEqual(8);
  });

  it("garbage, and takes what follows", async () => {
    const redis = await someRedis();
    const client = clientOf(redis);
    const engine = await member(redis, "me", { peers: ["other"] });
    const write = writerOf(client, redis, "other");
    const { batch } = await provenRecords();
    const stream = keysOf(redis).bounds("other");
    await client.xadd(stream, "*", "for", "everyone");
    await client.xadd(stream, "*", "nonsense", "x".repeat(100_000));
    const fields = writeBatch(addressOf(GAME, HERE), batch(5));
    const last = Buffer.from(fields[5] as Buffer);
    last[0] = (last[0] as number) ^ 1;
    await client.xadd(stream, "*", ...fields.with(5, last));
    await client.xadd(stream, "*", ...fields.slice(0, 4));
    await write({ packed: Uint8Array.of(255, 255, 255) }); // no records
    await write(batch(5));
    await counted(engine, "received").toBeGreaterThanOrEqual(5);
    expect(engine.link.counts.refused).toBeGreaterThanOrEqual(4);
  });
});

describe("an engine goes on", () => {
  it("without streams of the wrong type, which it removes", async () => {
    const redis = await someRedis();
    const client = clientOf(redis);
    const keys = keysOf(redis);
    for (const key of [keys.bounds("me"), keys.bounds("other")]) {
      await client.set(key, "nonsense");
    }
    const engine = await member(redis, "me", { peers: ["other"] });
    await engine.pool.ask(QUESTION, {});
    await expect.poll(() => client.exists(keys.bounds("other"))).toBe(0);
    await writerOf(client, redis, "other")((await provenRecords()).batch(5));
    await counted(engine, "received").toBe(5);
    await engine.pool.ask({ ...START, threshold: 100 }, {});
    await counted(engine, "sent").toBeGreaterThan(0);
  });

  it("without a peer that is gone", async () => {
    const redis = await someRedis();
    const engine = await member(redis, "me", { peers: ["gone", "other"] });
    await writerOf(clientOf(redis), redis, "other")((await provenRecords()).batch(5));
    await counted(engine, "received").toBe(5);
    engine.link.share({ ...HERE, peers: ["other"] });
    engine.link.share({ ...HERE, peers: [] });
    expect((await engine.pool.ask(QUESTION, {}))?.lo).toBeDefined();
  });

  it("with the newest batches of each peer if it is far behind", async () => {
    const redis = await someRedis();
    const client = clientOf(redis);
    const { batch } = await provenRecords();
    const [small, large] = [batch(1), batch(1000)];
    const [busy, rare] = [writerOf(client, redis, "busy"), writerOf(client, redis, "rare")];
    for (let i = 0; i < 512; i++) {
      await busy(small);
      await rare(small);
    }
    const engine = await member(redis, "me", { peers: ["busy", "rare"] });
    await counted(engine, "received").toBe(500); // 250 of each
    for (let i = 0; i < 200; i++) {
      await busy(small);
      if (i % 20 === 10) await rare(large);
      await sleep(5);
    }
    const { received } = await settled(engine);
    expect(Math.floor(received / 1000)).toBe(10);
    expect(received % 1000).toBeGreaterThan(500);
  });

  it("when the ids of a stream have begun anew", async () => {
    const redis = await someRedis();
    const client = clientOf(redis);
    const engine = await member(redis, "me", { peers: ["other"] });
    const write = writerOf(client, redis, "other");
    const { batch } = await provenRecords();
    await write(batch(5), HERE, "99999999999999-0");
    await counted(engine, "received").toBe(5);
    await client.del(keysOf(redis).bounds("other"));
    await write(batch(7));
    await counted(engine, "received").toBeGreaterThanOrEqual(12);
  });

  it("when its server is back", async () => {
    const server = await testRedis();
    const redis = optionsOf(server.url);
    const engine = await member(redis, "me", { peers: ["other"] });
    const { batch } = await provenRecords();
    await server.stop("SIGKILL");
    expect((await engine.pool.ask(QUESTION, {}))?.lo).toBeDefined();
    await testRedis({ port: server.port });
    const client = clientOf(redis);
    await writerOf(client, redis, "other")(batch(5));
    await counted(engine, "received").toBeGreaterThanOrEqual(5);
    await engine.pool.ask({ ...START, threshold: 100 }, {});
    await counted(engine, "sent").toBeGreaterThan(0);
  });
});
