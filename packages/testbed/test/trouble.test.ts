import {
  CHECKUPS,
  FAULTS,
  licenseFaults,
  logFaults,
  logLines,
  productionPackages,
  TROUBLE,
} from "@gridlock/testbed";
import { describe, expect, it } from "vitest";

describe("the kinds of trouble", () => {
  it("include all faults, and each says what happens", () => {
    expect(Object.keys(TROUBLE)).toEqual(expect.arrayContaining(Object.keys(FAULTS)));
    for (const [name, { what }] of Object.entries({ ...TROUBLE, ...CHECKUPS })) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(what.length).toBeGreaterThan(10);
    }
  });

  it("include each freeze and each refusal", () => {
    expect(Object.keys(TROUBLE)).toEqual(
      expect.arrayContaining(["freeze-all-120", "oom", "noperm-for-good", "failover-2x4"]),
    );
  });
});

describe("a log", () => {
  const waiting = (error: string) =>
    JSON.stringify({ level: 40, worker: "a-1", error, msg: "waiting for Redis" });

  it("is right if it is short and says what happened", () => {
    expect(logFaults(logLines(`${waiting("ECONNREFUSED")}\n{"msg":"Redis is back"}\n`))).toEqual(
      [],
    );
  });

  it.each([
    "Stream isn't writeable and enableOfflineQueue options is false",
    "Connection is closed.",
    'Reached the max retries per request limit (which is 0). Refer to "maxRetriesPerRequest"',
  ])("may not repeat %s", (error) => {
    const [fault, ...others] = logFaults([waiting("ECONNREFUSED"), waiting(error), waiting(error)]);
    expect(fault).toMatch(/^2 lines have "/);
    for (const other of others) expect(other).toMatch(/^2 lines have "/);
  });

  it("may not have stacks and warnings of Node", () => {
    const warning = "(node:4711) MaxListenersExceededWarning: Possible EventEmitter memory leak";
    expect(logFaults([warning, "    at Redis.connect (redis.js:1:1)"])).toHaveLength(2);
  });

  it("has fewer than 1000 lines", () => {
    const lines = Array.from({ length: 1000 }, () => waiting("ECONNREFUSED"));
    expect(logFaults(lines)).toEqual(["1000 log lines; expected fewer than 1000"]);
    expect(logFaults(lines.slice(1))).toEqual([]);
  });
});

describe("licenses", () => {
  it("of all dependencies are permissive", async () => {
    const packages = await productionPackages();
    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["better-sqlite3", "bullmq", "hono", "preact"]),
    );
    expect(licenseFaults(packages)).toEqual([]);
  });

  it("that are not permissive, or not stated, are reported", () => {
    const version = "1.0.0";
    const right = ["MIT", "(MIT OR GPL-3.0-only)", { type: "ISC" }];
    const wrong = ["GPL-3.0-only", "(MIT AND GPL-3.0-only)", "(GPL-3.0-only AND (MIT OR X))", ""];
    const named = (license: string | { type: string }) => ({ name: "one", version, license });
    expect(licenseFaults(right.map(named))).toEqual([]);
    expect(licenseFaults(wrong.map(named))).toEqual(
      wrong.map((license) => `one ${version} has the license ${license}`),
    );
    expect(licenseFaults([{ name: "one", version }])).toEqual([
      "one 1.0.0 has the license (not stated)",
    ]);
  });
});
