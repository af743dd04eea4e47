import {
  type Bound,
  canonical,
  type Game,
  type Node,
  packBoard,
  seededRandom,
  starts,
  tileSum,
  unpackBoard,
} from "@gridlock/game";
import { createTable, Kernel } from "@gridlock/kernel";
import {
  Analyst,
  defaultMemory,
  Frontier,
  NOTHING_STORED,
  type Question,
  SEARCH_MEMORY,
  type Subtree,
} from "@gridlock/solver";
import { Oracle } from "@gridlock/testbed";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gameOf } from "./setup.js";

/** How often workers of a run do what, of 1. */
interface Habits {
  readonly workers: number;
  /** Subtrees whose budget is spent, unless they are deep. */
  readonly spent: number;
  /** Subtrees that are taken and never answered. */
  readonly stuck: number;
  readonly lost: number;
  /** Answers that come twice. */
  readonly twice: number;
  /** Searches of the question itself that answer it before a subtree does. */
  readonly alone: number;
  readonly seed: number;
}

const HONEST: Habits = { workers: 4, spent: 0.8, stuck: 0, lost: 0, twice: 0, alone: 0, seed: 1 };
/**
 * Boards of this sum of tiles and more are as deep as subtrees get, or deeper: six placements and
 * more from a start.
 */
const DEEP_SUM = 16;

type Valuer = (node: Node) => number;

/** Returns a function that finds the value of a node by plain minimax. */
function byMinimax(game: Game): Valuer {
  const oracle = new Oracle(game);
  return ({ board, turn }) =>
    turn === "slider" ? oracle.position(board) : oracle.afterstate(board);
}

/** The same by the kernel, whose own tests compare it with minimax, which takes 30 s for 2×4. */
function bySearch(game: Game): Valuer {
  const table = createTable(game, defaultMemory(game, 1, SEARCH_MEMORY), 1);
  const analyst = new Analyst(game, NOTHING_STORED, new Kernel(table, 0));
  return (node) => {
    const { lo, hi } = analyst.value(node, Number.POSITIVE_INFINITY);
    expect(lo).toBe(hi);
    return lo;
  };
}

function setup(shape: string, valuerOf: (game: Game) => Valuer) {
  const game = gameOf(shape);
  const worth = valuerOf(game);
  const boards = starts(game.shape).map(canonical);
  const values = boards.map((board) => worth({ board, turn: "slider" }));
  const valueAt = ({ board, turn }: Pick<Question, "board" | "turn">) =>
    worth({ board: unpackBoard(game.shape, board), turn });
  return { game, boards, values, valueAt };
}
type Setup = ReturnType<typeof setup>;
const SETUPS = [setup("2x2", byMinimax), setup("2x3", byMinimax), setup("2x4", bySearch)];

/** Returns an answer to a question about a board of this value: not always the tightest. */
function answerOf(value: number, threshold: number, random: () => number): Bound {
  const between = (from: number, to: number) =>
    from + 4 * Math.floor((random() * (to - from + 4)) / 4);
  return value >= threshold
    ? { lo: between(threshold, value), hi: Number.POSITIVE_INFINITY }
    : { lo: 0, hi: between(value, threshold - 4) };
}

/**
 * Has workers answer the subtrees of questions in any order until each question is answered; where
 * no subtree is left, a search of the question itself answers it.
 *
 * @returns the number of questions that were answered in that way
 */
function run(
  { game, valueAt }: Setup,
  frontier: Frontier,
  questions: readonly Question[],
  { workers, spent, stuck, lost, twice, alone, seed }: Habits,
): number {
  const random = seededRandom(seed);
  let now = 0;
  let without = 0;
  for (const question of questions) {
    const value = valueAt(question);
    const queued = new Map<number, Subtree>();
    const taken = new Set<number>();
    frontier.open(question, 1000 * now);
    for (;;) {
      now += 100;
      const { queue, drop } = frontier.refill(workers, 1000 * now, now);
      for (const id of drop) expect(queued.delete(id)).toBe(true);
      for (const subtree of queue) {
        expect(subtree.threshold).toBeGreaterThan(0);
        const { board } = subtree;
        const plain = unpackBoard(game.shape, board);
        expect(packBoard(canonical(plain))).toBe(board);
        queued.set(subtree.id, subtree);
      }
      expect(queued.size).toBeLessThanOrEqual(2 * workers);
      expect(frontier.subtrees.map(({ id }) => id)).toEqual([...queued.keys()]);
      if (frontier.answer) break;
      const free = [...queued.values()].filter(({ id }) => !taken.has(id));
      const subtree = free[Math.floor(random() * free.length)];
      if (subtree === undefined || random() < alone) {
        without++;
        frontier.learn(answerOf(value, question.threshold, random));
        continue;
      }
      const { id } = subtree;
      const isDeep = tileSum(unpackBoard(game.shape, subtree.board)) >= DEEP_SUM;
      const chance = random();
      if (chance < stuck) taken.add(id);
      else if (chance < stuck + lost) {
        frontier.lose(id);
        queued.delete(id);
      } else {
        const isSpent = random() < spent && (spent === 1 || !isDeep);
        const answer = answerOf(valueAt(subtree), subtree.threshold, random);
        const times = random() < twice ? 2 : 1;
        for (let i = 0; i < times; i++) frontier.finish(id, isSpent ? undefined : answer);
        queued.delete(id);
      }
    }
    const { lo, hi } = frontier.answer as Bound;
    expect(lo).toBeLessThanOrEqual(value);
    expect(hi).toBeGreaterThanOrEqual(value);
    expect(lo >= question.threshold || hi < question.threshold).toBe(true);
    frontier.close();
    expect(frontier.refill(workers, 1000 * now, now).drop).toEqual([...queued.keys()]);
    expect(frontier.subtrees).toEqual([]);
  }
  return without;
}

/** The most starts that are asked about. */
const MOST_STARTS = 6;

/** Returns questions about some starts: whether each is worth the next score, and its value. */
function questionsOf({ boards, values }: Setup): Question[] {
  const step = Math.ceil(boards.length / MOST_STARTS);
  return boards.flatMap((board, i) =>
    (i % step === 0 ? [4, 0] : []).map((more) => ({
      board: packBoard(board),
      turn: "slider" as const,
      threshold: Math.max(4, (values[i] as number) + more),
    })),
  );
}

describe.each(SETUPS)("the frontier of a game of $game.shape", (setup) => {
  const questions = questionsOf(setup);

  it("needs no other search if each worker answers", () => {
    for (const spent of [0, 0.7]) {
      const frontier = new Frontier(setup.game);
      expect(run(setup, frontier, questions, { ...HONEST, spent })).toBe(0);
    }
  });

  it("answers rightly, whatever happens to subtrees", () => {
    const part = (max: number) => fc.double({ min: 0, max, noNaN: true });
    const habits = fc.record({
      workers: fc.integer({ min: 2, max: 20 }),
      spent: part(1),
      stuck: part(0.5),
      lost: part(0.4),
      twice: part(1),
      seed: fc.nat(),
      alone: fc.constant(0.01),
    });
    fc.assert(
      fc.property(habits, (some) => {
        run(setup, new Frontier(setup.game), questions, some);
      }),
      { numRuns: 5 },
    );
  });

  it("ends though all budgets are spent for ever, and though no worker ever answers", () => {
    const always = [
      { ...HONEST, spent: 1, alone: 0.01 },
      { ...HONEST, stuck: 1 },
    ];
    for (const habits of always) {
      run(setup, new Frontier(setup.game), questions.slice(0, 4), habits);
    }
  });

  it("has nothing to do where all is known", () => {
    const known = (node: Pick<Question, "board" | "turn">) => {
      const value = setup.valueAt(node);
      return { lo: value, hi: value };
    };
    const frontier = new Frontier(setup.game, known);
    for (const question of questions) {
      frontier.open(question, 0);
      expect(frontier.answer).toBeDefined();
      expect(frontier.refill(4, 0, 0)).toMatchObject({ queue: [], drop: [] });
    }
  });
});

describe("a frontier", () => {
  const setup = SETUPS[2] as Setup;
  const [question] = questionsOf(setup) as [Question];

  it("queues nothing for one worker, and for others two each", () => {
    const frontier = new Frontier(setup.game);
    frontier.open(question, 0);
    expect(frontier.refill(1, 0, 0).queue).toEqual([]);
    for (const workers of [2, 3, 5]) {
      frontier.refill(workers, 0, 0);
      expect(frontier.subtrees).toHaveLength(2 * workers);
    }
  });

  it("queues the question first, and other boards beside it", () => {
    const frontier = new Frontier(setup.game);
    frontier.open(question, 0);
    const { queue } = frontier.refill(2, 0, 0);
    expect(queue[0]).toMatchObject(question);
    expect(new Set(queue.map(({ board, turn }) => `${board} ${turn}`)).size).toBe(4);
    expect(frontier.pathTo((queue[1] as Subtree).id)[0]).toEqual({
      turn: question.turn,
      board: question.board,
    });
  });

  it("queues a subtree again that has spent its budget once budgets are four times as large", () => {
    const frontier = new Frontier(setup.game);
    frontier.open(question, 0);
    /** Returns whether the question itself is queued at so many nodes, with all budgets spent. */
    const isQueued = (nodes: number, now: number) => {
      const { queue } = frontier.refill(2, nodes, now);
      for (const { id } of queue) frontier.finish(id, undefined);
      return queue.some(({ board, turn }) => board === question.board && turn === question.turn);
    };
    expect(isQueued(0, 0)).toBe(true);
    expect(isQueued(6_600_000, 1e6)).toBe(false); // 792,000 instead of 200,000
    expect(isQueued(6_700_000, 2e6)).toBe(true);
    expect(isQueued(6_800_000, 3e6)).toBe(false);
    frontier.open(question, 6_800_000);
    expect(isQueued(6_800_000, 4e6)).toBe(true); // of another question
  });

  it("queues at most 500 subtrees a second", () => {
    const frontier = new Frontier(setup.game);
    frontier.open(question, 0);
    let queued = 0;
    for (let now = 0; now < 1000; now++) {
      const { queue } = frontier.refill(64, 0, now);
      queued += queue.length;
      for (const { id } of queue) frontier.lose(id);
    }
    expect(queued).toBeGreaterThan(450);
    expect(queued).toBeLessThan(520);
  });

  it("sets budgets by the nodes of the question, the workers, and the nodes of a second", () => {
    const frontier = new Frontier(setup.game);
    const budgetAt = (nodes: number, now: number, workers = 2) => {
      const { queue } = frontier.refill(workers, nodes, now);
      for (const { id } of queue) frontier.lose(id);
      return queue[0]?.budget;
    };
    frontier.open(question, 0);
    expect(budgetAt(0, 0)).toBe(200_000);
    expect(budgetAt(0, 1000, 16)).toBe(25_000);
    expect(budgetAt(0, 2000, 64)).toBe(20_000);
    expect(budgetAt(10_000_000, 1_000_000)).toBe(1_200_000);
    expect(budgetAt(10_000_000, 2_000_000, 16)).toBe(150_000);
    frontier.open(question, 10_000_000);
    expect(budgetAt(10_000_000, 3_000_000)).toBe(200_000);
    // A billion nodes a second: 500 subtrees of a 500th of these take a second.
    const nodes = 4e12;
    frontier.open(question, nodes);
    expect(budgetAt(nodes, 4_000_000)).toBe(2_000_000);
  });
});
