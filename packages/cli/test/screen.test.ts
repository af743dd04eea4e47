import { describe, expect, it } from "vitest";
import { fitted } from "../src/output/screen.js";

describe("a screen", () => {
  it("leaves a row for the cursor, and cuts lines that are too long", () => {
    const text = "first\n\nthe third\nfourth";
    expect(fitted(text, { rows: 5, columns: 9 })).toBe(text);
    expect(fitted(text, { rows: 4, columns: 8 })).toBe("first\n\nthe thi…");
  });
});
