import { describe, expect, it } from "vitest";
import { connect } from "../src/connect.js";

describe("a connection", () => {
  it("prepares a text once, and anew while its rows are being read", () => {
    const sqlite = connect(":memory:");
    try {
      sqlite.exec("CREATE TABLE number (n); INSERT INTO number VALUES (1), (2)");
      const read = () => sqlite.prepare<[], number>("SELECT n FROM number ORDER BY n").pluck();
      expect(read()).toBe(read());
      const pairs: [number, number][] = [];
      for (const a of read().iterate()) for (const b of read().iterate()) pairs.push([a, b]);
      expect(pairs).toEqual([
        [1, 1],
        [1, 2],
        [2, 1],
        [2, 2],
      ]);
    } finally {
      sqlite.close();
    }
  });
});
