import { gridlock, interruptedAt, json, temporaryFolder } from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A folder whose database has 2×2 and 2×3, solved, proven, and solved by layers. */
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  for (const shape of ["2x2", "2x3"]) {
    await json(folder, ["solve", shape, "--method", "layers", "--json"]);
    await json(folder, ["prove", shape, "--json"]);
  }
  const { code } = await gridlock(folder, [
    "export",
    "2x2",
    "--format",
    "certificate",
    "--output",
    "c",
  ]);
  expect(code).toBe(0);
});

describe("Ctrl-C", () => {
  it.each([
    ["opens the database", "1 user_version", ["verify"]],
    ["checks that the database is intact", "1 integrity_check", ["verify"]],
    ["reads the starts", "1 FROM start", ["verify"]],
    ["reads a certificate", "1 FROM claim", ["verify"]],
    ["reads the next certificate, after a check", "4 FROM claim", ["verify"]],
    ["reads a certificate's file", "1 readSync", ["verify", "--certificate", "c"]],
  ])("ends verify at once while it %s", async (_, at, args) => {
    const { code, signal, stderr } = await interruptedAt(folder, at, args);
    expect({ code, signal, stderr }).toEqual({ code: null, signal: "SIGINT", stderr: "" });
  });
});
