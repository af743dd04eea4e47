import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { json } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { serve } from "./setup.js";

const ADDRESS = "http://127.0.0.1:2048";
const text = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8");

/** The curl commands of the document, each with the output that it shows. */
const examples = [...text.matchAll(/^```text\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = ""]) => block.split(/^(?=\$ )/m))
  .filter((example) => example.startsWith("$ curl "))
  .map((example) => {
    const [command = "", ...output] = example.split("\n");
    return { command, output: output.join("\n") };
  });

/** An operation of the description, as far as this test reads it. */
interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Sends the request of a curl command. */
function request(command: string): readonly [path: string, init: RequestInit] {
  const [, lines, url] = /^\$ curl (?:--data-binary \$'(.*)' )?'(http:[^']*)'$/.exec(command) ?? [];
  if (!url?.startsWith(ADDRESS)) throw new Error(`not a command of this test: ${command}`);
  const body = lines?.replaceAll("\\n", "\n");
  const headers = { "content-type": "application/x-www-form-urlencoded" }; // curl's own
  return [url.slice(ADDRESS.length), body === undefined ? {} : { method: "POST", body, headers }];
}

/** Describes a path as an expression that its examples fit. */
function patternOf(path: string): RegExp {
  const part = path
    .replaceAll(".", "\\.")
    .replace("{path}", "[^'?]+")
    .replaceAll(/\{\w+\}/g, "[^'?/]+");
  return new RegExp(`curl [^\n]*'${ADDRESS}${part}['?]`);
}

describe("docs/api.md", () => {
  it("has each operation with an example, its parameters and its errors", async () => {
    const { paths } = (await (await serve()).get("/openapi.json")).json;
    for (const [path, methods] of Object.entries<Record<string, Described>>(paths)) {
      for (const [method, { parameters, responses }] of Object.entries(methods)) {
        expect(text).toContain(`\`${method.toUpperCase()} ${path}\``);
        expect(text).toMatch(patternOf(path));
        for (const { name, in: place } of parameters) {
          if (place === "query") expect(text, path).toMatch(new RegExp(`\`(\\?)?${name}[\`=]`));
        }
        const [, table = ""] = text.split("| status |");
        for (const status of Object.keys(responses))
          if (status !== "200") expect(table).toContain(status);
      }
    }
    expect(text).toContain(`](${ADDRESS}/openapi.json)`);
  });

  it("shows what the server answers", async () => {
    const served = await serve();
    await json(dirname(served.db), ["solve", "2x2", "--db", served.db, "--workers", "1", "--json"]);
    expect(examples.length).toBeGreaterThan(8);
    for (const { command, output } of examples) {
      const [path, init] = request(command);
      if (path === "/v1/runs") continue; // lists the solve above for some minutes
      const reply = await served.get(path, init);
      expect(reply.text.trimEnd(), command).toBe(output.trimEnd());
    }
  });
});
