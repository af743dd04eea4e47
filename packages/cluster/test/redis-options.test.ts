import { quoted } from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { connect } from "../src/connection.js";
import { endpointOf, keyPrefix } from "../src/redis-options.js";
import { checkServer } from "../src/server-check.js";
import { optionsOf } from "./redis.js";
import { fault } from "./servers.js";

describe("the prefix of keys", () => {
  it("is a hash tag", () => {
    expect(keyPrefix({ prefix: "gridlock" })).toBe("{gridlock}");
    expect(keyPrefix({ prefix: "My-run_2.b" })).toBe("{My-run_2.b}");
  });

  it.each(["", "a b", "{a}", "a:b", "ä", "a\n"])("may not be %j", (prefix) => {
    expect(() => keyPrefix({ prefix })).toThrow(
      `the prefix ${quoted(prefix)} cannot be used; expected letters, digits, "-", "_" and "."`,
    );
  });
});

describe("a URL", () => {
  it.each([
    ["localhost:6379", "localhost:6379 is not the URL of a Redis server"],
    ["http://localhost", "http://localhost is not the URL of a Redis server"],
    ["redis://", "redis:// names no host"],
    ["redis:///0", "redis:///0 names no host"],
    ["redis://localhost:99999", "redis://localhost:99999 is not a valid URL"],
    ["redis://localhost/first", "redis://localhost/first has a database that is not a number"],
    ["redis://localhost/-1", "redis://*** has a database that is not a number"],
    ["redis://[::1]:6379/x", "redis://[::1]:6379/x has a database that is not a number"],
    ["redis://s3cret@localhost/1", "redis://***@localhost/1 has a user but no password"],
    ["redis://:s3cret@localhost/x", "redis://***@localhost/x has a database that is not a number"],
    [
      "redis://u:s3cret%zz@localhost",
      "redis://***@localhost has a % without two hexadecimal digits",
    ],
    ["redis://u:s3cret/x@localhost/1", "redis://***@localhost/1 is not a valid URL"],
    ["redis://u:s3cret#x@localhost/1", "redis://***@localhost/1 is not a valid URL"],
    ["redis://:s3cret", "redis://*** is not a valid URL"],
    ["redis://localhost?password=s3cret", "redis://*** has text after the database"],
    ["redis://localhost#s3cret", "redis://*** has text after the database"],
    ["s3cret://:s3cret@localhost", "***@localhost is not the URL of a Redis server"],
  ])("%s is rejected", async (url, sentence) => {
    const options = optionsOf(url);
    const { code, message } = await checkServer(options).catch((error) => error);
    expect(code).toBe("bad-url");
    expect(message).toMatch(/^[^\n]*; expected [^\n]*$/);
    expect(message).toContain(sentence);
    expect(message).not.toContain("s3cret");
    expect(() => connect(options, "commands")).toThrow(message);
  });

  it("without a password takes a separate one, and with one ignores it", () => {
    const login = (url: string, password: string) =>
      endpointOf({ ...optionsOf(url), password }).login;
    expect(login("redis://localhost", "a%40b")).toEqual({ password: "a%40b" });
    expect(login("redis://user@localhost", "pass")).toEqual({ username: "user", password: "pass" });
    expect(login("redis://:s3cret@localhost", "pass")).toEqual({ password: "s3cret" });
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
