import { fileURLToPath } from "node:url";
import { snippetsOf } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { read } from "../src/messages.js";

const PAGE = fileURLToPath(new URL("../../../docs/protocol.md", import.meta.url));

describe("docs/protocol.md", () => {
  const examples = snippetsOf(PAGE).filter(({ language }) => language === "json");
  const kindOf = ({ note = "" }) => /^message: (\w+)/.exec(note)?.[1] as Parameters<typeof read>[0];

  it("has an example of each message", () => {
    const kinds = new Set(examples.map(kindOf));
    expect([...kinds].sort()).toEqual(["result", "run", "subtree", "worker"]);
  });

  it("has examples that are valid messages", () => {
    for (const example of examples) {
      const text = example.lines.join("\n");
      expect(() => read(kindOf(example), text), `line ${example.line}`).not.toThrow();
    }
  });
});
