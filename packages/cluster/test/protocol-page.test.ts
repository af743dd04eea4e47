import { fileURLToPath } from "node:url";
import { snippetsOf } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { read } from "../src/messages.js";

const PAGE = fileURLToPath(new URL("../../../docs/protocol.md", import.meta.url));

describe("docs/protocol.md", () => {
  const examples = snippetsOf(PAGE).filter(({ language }) => language === "json");
  const textsOf = ({ lines }: { lines: readonly string[] }) => lines.join("\n").split(/\n(?=\{)/);
  const kindOf = ({ note = "" }) => /^message: (\w+)/.exec(note)?.[1] as Parameters<typeof read>[0];

  it("has an example of each message", () => {
    const kinds = new Set(examples.map(kindOf));
    expect([...kinds].sort()).toEqual(["answer", "question", "result", "run", "task", "worker"]);
  });

  it("has examples that are valid messages", () => {
    const run = JSON.parse(
      examples.find(({ note }) => note === "message: run")?.lines.join("") ?? "",
    );
    for (const example of examples) {
      for (const text of textsOf(example)) {
        const given = example.note?.endsWith(", one field")
          ? { ...run, ...JSON.parse(text) }
          : text;
        expect(() => read(kindOf(example), given), `line ${example.line}`).not.toThrow();
      }
    }
  });
});
