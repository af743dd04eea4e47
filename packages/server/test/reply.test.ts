import { describe, expect, it } from "vitest";
import { streamOf } from "../src/reply.js";

describe("a stream", () => {
  it("ends what makes its texts when the client hangs up", async () => {
    const log: string[] = [];
    async function* texts() {
      try {
        for (;;) yield "text";
      } finally {
        log.push("closed");
      }
    }
    const reader = streamOf(texts()).getReader();
    await reader.read();
    await reader.cancel();
    expect(log).toEqual(["closed"]);
  });
});
