import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { checkServer } from "../src/server-check.js";
import { optionsOf, testRedis } from "./redis.js";
import { fault, nothingOpen, portOfNobody, tell, throughBullMQ } from "./servers.js";

describe("Redis Cluster", () => {
  /** Starts a cluster of one node, with all slots if they are `assigned`. */
  async function clusterRedis({ assigned = true, extra = [] as string[] } = {}) {
    const redis = await testRedis({
      extra: ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", ...extra],
    });
    if (assigned) {
      await tell(redis.url, "cluster", "addslotsrange", "0", "16383");
      while (!`${await tell(redis.url, "cluster", "info")}`.includes("cluster_state:ok")) {
        await sleep(20);
      }
    }
    return { ...redis, options: { ...optionsOf(redis.url), cluster: true } };
  }

  it("is used if requested", async () => {
    const { options } = await clusterRedis();
    await nothingOpen();
    await checkServer(options);
    await nothingOpen();
    await expect(throughBullMQ(options)).resolves.toBe(42);
  });

  it("is not mistaken for a single server, or vice versa", async () => {
    const { options, url, port } = await clusterRedis();
    for (const each of [url, `${url}/1`]) {
      expect(await fault({ ...options, url: each, cluster: false })).toEqual({
        code: "cluster-mode",
        message: `Redis at 127.0.0.1:${port} is a node of a Redis Cluster; expected a single server, or --redis-cluster`,
      });
    }
    const single = await testRedis();
    expect(await fault({ ...optionsOf(single.url), cluster: true })).toEqual({
      code: "cluster-mode",
      message: `Redis at 127.0.0.1:${single.port} is a single server; expected a node of a Redis Cluster, as --redis-cluster says`,
    });
  });

  it("must be complete and reachable", async () => {
    const empty = await clusterRedis({ assigned: false });
    const { code, message } = await fault(empty.options);
    expect(code).toBe("cluster-mode");
    expect(message).toContain("is in state fail; expected ok, with a node for every slot");

    const nobody = await portOfNobody();
    const hidden = await clusterRedis({ extra: ["--cluster-announce-port", `${nobody}`] });
    const unreachable = await fault(hidden.options);
    expect(unreachable.code).toBe("unreachable");
    expect(unreachable.message).toContain("names a node that did not answer");
  });
});
