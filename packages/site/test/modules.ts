import { readFileSync } from "node:fs";
import type { ReadFile } from "../src/answers.js";

const MODULES = new URL("../../kernel/wasm/", import.meta.url);

/** Reads the files of a site, but for the tables. */
export const readModule: ReadFile = async (name) => {
  const [, module] = name.split("kernel/");
  return module ? new Uint8Array(readFileSync(new URL(module, MODULES))) : undefined;
};
