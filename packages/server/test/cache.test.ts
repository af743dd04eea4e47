import { describe, expect, it } from "vitest";
import { Cache } from "../src/cache.js";

describe("Cache", () => {
  it("closes the values that were not used for longest, and at last all", () => {
    const log: string[] = [];
    {
      using cache = new Cache<string>(2, (value) => log.push(`-${value}`));
      for (const key of ["a", "b", "a", "c", "a", "b"]) {
        if (cache.get(key) !== undefined) continue;
        log.push(`+${key}`);
        expect(cache.add(key, key)).toBe(key);
      }
      expect(log).toEqual(["+a", "+b", "+c", "-b", "+b", "-c"]);
      cache.drop("a");
      cache.drop("z");
      expect(cache.get("a")).toBeUndefined();
    }
    expect(log.slice(6)).toEqual(["-a", "-b"]);
  });
});
