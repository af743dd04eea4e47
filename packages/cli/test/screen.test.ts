import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitted } from "../src/output/screen.js";

/** A section of some lines, each of which names itself. */
const section = (name: string, lines: number) =>
  Array.from({ length: lines }, (_, i) => `${name}${i}`).join("\n");

describe("a screen", () => {
  it("shows sections that fit unchanged", () => {
    const sections = [section("a", 2), section("b", 3), "c"];
    expect(fitted(sections, { rows: 9, columns: 80 })).toBe(sections.join("\n\n"));
  });

  it("cuts the longest sections first, and prints the number of missing lines", () => {
    const lines = fitted([section("a", 3), section("b", 40), "c", section("d", 4)], {
      rows: 18,
      columns: 80,
    }).split("\n");
    expect(lines).toEqual([
      ...["a0", "a1", "a2", "", "b0", "b1", "b2", "b3", "b4", "… 35 more", "", "c", ""],
      ...["d0", "d1", "d2", "d3"],
    ]);
  });

  it("is never exceeded, and begins with the first section", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 5, max: 100 }),
        (counts, rows, columns) => {
          const sections = counts.map((count, i) => section(`section ${i} line `, count));
          const text = fitted(sections, { rows, columns });
          const lines = text.split("\n");
          expect(lines.length).toBeLessThan(rows);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
          if (columns > 20) expect(sections[0]).toContain(lines[0]);
          const whole = sections.join("\n\n");
          const fits = whole.split("\n").length < rows && columns > 20;
          if (fits) expect(text).toBe(whole);
        },
      ),
      { numRuns: 500 },
    );
  });
});
