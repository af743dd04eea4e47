import { expect, it } from "vitest";
import {
  formatBound,
  formatCount,
  formatNumber,
  formatPercent,
  formatPoints,
  formatRatio,
  formatRough,
} from "../src/index.js";

it("formats numbers", () => {
  expect(formatNumber(1234.5)).toBe("1,234.5");
  expect(formatCount(1234567.8)).toBe("1,234,568");
  expect(formatPoints(5468.4912)).toBe("5,468.49");
  expect(formatPercent(0.1234)).toBe("12.3 %");
  expect(formatRatio(97, 100)).toBe("0.97");
  expect(formatBound({ lo: 164, hi: 184 })).toBe("164 … 184");
  expect(formatBound({ lo: 184, hi: 184 })).toBe("184");
});

it.each([
  [0, "0"],
  [994, "994"],
  [996, "1.0 k"],
  [99_499, "99 k"],
  [99_999, "100 k"],
  [180_400, "180 k"],
  [994_000, "994 k"],
  [999_999, "1.0 M"],
  [1.23e6, "1.2 M"],
  [4.5e9, "4.5 G"],
  [1e16, "10,000 T"],
])("shows a count of %d as %s", (count, text) => {
  expect(formatRough(count)).toBe(text);
});
