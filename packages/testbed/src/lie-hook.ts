/*
 * Preloaded into a worker (`node --import`): makes it lie in proofs by layers, with correct
 * checksums. LIES lists the kinds of lies:
 *
 *     blocks   raises the lower bounds of all own boards in the blocks' files that it writes
 *     letters  raises the lower bounds in its answers to other blocks
 *     praise   reports that everything it checks follows
 *     slander  reports that nothing it checks follows
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname } from "node:path";
import { readChunks, readClaimFile, writeChunks, writeClaimFile } from "./claim-files.js";

const { LIES = "" } = process.env;
const lies = LIES.split(",");
/** The amount by which bounds are raised, points / 4. */
const MORE = 25;
const NONE = 0xffff;
/**
 * Bytes of a block's entry, and of a letter; see `layers/src/block-file.ts` and
 * `layers/assembly/letters.ts`.
 */
const LISTED_BYTES = 16;
const LETTER_BYTES = 12;

const { renameSync } = fs;
const readable = /^([0-9a-f]+\.\d+\.(block|letters))\..*\.tmp$/;

/** Changes a file before it gets its name. */
fs.renameSync = (from, to) => {
  const [folder, name] = [dirname(String(from)), basename(String(from))];
  const kind = readable.exec(name)?.[2];
  if (kind === "block" && lies.includes("blocks")) lieInBlock(folder, name);
  if (kind === "letters" && lies.includes("letters")) lieInLetters(folder, name);
  renameSync(from, to);
};
syncBuiltinESMExports();

function lieInBlock(folder: string, name: string): void {
  const file = readClaimFile(folder, name);
  for (const claim of file.chunks.flat()) {
    if (!claim.isGuest && claim.lo > 0 && claim.hi === Number.POSITIVE_INFINITY) claim.lo += MORE;
  }
  writeClaimFile(folder, file);
}

function lieInLetters(folder: string, name: string): void {
  const [list, ...letters] = readChunks(folder, name) as [Buffer, ...Buffer[]];
  for (const [i, bytes] of letters.entries()) {
    const demands = list.readUInt32LE(LISTED_BYTES * i + 8);
    for (let at = LETTER_BYTES * demands; at < bytes.length; at += LETTER_BYTES) {
      const [lo, hi] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
      if (lo > 0 && hi === NONE) bytes.writeUInt16LE(lo + MORE, at + 8);
    }
  }
  writeChunks(folder, name, [list, ...letters]);
}

const { Instance } = WebAssembly;

WebAssembly.Instance = class {
  readonly exports: WebAssembly.Exports;

  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    const { exports } = new Instance(module, imports);
    const isChecker = "checkClaims" in exports;
    const verdict = lies.includes("praise") ? 0 : lies.includes("slander") ? 1 : undefined;
    this.exports =
      isChecker && verdict !== undefined
        ? { ...exports, failed: new WebAssembly.Global({ value: "i32" }, verdict) }
        : exports;
  }
};
