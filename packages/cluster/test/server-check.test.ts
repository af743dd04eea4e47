import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keyPrefix } from "../src/redis-options.js";
import { checkServer } from "../src/server-check.js";
import { optionsOf, someRedis, testRedis } from "./redis.js";
import {
  client,
  fault,
  listening,
  nothingOpen,
  portOfNobody,
  tell,
  throughBullMQ,
} from "./servers.js";

describe("a server that can be used", () => {
  it("passes the check, which leaves no keys", async () => {
    const options = await someRedis();
    await nothingOpen();
    await checkServer(options);
    await nothingOpen();
    await sleep(5);
    expect(await tell(options.url, "keys", `${keyPrefix(options)}*`)).toEqual([]);
  });

  it("accepts user, password and database from the URL", async () => {
    const { url, port } = await testRedis();
    await tell(url, "acl", "setuser", "a@b", "on", ">p@ss:/#%", "~*", "&*", "+@all");
    const options = optionsOf(`redis://a%40b:p%40ss%3A%2F%23%25@127.0.0.1:${port}/3`);
    await checkServer(options);
    await client(options, "commands").set("key", "value");
    expect(await tell(`${url}/3`, "get", "key")).toBe("value");
  });

  it("need not grant its user more than these rights", async () => {
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
        `Redis at 127.0.0.1:${port} denies the user u a right that a run needs; expected the rights ${rights.join(" ")} (`,
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

  it("has an unknown name", async () => {
    const { code, message } = await fault(optionsOf("redis://no-such-host.invalid"));
    expect(code).toBe("unreachable");
    expect(message).toContain("the host no-such-host.invalid was not found");
  });

  it("does not answer", async () => {
    const port = await listening(createServer((socket) => socket.resume()));
    const plain = await testRedis();
    const { url, port: stopped, process } = await testRedis();
    process.kill("SIGSTOP");
    const [silent, secure, away] = await Promise.all(
      [`redis://127.0.0.1:${port}`, `rediss://127.0.0.1:${plain.port}`, url].map((each) =>
        checkServer(optionsOf(each)).catch(({ code, message }) => ({ code, message })),
      ),
    );
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

  it("rejects the login", async () => {
    const { url, port } = await testRedis({ password: "s3cret" });
    await checkServer(optionsOf(url));
    const none = await fault(optionsOf(`redis://127.0.0.1:${port}`));
    expect(none.code).toBe("refused-login");
    expect(none.message).toContain("asks for a password; expected one in the file of");
    const wrong = await fault(optionsOf(`redis://:wrong-0ne@127.0.0.1:${port}`));
    expect(wrong).toEqual({
      code: "refused-login",
      message: `Redis at 127.0.0.1:${port} rejected the password; expected valid ones (WRONGPASS invalid username-password pair or user is disabled.)`,
    });
    const user = await fault(optionsOf(`redis://bob:wrong-0ne@127.0.0.1:${port}`));
    expect(user.message).toContain("rejected the user bob or its password");
  });

  it("lacks the database", async () => {
    const { url, port } = await testRedis();
    expect(await fault(optionsOf(`${url}/99`))).toEqual({
      code: "bad-url",
      message: `Redis at 127.0.0.1:${port} has no database 99; expected a smaller number (ERR DB index is out of range)`,
    });
  });

  it("evicts keys when memory is short", async () => {
    const { url, port } = await testRedis({ extra: ["--maxmemory-policy", "allkeys-lru"] });
    const { code, message } = await fault(optionsOf(url));
    expect(code).toBe("evicting");
    expect(message).toContain(
      `Redis at 127.0.0.1:${port} may evict keys: its maxmemory-policy is allkeys-lru; expected noeviction`,
    );
    await tell(url, "config", "set", "maxmemory-policy", "noeviction");
    await checkServer(optionsOf(url));
  });

  it("is full, or a replica", async () => {
    const { url, port } = await testRedis();
    await tell(url, "config", "set", "maxmemory", "1");
    const full = await fault(optionsOf(url));
    expect(full.code).toBe("not-writable");
    expect(full.message).toContain(`Redis at 127.0.0.1:${port} does not accept writes`);
    await tell(url, "config", "set", "maxmemory", "0");
    const primary = await testRedis();
    await tell(url, "replicaof", "127.0.0.1", `${primary.port}`);
    const replica = await fault(optionsOf(url));
    expect(["not-writable", "unreachable"]).toContain(replica.code);
    expect(replica.message).toMatch(/READONLY|LOADING|MASTERDOWN/);
  });

  it("is not Redis", async () => {
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

/** Imitates an older Redis as far as the check of its version needs. */
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
