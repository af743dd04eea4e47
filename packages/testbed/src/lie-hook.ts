/*
 * Preloaded into a worker (`node --import`): makes it lie, as somebody's worker might. LIE says how:
 *
 *     answers    it answers each question with yes, and puts that into its table
 *     bounds     all bounds that it passes on claim 16 points more than was proven
 */
import { changeExports } from "./change-exports.js";

const { LIE } = process.env;

/** Quarters of points that a false bound adds. */
const TOO_MUCH = 4;
/** The upper bound of a record that has none. */
const NONE = 0x7fff;
/** Bytes of a record, and where its bounds are; see `packages/kernel/src/records.ts`. */
const RECORD = { bytes: 16, lo: 8, hi: 10 };
/** An effort that makes a table keep a bound. */
const DEAR = 60;

/** The functions of a kernel that lie. */
interface Kernel {
  ask(board: bigint, placer: boolean, threshold: number, ...rest: unknown[]): number;
  learn(board: bigint, placer: boolean, lo: number, hi: number, effort: number): void;
}

/** The functions of the module that packs records. */
interface Packer {
  readonly memory: WebAssembly.Memory;
  room(count: number): number;
  pack(count: number, keyBits: number, sorting: boolean): number;
}

changeExports((exports) => {
  if (LIE === "answers" && "ask" in exports) return yes(exports);
  return LIE === "bounds" && "pack" in exports ? exaggerating(exports) : exports;
});

function yes(exports: WebAssembly.Exports): WebAssembly.Exports {
  const { ask, learn } = exports as unknown as Kernel;
  return {
    ...exports,
    ask(...question: Parameters<Kernel["ask"]>) {
      const [board, placer, threshold] = question;
      const answer = ask(...question);
      if (answer < 0) return answer; // it was stopped
      learn(board, placer, threshold, NONE, DEAR);
      return Math.max(answer, threshold);
    },
  };
}

function exaggerating(exports: WebAssembly.Exports): WebAssembly.Exports {
  const { memory, room, pack } = exports as unknown as Packer;
  return {
    ...exports,
    pack(count: number, keyBits: number, sorting: boolean) {
      const records = new DataView(memory.buffer, room(count) >>> 0, count * RECORD.bytes);
      for (let at = 0; at < records.byteLength; at += RECORD.bytes) {
        const lo = records.getUint16(at + RECORD.lo, true);
        records.setUint16(at + RECORD.lo, Math.min(lo + TOO_MUCH, NONE - 1), true);
        records.setUint16(at + RECORD.hi, NONE, true);
      }
      return pack(count, keyBits, sorting);
    },
  };
}
