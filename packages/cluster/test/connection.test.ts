import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { Queue, QueueEvents, Worker } from "bullmq";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ConnectionUse,
  checkServer,
  connect,
  keyPrefix,
  type RedisClient,
  type RedisOptions,
} from "../src/connection.js";
import { ClusterError } from "../src/errors.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";

/** What a server is found to lack. Whatever it was, nothing of the check may stay open. */
async function fault(options: RedisOptions): Promise<Pick<ClusterError, "code" | "message">> {
  await nothingOpen();
  try {
    await checkServer(options);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    await nothingOpen();
    const { code, message } = error;
    expect(message).toMatch(/^[^\n]*(expected|--redis-ca)[^\n]*$/);
    return { code, message };
  }
  throw new Error("no fault was found");
}

/** Sees that no connection and no timer of this process is left; the other ends of some are in it too. */
async function nothingOpen(): Promise<void> {
  let open: string[] = [];
  for (let tries = 0; tries < 20; tries++) {
    open = process.getActiveResourcesInfo().filter((kind) => /TCPSocket|TLS|Timeout/.test(kind));
    if (open.length === 0) return;
    await sleep(20);
  }
  expect(open).toEqual([]);
}

/** The port of a server that is no Redis, until the running test has ended. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function portOfNobody(): Promise<number> {
  const redis = await testRedis();
  await redis.stop();
  return redis.port;
}

/** A client of ours that is closed when the running test has ended. */
function client(options: RedisOptions, use: ConnectionUse, onError?: (error: Error) => void) {
  const redis = connect(options, use, onError);
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** Tells a server something, as its administrator. */
async function tell(url: string, command: string, ...args: string[]): Promise<unknown> {
  const redis = new Redis(url);
  try {
    return await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}

describe("the prefix of keys", () => {
  it("is a hash tag", () => {
    expect(keyPrefix({ prefix: "gridlock" })).toBe("{gridlock}");
    expect(keyPrefix({ prefix: "My-run_2.b" })).toBe("{My-run_2.b}");
  });

  it.each(["", "a b", "{a}", "a:b", "ä", "a\n"])("may not be %j", (prefix) => {
    expect(() => keyPrefix({ prefix })).toThrow(
      `the prefix ${JSON.stringify(prefix)} cannot be used; expected letters, digits, "-", "_" and "."`,
    );
  });
});

describe("a URL", () => {
  it.each([
    ["localhost:6379", "localhost:6379 is no URL of a Redis server"],
    ["http://localhost", "http://localhost is no URL of a Redis server"],
    ["redis://", "redis:// names no host"],
    ["redis:///0", "redis:///0 names no host"],
    ["redis://localhost:99999", "redis://localhost:99999 cannot be read"],
    ["redis://localhost/first", "redis://localhost/first names no database by its number"],
    ["redis://localhost/-1", "redis://*** names no database by its number"],
    ["redis://[::1]:6379/x", "redis://[::1]:6379/x names no database by its number"],
    ["redis://s3cret@localhost/1", "redis://***@localhost/1 has a user and no password"],
    ["redis://:s3cret@localhost/x", "redis://***@localhost/x names no database by its number"],
    [
      "redis://u:s3cret%zz@localhost",
      "redis://***@localhost has a % that no two hexadecimal digits",
    ],
    ["redis://u:s3cret/x@localhost/1", "redis://***@localhost/1 cannot be read"],
    ["redis://u:s3cret#x@localhost/1", "redis://***@localhost/1 cannot be read"],
    ["redis://:s3cret", "redis://*** cannot be read"],
    ["redis://localhost?password=s3cret", "redis://*** has something behind the database"],
    ["redis://localhost#s3cret", "redis://*** has something behind the database"],
    ["s3cret://:s3cret@localhost", "***@localhost is no URL of a Redis server"],
  ])("%s is refused", async (url, sentence) => {
    const options = optionsOf(url);
    const { code, message } = await checkServer(options).catch((error) => error);
    expect(code).toBe("bad-url");
    expect(message).toMatch(/^[^\n]*; expected [^\n]*$/);
    expect(message).toContain(sentence);
    expect(message).not.toContain("s3cret");
    expect(() => connect(options, "commands")).toThrow(message);
  });

  it("of a cluster names database 0", async () => {
    const options = { ...optionsOf("redis://localhost/1"), cluster: true };
    expect(await fault(options)).toEqual({
      code: "bad-url",
      message:
        "redis://localhost/1 names database 1; expected database 0, the only one of a Redis Cluster",
    });
  });
});

describe("a server that can be used", () => {
  it("is found fit, and keeps nothing", async () => {
    const options = await someRedis();
    await nothingOpen();
    await checkServer(options);
    await nothingOpen();
    await sleep(5);
    expect(await tell(options.url, "keys", `${keyPrefix(options)}*`)).toEqual([]);
  });

  it("takes user, password and database from the URL", async () => {
    const { url, port } = await testRedis();
    await tell(url, "acl", "setuser", "a@b", "on", ">p@ss:/#%", "~*", "&*", "+@all");
    const options = optionsOf(`redis://a%40b:p%40ss%3A%2F%23%25@127.0.0.1:${port}/3`);
    await checkServer(options);
    await client(options, "commands").set("key", "value");
    expect(await tell(`${url}/3`, "get", "key")).toBe("value");
  });

  it("need not let its user do more than this", async () => {
    const { url, port } = await testRedis();
    const options = { ...optionsOf(`redis://u:s3cret@127.0.0.1:${port}`), prefix: "mine" };
    const rights = "~{mine}:* &{mine}:* +@all -@admin -@dangerous +info +client|list".split(" ");
    await tell(url, "acl", "setuser", "u", "on", ">s3cret", ...rights);
    await checkServer(options);
    await expect(throughBullMQ(options)).resolves.toBe(42);

    for (const missing of ["~{mine}:*", "&{mine}:*", "+info"]) {
      const fewer = rights.filter((right) => right !== missing);
      await tell(url, "acl", "setuser", "u", "reset", "on", ">s3cret", ...fewer);
      const { code, message } = await fault(options);
      expect([missing, code]).toEqual([missing, "refused-login"]);
      expect(message).toContain(
        `Redis at 127.0.0.1:${port} does not let the user u do all that a run needs; expected the rights ${rights.join(" ")} (`,
      );
    }
  });
});

describe("a server that cannot be used", () => {
  it("is not there", async () => {
    const port = await portOfNobody();
    expect(await fault(optionsOf(`redis://127.0.0.1:${port}`))).toEqual({
      code: "unreachable",
      message: `Redis at 127.0.0.1:${port} refused the connection; expected a server that listens there`,
    });
    const { code } = await fault(optionsOf(`redis://localhost:${port}`));
    expect(code).toBe("unreachable");
  });

  it("has a name that nobody knows", async () => {
    const { code, message } = await fault(optionsOf("redis://no-such-host.invalid"));
    expect(code).toBe("unreachable");
    expect(message).toContain("the host no-such-host.invalid was not found");
  });

  it("does not answer", async () => {
    const port = await listening(createServer((socket) => socket.resume()));
    const plain = await testRedis();
    const { url, port: stopped, process } = await testRedis();
    process.kill("SIGSTOP");
    const begun = Date.now();
    const [silent, secure, away] = await Promise.all(
      [`redis://127.0.0.1:${port}`, `rediss://127.0.0.1:${plain.port}`, url].map((each) =>
        checkServer(optionsOf(each)).catch(({ code, message }) => ({ code, message })),
      ),
    );
    expect(Date.now() - begun).toBeLessThan(7_000);
    const unanswered = (at: number) => ({
      code: "unreachable",
      message: `Redis at 127.0.0.1:${at} did not answer within 5 s; expected a Redis server that is up and can be reached from here`,
    });
    expect([silent, away]).toEqual([unanswered(port), unanswered(stopped)]);
    expect(secure).toEqual({
      code: "tls",
      message: `Redis at 127.0.0.1:${plain.port} did not begin TLS within 5 s; expected a port that speaks it, or redis:// in place of rediss://`,
    });
    await nothingOpen();
  });

  it("does not know the login", async () => {
    const { url, port } = await testRedis({ password: "s3cret" });
    await checkServer(optionsOf(url));
    const none = await fault(optionsOf(`redis://127.0.0.1:${port}`));
    expect(none.code).toBe("refused-login");
    expect(none.message).toContain("asks for a password; expected redis://:PASSWORD@…");
    const wrong = await fault(optionsOf(`redis://:wrong-0ne@127.0.0.1:${port}`));
    expect(wrong).toEqual({
      code: "refused-login",
      message: `Redis at 127.0.0.1:${port} does not accept the password; expected those it knows (WRONGPASS invalid username-password pair or user is disabled.)`,
    });
    const user = await fault(optionsOf(`redis://bob:wrong-0ne@127.0.0.1:${port}`));
    expect(user.message).toContain("does not accept the user bob or the password");
  });

  it("has no such database", async () => {
    const { url, port } = await testRedis();
    expect(await fault(optionsOf(`${url}/99`))).toEqual({
      code: "bad-url",
      message: `Redis at 127.0.0.1:${port} has no database 99; expected a smaller number (ERR DB index is out of range)`,
    });
  });

  it("drops keys when memory is short", async () => {
    const { url, port } = await testRedis({ extra: ["--maxmemory-policy", "allkeys-lru"] });
    const { code, message } = await fault(optionsOf(url));
    expect(code).toBe("evicting");
    expect(message).toContain(
      `Redis at 127.0.0.1:${port} may drop what it is given: its maxmemory-policy is allkeys-lru; expected noeviction`,
    );
    await tell(url, "config", "set", "maxmemory-policy", "noeviction");
    await checkServer(optionsOf(url));
  });

  it("is full, or a replica", async () => {
    const { url, port } = await testRedis();
    await tell(url, "config", "set", "maxmemory", "1");
    const full = await fault(optionsOf(url));
    expect(full.code).toBe("not-writable");
    expect(full.message).toContain(`Redis at 127.0.0.1:${port} does not take writes`);
    await tell(url, "config", "set", "maxmemory", "0");
    const primary = await testRedis();
    await tell(url, "replicaof", "127.0.0.1", `${primary.port}`);
    const replica = await fault(optionsOf(url));
    expect(["not-writable", "unreachable"]).toContain(replica.code);
    expect(replica.message).toMatch(/READONLY|LOADING|MASTERDOWN/);
  });

  it("is no Redis", async () => {
    const web = createHttpServer((_, response) => response.end("hello"));
    const dumb = createServer((socket) => socket.resume().end());
    const mail = createServer((socket) => {
      socket.write("+OK POP3 ready\r\n");
      socket.on("data", (data) => socket.write(`${data}`.replace(/.*\r\n/g, "-ERR what?\r\n")));
    });
    const echo = createServer((socket) => {
      socket.on("data", (data) => {
        const said = JSON.stringify(`${data}`);
        for (const _ of `${data}`.matchAll(/\*/g))
          socket.write(`-ERR unknown command: ${said}\r\n`);
      });
    });
    for (const server of [web, dumb, mail, echo]) {
      const port = await listening(server);
      const { code, message } = await fault(optionsOf(`redis://:s3cret@127.0.0.1:${port}`));
      expect(code).toBe("not-redis");
      expect(message).toContain(`127.0.0.1:${port}`);
      expect(message).not.toContain("s3cret");
      expect(message).toContain("expected a Redis server");
    }
  });

  it.each([
    ["5.0.7", "-ERR unknown command `hello`, with args beginning with: `3`, `AUTH`, `s3cret`"],
    ["6.0.16", "*2\r\n+server\r\n+redis"],
  ])("has version %s", async (version, hello) => {
    const port = await listening(olderServer(version, hello));
    expect(await fault(optionsOf(`redis://:s3cret@127.0.0.1:${port}`))).toEqual({
      code: "old-redis",
      message: `Redis at 127.0.0.1:${port} has version ${version}; expected 6.2 or newer`,
    });
  });
});

/** As much of an older Redis as is asked of it before its version. */
function olderServer(version: string, hello: string): Server {
  const info = `# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\n`;
  return createServer((socket) => {
    socket.setEncoding("utf8").on("data", (commands: string) => {
      for (const [, name = ""] of commands.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        const known: Record<string, string> = {
          hello,
          auth: "+OK",
          info: `$${info.length}\r\n${info}`,
        };
        socket.write(`${known[name.toLowerCase()] ?? "-ERR unknown command"}\r\n`);
      }
    });
  });
}

const openssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!openssl)("TLS", () => {
  /** A server that speaks TLS on one port and nothing on another, with a certificate that it signed itself. */
  async function secureRedis() {
    const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const key = join(folder, "key.pem");
    const ca = join(folder, "cert.pem");
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
        ...["-keyout", key, "-out", ca, "-days", "2", "-subj", "/CN=gridlock"],
        ...["-addext", "subjectAltName=IP:127.0.0.1"],
      ],
      { stdio: "pipe" },
    );
    const port = await portOfNobody();
    await testRedis({
      extra: [
        ...["--tls-port", `${port}`, "--tls-cert-file", ca, "--tls-key-file", key],
        ...["--tls-auth-clients", "no"],
      ],
    });
    return { ca, port, options: optionsOf(`rediss://127.0.0.1:${port}`) };
  }

  it("is used when the certificate is named", async () => {
    const { ca, options } = await secureRedis();
    await checkServer({ ...options, ca });
    expect(await client({ ...options, ca }, "commands").ping()).toBe("PONG");
  });

  it("is refused when nobody vouches for the certificate, or it is for another host", async () => {
    const { ca, options, port } = await secureRedis();
    expect(await fault(options)).toEqual({
      code: "tls",
      message: `the certificate of Redis at 127.0.0.1:${port} is not trusted; name the file of its authority's certificate with --redis-ca (self-signed certificate)`,
    });
    const other = await fault({ ...options, url: `rediss://localhost:${port}`, ca });
    expect(other.code).toBe("tls");
    expect(other.message).toContain("expected a certificate that holds for this host");
  });

  it("is spoken by both or by neither", async () => {
    const { port } = await secureRedis();
    const web = await listening(createHttpServer());
    const secureToWeb = await fault(optionsOf(`rediss://127.0.0.1:${web}`));
    expect(secureToWeb.code).toBe("tls");
    expect(secureToWeb.message).toContain("does not speak TLS on this port");
    const plainToSecure = await fault(optionsOf(`redis://127.0.0.1:${port}`));
    expect(plainToSecure.code).toBe("not-redis");
    expect(plainToSecure.message).toContain(
      "expected a Redis server, or rediss:// if it wants TLS",
    );
  });

  it("takes its certificates from a file that has some", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const empty = join(folder, "empty.pem");
    writeFileSync(empty, "no certificate");
    for (const ca of [empty, join(folder, "missing.pem")]) {
      const { code, message } = await fault({ ...optionsOf("rediss://127.0.0.1"), ca });
      expect(code).toBe("tls");
      expect(message).toContain(`${ca} cannot be used; expected a file of certificates in PEM`);
    }
    const { code, message } = await fault({ ...optionsOf("redis://127.0.0.1"), ca: empty });
    expect(code).toBe("bad-url");
    expect(message).toContain("uses no TLS, and a certificate was given; expected rediss://");
  });
});

describe("Redis Cluster", () => {
  /** A cluster of one node, which has all slots once they are `assigned`. */
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

  it("is used when it is meant", async () => {
    const { options } = await clusterRedis();
    await nothingOpen();
    await checkServer(options);
    await nothingOpen();
    await expect(throughBullMQ(options)).resolves.toBe(42);
  });

  it("is not taken for a single server, nor a single server for it", async () => {
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

  it("must be whole, and within reach", async () => {
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

describe("a connection", () => {
  it("for commands keeps them until it first connects, and then fails them while the server is away", async () => {
    const first = await testRedis();
    const errors: Error[] = [];
    const redis = client(optionsOf(first.url), "commands", (error) => errors.push(error));
    expect(await redis.set("key", "value")).toBe("OK");

    const waiting = expect(redis.blpop("list", 0)).rejects.toThrow();
    await first.stop();
    await waiting;
    const begun = Date.now();
    await expect(redis.get("key")).rejects.toThrow();
    expect(Date.now() - begun).toBeLessThan(100);
    await expect.poll(() => errors.length).toBeGreaterThan(0);

    await testRedis({ port: first.port });
    await expect.poll(() => redis.get("key").catch(() => "away"), { timeout: 5_000 }).toBe(null);
  });

  it("for blocking reads waits until the server is back", async () => {
    const first = await testRedis();
    const redis = client(optionsOf(first.url), "blocking");
    const waiting = redis.blpop("list", 15);
    await sleep(300);
    await first.stop("SIGKILL");
    await sleep(300);
    const again = await testRedis({ port: first.port });
    await tell(again.url, "rpush", "list", "item");
    expect(await waiting).toEqual(["list", "item"]);
  });

  it("gives up a server that owes an answer", async () => {
    const { url, process } = await testRedis();
    const redis = client(optionsOf(url), "commands");
    await redis.ping();
    process.kill("SIGSTOP");
    const begun = Date.now();
    await expect(redis.ping()).rejects.toThrow();
    expect(Date.now() - begun).toBeLessThan(12_000);
    process.kill("SIGCONT");
    await expect.poll(() => redis.ping().catch(() => "away"), { timeout: 5_000 }).toBe("PONG");
  });

  it.each(["commands", "blocking"] as const)(
    "for %s tells of a refused login without the password",
    async (use) => {
      const { port } = await testRedis({ password: "right" });
      const errors: Error[] = [];
      const options = optionsOf(`redis://:s3cret@127.0.0.1:${port}`);
      const redis = client(options, use, (error) => errors.push(error));
      const twin = (redis as Redis).duplicate();
      twin.on("error", (error) => errors.push(error));
      onTestFinished(() => twin.disconnect());
      await expect.poll(() => errors.length).toBeGreaterThan(4);
      for (const error of errors) {
        expect(error.message).toContain("WRONGPASS");
        expect(inspect(error, { depth: 9 })).not.toContain("s3cret");
      }
    },
  );

  it("is one that BullMQ can use", async () => {
    await expect(throughBullMQ(await someRedis())).resolves.toBe(42);
  });
});

/** Has a job done by a BullMQ worker, and waits for its result. */
async function throughBullMQ(options: RedisOptions): Promise<number> {
  const prefix = keyPrefix(options);
  const errors: unknown[] = [];
  const clients: RedisClient[] = [];
  const forBullMQ = (use: ConnectionUse) => {
    const connection = connect(options, use);
    clients.push(connection);
    return { connection, prefix };
  };
  const queue = new Queue("questions", forBullMQ("commands"));
  const events = new QueueEvents("questions", forBullMQ("blocking"));
  const worker = new Worker("questions", async ({ data }) => 2 * data, forBullMQ("blocking"));
  queue.on("error", (error) => errors.push(error));
  events.on("error", (error) => errors.push(error));
  worker.on("error", (error) => errors.push(error));
  try {
    await events.waitUntilReady();
    const job = await queue.add("double", 21);
    return await job.waitUntilFinished(events, 20_000);
  } finally {
    await Promise.all([queue, events, worker].map((each) => each.close()));
    for (const each of clients) each.disconnect();
    expect(errors).toEqual([]);
  }
}
