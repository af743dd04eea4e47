import { parseShape } from "@gridlock/game";
import { describe, expect, it } from "vitest";
import { kernelFiles } from "../src/files.js";
import { kernelVersion } from "../src/version.js";

const THREE = parseShape("3x3");

describe("the version of a kernel", () => {
  it("consists of twelve digits, and is that of its shape", () => {
    expect(kernelVersion(THREE)).toMatch(/^[0-9a-f]{12}$/);
    expect(kernelVersion(parseShape("3x2"))).toBe(kernelVersion(parseShape("2x3")));
    expect(kernelVersion(THREE)).not.toBe(kernelVersion(parseShape("2x3")));
  });

  // Machines whose versions are the same read each other's records.
  it.each(["3x3.wasm", "3x3.shard.wasm", "records.wasm"])("is another if %s differs", (name) => {
    const before = kernelVersion(THREE);
    const bytes = kernelFiles.bytes(name);
    const end = Uint8Array.of(...bytes);
    end[end.length - 1] = (end.at(-1) as number) ^ 1;
    kernelFiles.provide([[name, end]]);
    try {
      expect(kernelVersion(THREE)).not.toBe(before);
    } finally {
      kernelFiles.provide([[name, bytes]]);
    }
    expect(kernelVersion(THREE)).toBe(before);
  });
});
