import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { kernelFiles } from "@gridlock/kernel";
import { build, type Rolldown } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import { answerAsJson } from "../src/index.js";
import { freshFile, openLibrary, query } from "./setup.js";
import type { answer } from "./web-entry.js";

const ENTRY = fileURLToPath(new URL("web-entry.ts", import.meta.url));
const START = "2 2 0/0 0 0/0 0 0";

/** Bundles the entry for browsers, as a script that defines `bundle`. */
async function bundled(): Promise<string> {
  const outputs = await build({
    root: dirname(ENTRY),
    configFile: false,
    envDir: false,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      target: "es2022",
      minify: false,
      lib: { entry: ENTRY, formats: ["iife"], name: "bundle" },
    },
  });
  const [{ output }] = outputs as [Rolldown.RolldownOutput];
  expect(output).toHaveLength(1);
  return output[0].code;
}

/** Returns files of the kernel, as a page fetches them. */
function files(...names: string[]): [string, Uint8Array<ArrayBuffer>][] {
  return names.map((name) => [name, Uint8Array.from(readFileSync(new URL(name, kernelFiles.url)))]);
}

/** Runs a script where there is nothing of Node, and no shared memory. */
function runInBrowser(code: string): { readonly answer: typeof answer } {
  const context = createContext({ TextDecoder, performance });
  return runInContext(`delete globalThis.SharedArrayBuffer; ${code}; bundle`, context);
}

describe("the answers in a browser", () => {
  let code: string;
  beforeAll(async () => {
    code = await bundled();
  });

  it("import nothing of Node", () => {
    // Vite leaves an empty module in place of one of Node.
    expect(code).not.toMatch(/["']node:|\brequire\b|browser-external/);
  });

  it("are those of a library", () => {
    const browser = runInBrowser(code);
    const { json, warnings } = browser.answer(files("sizes.json", "3x3.solo.wasm"), START);
    const library = openLibrary(freshFile());
    const asked = query(START);
    expect(JSON.parse(json)).toMatchObject({ value: 184, source: "search" });
    const answer = library.answer({ ...asked, budget: Number.POSITIVE_INFINITY });
    expect(json).toBe(JSON.stringify(answerAsJson(answer)));
    expect(warnings).toEqual([]);
  });

  it("say which file is missing", () => {
    const browser = runInBrowser(code);
    expect(() => browser.answer(files("sizes.json"), START)).toThrow(
      "3x3.solo.wasm is neither installed nor provided",
    );
  });
});
