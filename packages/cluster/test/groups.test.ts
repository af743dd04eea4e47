import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Groups, placeIn } from "../src/groups.js";

const NAMES = ["a", "b", "c", "d", "e", "f"];
const SECOND = 1000;

/** The workers that are there, second by second; in most seconds those of the one before. */
const anyHistory = fc
  .array(fc.tuple(fc.subarray(NAMES), fc.integer({ min: 1, max: 15 })), { maxLength: 12 })
  .map((steps) => steps.flatMap(([names, times]) => Array<string[]>(times).fill(names)));

const idsOf = (groups: Groups) => groups.all.map(({ id }) => id);

/** Returns the id of each worker's group. */
function placesOf(groups: Groups): Map<string, string> {
  return new Map(groups.all.flatMap(({ id, workers }) => workers.map((name) => [name, id])));
}

/** Updates groups once a second, and calls `check` after each update with the state before it. */
function follow(
  isChecked: boolean,
  history: readonly (readonly string[])[],
  check: (now: {
    readonly groups: Groups;
    readonly workers: readonly string[];
    readonly isAnew: boolean;
    readonly idsBefore: readonly string[];
    readonly placesBefore: ReadonlyMap<string, string>;
  }) => void,
): void {
  const groups = new Groups(isChecked);
  history.forEach((workers, second) => {
    const [idsBefore, placesBefore] = [idsOf(groups), placesOf(groups)];
    const isAnew = groups.update(workers, SECOND * second);
    check({ groups, workers, isAnew, idsBefore, placesBefore });
  });
}

describe("groups", () => {
  it.each([false, true])("have every worker in exactly one of them (checked: %s)", (isChecked) => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        follow(isChecked, history, ({ groups, workers }) => {
          const all = groups.all.flatMap((group) => group.workers);
          expect(all.sort()).toEqual([...workers].sort());
        });
      }),
    );
  });

  it("are a single one, in the order of joining, if nothing is checked", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        let order: string[] = [];
        follow(false, history, ({ groups, workers, isAnew }) => {
          order = [
            ...order.filter((name) => workers.includes(name)),
            ...workers.filter((name) => !order.includes(name)),
          ];
          expect(isAnew).toBe(false);
          expect(groups.all).toEqual([{ id: "all", workers: order }]);
        });
      }),
    );
  });

  it("keep each worker, also one that was away, as long as they have their ids", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        let known = new Map<string, string>();
        follow(true, history, ({ groups, isAnew, idsBefore }) => {
          expect(groups.all).toHaveLength(2);
          if (isAnew) known = new Map();
          else expect(idsOf(groups)).toEqual(idsBefore);
          for (const [name, id] of placesOf(groups)) {
            expect(known.get(name) ?? id).toBe(id);
            known.set(name, id);
          }
        });
      }),
    );
  });

  it("take a newcomer into the smaller one", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const known = new Set<string>();
        follow(true, history, ({ groups, workers, isAnew, placesBefore }) => {
          const newcomers = workers.filter((name) => !known.has(name));
          for (const name of workers) known.add(name);
          if (isAnew || newcomers.length !== 1 || workers.length !== placesBefore.size + 1) return;
          const [name] = newcomers as [string];
          if (workers.some((other) => other !== name && !placesBefore.has(other))) return;
          const [own, other] = [...groups.all].sort((a) => (a.workers.includes(name) ? -1 : 1));
          expect(own?.workers.length).toBeLessThanOrEqual((other?.workers.length ?? 0) + 1);
        });
      }),
    );
  });

  it("differ by at most one in size while nobody leaves", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: NAMES.length })), (sizes) => {
        const history = sizes.sort((a, b) => a - b).map((size) => NAMES.slice(0, size));
        follow(true, history, ({ groups }) => {
          const [a, b] = groups.all.map(({ workers }) => workers.length) as [number, number];
          expect(Math.abs(a - b)).toBeLessThanOrEqual(1);
        });
      }),
    );
  });

  it("are formed anew only after 10 s in which one was empty and the other had two workers", () => {
    let formed = 0;
    fc.assert(
      fc.property(anyHistory, (history) => {
        let lopsided = 0;
        const used = new Set<string>();
        follow(true, history, ({ groups, workers, isAnew, idsBefore }) => {
          for (const id of idsBefore) used.add(id);
          if (isAnew) {
            formed++;
            expect(lopsided).toBe(10);
            for (const id of idsOf(groups)) expect(used).not.toContain(id);
            expect(groups.all.every((group) => group.workers.length > 0)).toBe(true);
            lopsided = 0;
            return;
          }
          const isOneEmpty = groups.all.some((group) => group.workers.length === 0);
          lopsided = isOneEmpty && workers.length >= 2 ? lopsided + 1 : 0;
          expect(lopsided).toBeLessThanOrEqual(10);
        });
      }),
      { numRuns: 300 },
    );
    expect(formed).toBeGreaterThan(0);
  });

  it("wait for a second worker rather than let one check itself", () => {
    const groups = new Groups(true);
    groups.update(["a", "b"], 0);
    for (let now = 0; now < 100; now++) expect(groups.update(["a"], SECOND * now)).toBe(false);
    expect(groups.all.map(({ workers }) => workers)).toEqual([["a"], []]);
    groups.update(["a", "c"], 101 * SECOND);
    expect(groups.all.map(({ workers }) => workers)).toEqual([["a"], ["c"]]);
  });
});

describe("a place", () => {
  it("is that of the worker's group, with its peers and the order of its search", () => {
    const groups = [
      { id: "a1", workers: ["a", "c", "e"] },
      { id: "b1", workers: ["b"] },
    ];
    expect(placeIn(groups, "a")).toEqual({ group: "a1", order: 0, peers: ["c", "e"] });
    expect(placeIn(groups, "e")).toEqual({ group: "a1", order: 2, peers: ["a", "c"] });
    expect(placeIn(groups, "b")).toEqual({ group: "b1", order: 0, peers: [] });
    expect(placeIn(groups, "d")).toBeUndefined();
  });

  it("never has peers of the other group", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        follow(true, history, ({ groups }) => {
          for (const [name, id] of placesOf(groups)) {
            const { group, order, peers } = placeIn(groups.all, name) ?? {};
            expect(group).toBe(id);
            const others = groups.find(id)?.workers.filter((other) => other !== name);
            expect(peers).toEqual(others);
            expect(groups.find(id)?.workers[order as number]).toBe(name);
          }
        });
      }),
    );
  });
});
