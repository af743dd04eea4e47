import { describe, expect, it } from "vitest";
import { ResourceCache } from "../src/cache.js";

/** Resources by name, which record what is made and closed. */
class Resources {
  readonly log: string[] = [];

  async make(name: string): Promise<Disposable> {
    this.log.push(`+${name}`);
    return { [Symbol.dispose]: () => this.log.push(`-${name}`) };
  }
}

describe("ResourceCache", () => {
  it("closes the resources that were not used for longest, and at last all", async () => {
    const resources = new Resources();
    {
      using cache = new ResourceCache<Disposable>(2);
      for (const name of ["a", "b", "a", "c", "a", "b"]) {
        await cache.get(name, () => resources.make(name));
      }
      expect(resources.log).toEqual(["+a", "+b", "+c", "-b", "+b", "-c"]);
      cache.drop("a");
      cache.drop("z");
    }
    expect(resources.log.slice(6)).toEqual(["-a", "-b"]);
  });

  it("keeps nothing that could not be made", async () => {
    const resources = new Resources();
    using cache = new ResourceCache<Disposable>(1);
    await cache.get("a", () => resources.make("a"));
    await expect(cache.get("b", () => Promise.reject(new Error("broken")))).rejects.toThrow(
      /broken/,
    );
    await cache.get("a", () => resources.make("a"));
    expect(resources.log).toEqual(["+a"]);
  });
});
