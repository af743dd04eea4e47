import { describe, expect, it } from "vitest";
import { Kept } from "../src/kept.js";

/** Resources by name, which record what is made and closed. */
class Resources {
  readonly log: string[] = [];

  async make(name: string): Promise<Disposable> {
    this.log.push(`+${name}`);
    return { [Symbol.dispose]: () => this.log.push(`-${name}`) };
  }
}

describe("Kept", () => {
  it("closes the resources that were not used for longest, and at last all", async () => {
    const resources = new Resources();
    {
      using kept = new Kept<Disposable>(2);
      for (const name of ["a", "b", "a", "c", "a", "b"]) {
        await kept.get(name, () => resources.make(name));
      }
      expect(resources.log).toEqual(["+a", "+b", "+c", "-b", "+b", "-c"]);
      kept.drop("a");
      kept.drop("z");
    }
    expect(resources.log.slice(6)).toEqual(["-a", "-b"]);
  });

  it("keeps nothing that could not be made", async () => {
    const resources = new Resources();
    using kept = new Kept<Disposable>(1);
    await kept.get("a", () => resources.make("a"));
    await expect(kept.get("b", () => Promise.reject(new Error("broken")))).rejects.toThrow(
      /broken/,
    );
    await kept.get("a", () => resources.make("a"));
    expect(resources.log).toEqual(["+a"]);
  });
});
