import { expect, it, onTestFinished } from "vitest";
import { connect, disconnect } from "../src/connection.js";
import { emptyQueue } from "../src/jobs.js";
import { keysOf, QUEUE } from "../src/keys.js";
import { optionsOf, testRedis } from "./redis.js";

it("is empty although workers ended jobs while it was emptied", async () => {
  const options = optionsOf((await testRedis()).url);
  const client = connect(options, "commands");
  onTestFinished(() => disconnect(client));
  const keys = keysOf(options);
  const fill = (prefix: string, count: number) =>
    client.mset(Object.fromEntries(Array.from({ length: count }, (_, i) => [prefix + i, ""])));
  await fill("other:", 50_000); // so that it takes a while
  const emptied = emptyQueue(client, keys);
  await client.ping();
  await fill(`${keys.prefix}:${QUEUE}:`, 1000);
  await emptied;
  expect(await client.keys(`${keys.prefix}:*`)).toEqual([]);
});
