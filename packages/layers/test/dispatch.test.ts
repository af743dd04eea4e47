import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dispatcher, estimateOf } from "../src/dispatch.js";

const visit = (work: number, reading = 1) => ({ work, reading });

function dispatcherOf(threads: Readonly<Record<string, number>> = {}) {
  return new Dispatcher<string, string>((machine) => threads[machine] ?? 1);
}

describe("a dispatcher", () => {
  it("gives a machine the visits of its blocks first, in their order", () => {
    const dispatcher = dispatcherOf();
    dispatcher.setHolder("1", "a");
    dispatcher.setHolder("2", "a");
    dispatcher.add("free", "3", visit(9));
    dispatcher.add("first", "1", visit(1));
    dispatcher.add("second", "2", visit(9));
    expect(["a", "a", "a", "a"].map((machine) => dispatcher.take(machine))).toEqual([
      ...["first", "second", "free"],
      undefined,
    ]);
  });

  it("gives a visit to another machine only if it would be done sooner", () => {
    const dispatcher = dispatcherOf();
    for (const block of ["1", "2", "3"]) {
      dispatcher.setHolder(block, "a");
      dispatcher.add(block, block, visit(2, block === "2" ? 1 : 3));
    }
    // Of 6 s of work, b can do 2 s in 3 s; of the 4 s that are left, none in less than 5 s.
    expect(dispatcher.take("b")).toBe("2");
    expect(dispatcher.take("b")).toBeUndefined();
    expect([dispatcher.take("a"), dispatcher.take("a")]).toEqual(["1", "3"]);
  });

  it("counts what a machine has begun until its end", () => {
    const dispatcher = dispatcherOf();
    for (const block of ["1", "2", "3"]) {
      dispatcher.setHolder(block, "a");
      dispatcher.add(block, block, visit(2, 1));
    }
    expect([dispatcher.take("a"), dispatcher.take("b")]).toEqual(["1", "2"]);
    dispatcher.end("1");
    expect(dispatcher.take("b")).toBeUndefined(); // a is about to begin it
    expect(dispatcher.take("a")).toBe("3");
    dispatcher.add("more", "1", visit(2, 1));
    expect(dispatcher.take("b")).toBe("more"); // a has the third until then
  });

  it("takes over from the machine with the most work for each thread", () => {
    const dispatcher = dispatcherOf({ a: 4 });
    for (const [block, holder, work] of [
      ["1", "a", 8],
      ["2", "a", 8],
      ["3", "b", 3],
      ["4", "b", 3],
    ] as const) {
      dispatcher.setHolder(block, holder);
      dispatcher.add(block, block, visit(work));
    }
    expect(dispatcher.take("c")).toBe("3");
    expect(dispatcher.take("c")).toBeUndefined(); // a would make its visits sooner
  });

  it("looks at other machines if the busiest has no visit that would be done sooner", () => {
    const dispatcher = dispatcherOf();
    dispatcher.setHolder("1", "a");
    dispatcher.add("long", "1", visit(10, 2));
    for (const block of ["2", "3"]) {
      dispatcher.setHolder(block, "b");
      dispatcher.add(block, block, visit(3, 1));
    }
    expect(dispatcher.take("c")).toBe("2");
    expect(dispatcher.take("c")).toBeUndefined();
  });

  it("leaves the visits of a machine that is gone, and its blocks, to others", () => {
    const dispatcher = dispatcherOf();
    dispatcher.setHolder("1", "a");
    dispatcher.add("x", "1", visit(1));
    expect(dispatcher.take("b")).toBeUndefined();
    dispatcher.keepOnly(["b"]);
    expect(dispatcher.take("b")).toBe("x");
    dispatcher.add("y", "1", visit(1));
    expect(dispatcher.take("b")).toBe("y");
    dispatcher.setHolder("1", "a");
    dispatcher.setHolder("1", undefined);
    expect(dispatcher.holderOf("1")).toBeUndefined();
  });

  it("gives away each visit once, and none is left when all machines that have blocks are idle", () => {
    const machine = fc.constantFrom("a", "b", "c");
    const task = fc.record({
      holder: fc.option(machine),
      work: fc.nat(20),
      reading: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(task), fc.array(machine), (tasks, turns) => {
        const dispatcher = dispatcherOf({ b: 2 });
        for (const [i, { holder, work, reading }] of tasks.entries()) {
          dispatcher.setHolder(String(i), holder ?? undefined);
          dispatcher.add(String(i), String(i), { work, reading });
        }
        const taken = turns.flatMap((one) => dispatcher.take(one) ?? []);
        for (const one of ["a", "b", "c"]) {
          for (let next = dispatcher.take(one); next; next = dispatcher.take(one)) taken.push(next);
        }
        expect(taken.sort()).toEqual(tasks.map((_, i) => String(i)).sort());
        expect(dispatcher.takeAll()).toEqual([]);
      }),
    );
  });

  it("returns all visits that wait", () => {
    const dispatcher = dispatcherOf();
    dispatcher.setHolder("1", "a");
    dispatcher.add("x", "1", visit(1));
    dispatcher.add("y", "2", visit(1));
    expect(dispatcher.takeAll().sort()).toEqual(["x", "y"]);
    expect(dispatcher.take("a")).toBeUndefined();
  });
});

describe("the expected cost of a visit", () => {
  it("grows with its work, and that of reading with the block's boards and nodes", () => {
    const load = { pending: 1000, boards: 1e6, live: 1000 };
    const { work, reading } = estimateOf(load);
    expect(estimateOf({ ...load, pending: 2000 }).work).toBeGreaterThan(work);
    expect(estimateOf({ ...load, boards: 2e6 }).reading).toBeGreaterThan(reading);
    expect(estimateOf({ ...load, live: 2000 }).reading).toBeGreaterThan(reading);
    expect(estimateOf(load, true).work).toBeGreaterThan(work);
  });
});
