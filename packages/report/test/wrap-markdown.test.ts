import { wrapMarkdown } from "@gridlock/report";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const word = fc.stringMatching(/^[a-z.,]{1,12}$/);
const words = (text: string) => text.split(/\s+/).filter(Boolean);

describe("wrapMarkdown", () => {
  it("keeps all words and their order, in lines of at most 100 columns", () => {
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 60 })), (paragraphs) => {
        const text = paragraphs.map((each) => each.join(" ")).join("\n\n");
        const wrapped = wrapMarkdown(text);
        expect(words(wrapped)).toEqual(words(text));
        for (const line of wrapped.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
        expect(wrapMarkdown(wrapped)).toBe(wrapped);
      }),
    );
  });

  it("leaves tables, headings, lists, pictures and code as they are", () => {
    const long = "word ".repeat(40).trim();
    for (const text of [
      `| ${long} |\n| --- |\n| 1 |`,
      `# ${long}`,
      `- ${long}\n- 2`,
      `![${long}](a.svg)`,
      `\`\`\`\n${long}\n\n${long}\n\`\`\``,
    ]) {
      expect(wrapMarkdown(text)).toBe(text);
    }
    expect(wrapMarkdown(`a\n\n${long}`)).toBe(`a\n\n${long.slice(0, 99)}\n${long.slice(100)}`);
  });

  it("begins no line with a sign that would make it something else", () => {
    const wrapped = wrapMarkdown(`${"x".repeat(98)} - y # z`);
    expect(wrapped).toBe(`${"x".repeat(98)} -\ny # z`);
  });
});
