import { setTimeout as sleep } from "node:timers/promises";
import { CuttablePort, GRIDLOCK, Process, temporaryFolder, until } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, disconnect } from "../src/connection.js";
import { isOutage } from "../src/outage.js";
import { checkServer } from "../src/server-check.js";
import { optionsOf, testRedis } from "./redis.js";
import { fault, nothingOpen, portOfNobody, tell, throughBullMQ } from "./servers.js";

describe("Redis Cluster", () => {
  /** Starts a cluster of one node, with all slots if they are `assigned`. */
  async function clusterRedis({ assigned = true, announced = true, extra = [] as string[] } = {}) {
    const address = announced ? ["--cluster-announce-ip", "127.0.0.1"] : [];
    const redis = await testRedis({ extra: ["--cluster-enabled", "yes", ...address, ...extra] });
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

  it("is used if its only node does not know its address", async () => {
    const { options } = await clusterRedis({ announced: false });
    await checkServer(options);
    await expect(throughBullMQ(options)).resolves.toBe(42);
  });

  it("is used where each reply takes 2 s, by the address that it announces", async () => {
    const { options, url, port } = await clusterRedis();
    using asked = await CuttablePort.open(port);
    using announced = await CuttablePort.open(port);
    await tell(url, "config", "set", "cluster-announce-port", new URL(announced.url).port);
    asked.delay = 2000;
    announced.delay = 2000;
    const slow = { ...options, url: asked.url };
    const client = connect(slow, "commands");
    onTestFinished(() => disconnect(client));
    await Promise.all([checkServer(slow), client.set("{gridlock}:key", "1")]);
    expect(client.stream.remotePort).toBe(Number(new URL(announced.url).port));
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

  /** Starts a cluster of two nodes; `restart` kills and restarts the one that has a key. */
  async function twoNodes(key: string) {
    const start = (folder: string, port?: number) =>
      testRedis({
        port,
        appendOnly: folder,
        extra: ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"],
      });
    const folders = [temporaryFolder(), temporaryFolder()] as const;
    const nodes = [await start(folders[0]), await start(folders[1])] as const;
    await tell(nodes[0].url, "cluster", "addslotsrange", "0", "8191");
    await tell(nodes[1].url, "cluster", "addslotsrange", "8192", "16383");
    await tell(nodes[0].url, "cluster", "meet", "127.0.0.1", String(nodes[1].port));
    const isWhole = async ({ url }: { url: string }) =>
      /cluster_state:ok[\s\S]*cluster_known_nodes:2/.test(`${await tell(url, "cluster", "info")}`);
    for (const node of nodes) await until("it is whole", () => isWhole(node));
    const slot = (await tell(nodes[0].url, "cluster", "keyslot", key)) as number;
    const owner = slot < 8192 ? 0 : 1;
    return {
      url: nodes[1 - owner]?.url as string,
      async giveSlotAway() {
        const other = await tell(nodes[1 - owner]?.url as string, "cluster", "myid");
        for (const { url } of [...nodes].reverse()) {
          await tell(url, "cluster", "setslot", String(slot), "node", `${other}`);
        }
      },
      kill: () => nodes[owner].stop("SIGKILL"),
      restart: () => start(folders[owner], nodes[owner].port),
    };
  }

  it("is followed when the keys move to another node", async () => {
    const { url, giveSlotAway } = await twoNodes("{gridlock}");
    const client = connect({ url, prefix: "gridlock", cluster: true }, "commands");
    onTestFinished(() => disconnect(client));
    await client.set("{gridlock}:key", "before");
    await client.del("{gridlock}:key"); // a node keeps a slot with keys
    await giveSlotAway();
    const failures: unknown[] = [];
    await until("the other node has the key", () =>
      client.set("{gridlock}:key", "after").then(
        () => true,
        (error) => {
          failures.push(error);
          return false;
        },
      ),
    );
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter((error) => !isOutage(error))).toEqual([]);
  });

  it("that had lost a node does not keep a worker from ending", { timeout: 60_000 }, async () => {
    const { url, kill, restart } = await twoNodes("{gridlock}");
    const cwd = temporaryFolder();
    const args = ["worker", "--redis", url, "--redis-cluster", "--db", "worker.db"];
    await using worker = new Process(GRIDLOCK, [...args, "--threads", "1"], { cwd });
    await until("it waits for a run", () => worker.stderr.includes("waiting for a coordinator"));
    await kill();
    await until("it notices", () => worker.stderr.includes('"msg":"waiting for Redis"'));
    await restart();
    worker.child.kill("SIGTERM");
    const { code, stderr } = await worker.ended;
    expect(code, stderr).toBe(0);
  });
});
