import { readFileSync } from "node:fs";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { describe, expect, it } from "vitest";
import { BUILDS, START, THREE } from "./three.js";

/** Reads a file of the compiled modules. */
function fileOf(name: string): Uint8Array<ArrayBuffer> {
  return readFileSync(new URL(`../wasm/${name}`, import.meta.url));
}

/** Returns what a loader must know of a module to make a memory, and where a thread's words are. */
function layoutOf(file: string, memory: WebAssembly.Memory): Record<string, number> {
  const table = new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  const module = new WebAssembly.Module(fileOf(file));
  const { exports } = new WebAssembly.Instance(module, { env: { memory, table } });
  const { tableAt } = exports as { tableAt(threads: number): number };
  const globals = Object.entries(exports).filter(
    ([, found]) => found instanceof WebAssembly.Global,
  );
  const values = globals.map(([name, found]) => [name, (found as WebAssembly.Global).value]);
  return { ...Object.fromEntries(values), at: tableAt(0), next: tableAt(1) };
}

/** Lists the entries of a table in an order of their own: within a bucket they have none. */
function entriesOf({ records }: Kernel): string[] {
  const entries = [...records.entries(1)].flat();
  return entries.map((entry) => Object.values(entry).join()).sort();
}

describe("a table without shared memory", () => {
  it("has the layout of a shared one, whatever the shape", () => {
    const [shared, unshared] = BUILDS.map(
      (build) => new WebAssembly.Memory({ initial: 1, maximum: 1, ...build }),
    ) as [WebAssembly.Memory, WebAssembly.Memory];
    const shapes = Object.keys(JSON.parse(new TextDecoder().decode(fileOf("sizes.json"))));
    expect(shapes).toContain("3x3");
    for (const shape of shapes) {
      const layout = layoutOf(`${shape}.wasm`, shared);
      expect(layoutOf(`${shape}.solo.wasm`, unshared)).toEqual(layout);
      expect(layout).toHaveProperty("BUCKET_BYTES", 32);
    }
  });

  it("has one memory, and no more than that holds", () => {
    const { least, threads } = tableLimits(THREE, 1);
    const largest = least + (1 << 20);
    const options = { largest, shared: false };
    const { memory, shards, buckets } = createTable(THREE, 64 << 20, 1, options);
    expect(memory.buffer).toBeInstanceOf(ArrayBuffer);
    expect(shards).toEqual([]);
    expect(buckets).toBe(Math.floor((largest - threads) / 32));
  });

  it("exchanges records with a shared one", () => {
    const [from, to] = BUILDS.map(
      (build) => new Kernel(createTable(THREE, 16 << 20, 1, build), 0),
    ) as [Kernel, Kernel];
    from.ask(START, 188);
    to.records.unpack([...from.records.read(1)].map((records) => from.records.pack(records)));
    expect(entriesOf(to)).toEqual(entriesOf(from));
  });
});
