import { styleText } from "node:util";
import { gridlock, temporaryFolder } from "@gridlock/testbed";
import fc from "fast-check";
import { expect, it } from "vitest";
import { visible } from "../src/output/visible.js";

const CONTROL = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** The styles of the program's own texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape before each style
const STYLE = /\u001b\[\d+m/g;

it("shows what would control a terminal, and nothing else", () => {
  expect(visible("2 4\n\t· █ 3×3 é 漢 🙂")).toBe("2 4\n\t· █ 3×3 é 漢 🙂");
  expect(visible("a\u001b[2Jb\u0007\u009b1m\r\u007f\u202e")).toBe(
    String.raw`a\u001b[2Jb\u0007\u009b1m\u000d\u007f\u202e`,
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(visible(text).replace(STYLE, "")).not.toMatch(CONTROL);
    }),
  );
});

it("leaves JSON what it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(JSON.parse(visible(JSON.stringify({ text })))).toEqual({ text });
    }),
  );
});

it("lets the program's own styles through, but none that hides text", () => {
  const own = styleText(["bold", "cyanBright"], "2", { validateStream: false });
  expect(visible(own)).toBe(own);
  expect(visible("\u001b[8mhidden")).toBe(String.raw`\u001b[8mhidden`);
});

it("is used for errors about what was given", async () => {
  for (const [word, shown] of [
    ["2 \u001b]0;title\u0007", "\ufffd"],
    ["--no\u001b[2J", String.raw`\u001b`],
  ] as const) {
    const { code, stderr } = await gridlock(temporaryFolder(), ["query", word]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(shown)]);
    expect(stderr).not.toMatch(CONTROL);
  }
});
