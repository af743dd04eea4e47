import { describe, expect, it } from "vitest";
import { streamOf } from "../src/reply.js";

describe("a stream", () => {
  it("ends what makes its texts when the client hangs up, and says so once", async () => {
    const log: string[] = [];
    async function* texts() {
      try {
        for (;;) yield "text";
      } finally {
        log.push("closed");
      }
    }
    const reader = streamOf(texts(), () => log.push("ended")).getReader();
    await reader.read();
    await reader.cancel();
    expect(log.toSorted()).toEqual(["closed", "ended"]);
  });
});
