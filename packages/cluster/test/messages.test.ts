import {
  type Board,
  boundByRules,
  canonical,
  formatBoard,
  type PackedNode,
  packBoard,
  parseBoard,
  parseShape,
  starts,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gameNamed,
  PROTOCOL,
  questionId,
  read,
  readBound,
  readQuestion,
  writeBound,
  writeQuestion,
} from "../src/messages.js";
import { Pace } from "../src/pace.js";
import { partsOf, settledByParts } from "../src/parts.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;

const anyBoard: fc.Arbitrary<Board> = fc
  .array(fc.constantFrom(0, 2, 4, 8, 16), { minLength: 6, maxLength: 6 })
  .map((cells) => canonical({ rows: 2, cols: 3, cells }));

const anyQuestion = fc.record({
  turn: fc.constantFrom("slider" as const, "placer" as const),
  board: anyBoard.map(packBoard),
  threshold: fc.integer({ min: 1, max: 1000 }).map((n) => 4 * n),
});

describe("messages", () => {
  it("say a question so that it can be read again, and name no two alike", () => {
    const ids = new Map<string, string>();
    fc.assert(
      fc.property(anyQuestion, (question) => {
        // A full board is no afterstate.
        fc.pre(question.turn === "slider" || writeQuestion(GAME, question).board.includes("0"));
        const { board, threshold } = writeQuestion(GAME, question);
        expect(readQuestion(GAME, { board, threshold })).toEqual(question);
        const id = questionId(GAME, question);
        expect(id).toMatch(/^[a-z0-9_-]{1,100}$/i);
        const text = JSON.stringify({ board, threshold });
        expect(ids.get(id) ?? text).toBe(text);
        ids.set(id, text);
      }),
    );
  });

  it("hold bounds through JSON", () => {
    for (const hi of [8, Number.POSITIVE_INFINITY]) {
      const bound = { lo: 4, hi };
      expect(readBound(JSON.parse(JSON.stringify(writeBound(bound))))).toEqual(bound);
    }
  });

  const answer = {
    ...{ protocol: PROTOCOL, run: "r", epoch: 0, worker: "w", outcome: "answered" },
    counts: { positions: 1, afterstates: 2 },
    bound: { lo: 4, hi: null },
  };

  it("are read when they are what they should be", () => {
    expect(read("answer", JSON.stringify(answer))).toEqual(answer);
    expect(read("control", { type: "changed" })).toEqual({ type: "changed" });
  });

  it.each<[string, unknown]>([
    ["nothing", null],
    ["no JSON", "{"],
    ["a bound that contradicts itself", { ...answer, bound: { lo: 8, hi: 4 } }],
    ["points that are no multiple of 4", { ...answer, bound: { lo: 5, hi: null } }],
    ["an outcome of another kind", { ...answer, outcome: "perhaps" }],
    ["no worker", { ...answer, worker: undefined }],
  ])("are refused when they hold %s", (_, message) => {
    expect(() => read("answer", message)).toThrow(/^not a valid answer: /);
  });

  it("of another protocol are refused with a sentence", () => {
    expect(() => read("answer", { ...answer, protocol: PROTOCOL + 1 })).toThrow(
      /received a message of protocol 3, but this version speaks protocol 2; use/,
    );
  });

  it("about boards of another shape, or that are not canonical, are refused", () => {
    const asked = (board: string) => readQuestion(GAME, { board, threshold: 4 });
    expect(() => asked("2 0/0 2")).toThrow("is not a board of 2x3");
    expect(() => asked("0 0 0/0 2 2")).toThrow("is not canonical");
    expect(() => asked("2 2 0/0 0 3")).toThrow();
    expect(() => gameNamed({ shape: "3by3", tiles: "2,4" })).toThrow("is not a shape");
  });
});

describe("subtrees", () => {
  /** Values by search, which the kernel's own tests hold against the rules. */
  const kernel = new Kernel(createTable(GAME, tableLimits(GAME, 1).most, 1), 0);
  const worthOf = (node: PackedNode) => {
    let value = 0;
    while ((kernel.ask(node, value + 4)?.lo ?? 0) > value) value = kernel.look(node).lo;
    return value;
  };

  it("settle a question as its board's value does, and never otherwise", () => {
    const boards = [
      ...starts(GAME.shape),
      parseBoard("16 8 4/2 4 2").board,
      parseBoard("8 8 4/4 2 2").board,
    ];
    for (const start of boards) {
      const board = canonical(start);
      const node = { turn: "slider", board: packBoard(board) } as const;
      const value = worthOf(node);
      for (const threshold of [4, value - 4, value, value + 4, value + 40].filter((t) => t > 0)) {
        const question = { ...node, threshold };
        const subtrees = partsOf(GAME, question);
        expect(settledByParts(question, subtrees)).toBeUndefined();
        let settled: ReturnType<typeof settledByParts>;
        for (const subtree of subtrees) {
          const bound = kernel.ask(subtree.question, subtree.question.threshold);
          if (bound) subtree.bound = bound;
          settled = settledByParts(question, subtrees);
          if (settled && settled.lo > 0) expect(settled.lo).toBeLessThanOrEqual(value);
          else if (settled) expect(settled.hi).toBeGreaterThanOrEqual(value);
        }
        if (subtrees.length === 0) continue;
        expect(settled, formatBoard(board)).toBeDefined();
        expect(value >= threshold).toBe((settled?.lo ?? 0) >= threshold);
      }
    }
    expect(boundByRules({ turn: "slider", board: boards[0] as Board }).lo).toBe(0);
  });
});

describe("the pace of a link", () => {
  it("passes on less when the network is slow, and as much as before when it is not", () => {
    const pace = new Pace(5);
    for (let i = 0; i < 1000; i++) pace.took(50, 500, 0);
    expect(pace.nodes).toBeGreaterThan(100);
    expect(pace.delay).toBeCloseTo(50, 0);
    for (let i = 0; i < 2000; i++) pace.took(1, 500, 0);
    expect(pace.nodes).toBe(5);
  });

  it("passes on less when what others send takes too much time, and stays where it is just right", () => {
    const pace = new Pace(1);
    for (let i = 0; i < 1000; i++) pace.took(1, 500, 0.2);
    expect(pace.nodes).toBeGreaterThan(100);
    const { nodes } = pace;
    for (let i = 0; i < 1000; i++) pace.took(1, 500, 0.06);
    expect(pace.nodes).toBe(nodes);
    for (let i = 0; i < 2000; i++) pace.took(1, 500, 0.01);
    expect(pace.nodes).toBe(1);
  });

  it("sends every 1 to 5 milliseconds, sooner the more there is", () => {
    const pace = new Pace(5);
    for (let i = 0; i < 10; i++) pace.took(1, 5000, 0);
    expect(pace.pause).toBe(1);
    for (let i = 0; i < 10; i++) pace.took(1, 1, 0);
    expect(pace.pause).toBe(5);
  });
});
