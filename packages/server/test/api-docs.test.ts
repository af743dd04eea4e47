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

/** Sends the request of a curl command. */
function request(command: string): readonly [path: string, init: RequestInit] {
  const match = /^\$ curl (?:(?:--data-binary \$'(.*)'|--json '(.*)') )?'(http:[^']*)'$/.exec(
    command,
  );
  const [, lines, array, url] = match ?? [];
  if (!url?.startsWith(ADDRESS)) throw new Error(`not a command of this test: ${command}`);
  const body = lines?.replaceAll("\\n", "\n") ?? array;
  const type = array === undefined ? "application/x-www-form-urlencoded" : "application/json";
  const headers = { "content-type": type };
  return [url.slice(ADDRESS.length), body === undefined ? {} : { method: "POST", body, headers }];
}

describe("docs/api.md", () => {
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
