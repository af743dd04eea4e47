import {
  type Bound,
  boundByMoves,
  type Game,
  mergeBounds,
  type PackedNode,
  UNKNOWN,
} from "@gridlock/game";
import { CanonicalNodes } from "./canonical-nodes.js";
import { childrenInOrder } from "./common-order.js";
import type { NodeKey } from "./node-keys.js";
import { answers, type Question } from "./port.js";

/*
 * The rules by which a coordinator divides a question into subtrees. They know no Redis, so that
 * `gridlock simulate` uses them too. docs/scaling.md reports what each of them is worth.
 */

/** A subtree for a worker to search: a question, and the most nodes to expand for it. */
export interface Subtree extends Question {
  readonly id: number;
  readonly budget: number;
}

/** Moves from a start beyond which no subtree is queued. */
const MOST_DEPTH = 12;
/** Replies that must hold before the rest are expected to; see `kernel/assembly/order.ts`. */
const HELD = 2;
/** The part of its question's nodes so far that one subtree of each worker may take together. */
const BUDGETS_PART = 0.24;
/** The least that they may take together, in nodes. */
const LEAST_BUDGETS = 400_000;
/** Least budget of a subtree, in nodes: longer than a worker takes to get it and to answer. */
const LEAST_BUDGET = 20_000;
/** Times the budget that a subtree has spent with which it is tried again. */
const MUCH_MORE = 4;
/** Most subtrees that are queued in a millisecond, for the whole cluster. */
const MOST_RATE = 0.5;
/** Milliseconds for which subtrees that were not queued may be made up for. */
const BURST_MS = 20;
/** Nodes that the graph may have, some 200 bytes each. Beyond them, no other node is expanded. */
const MOST_NODES = 500_000;
/** Nodes that one choice of a subtree may look at. */
const MOST_VISITS = 5000;

/** A node of the graph. */
interface Vertex {
  readonly id: number;
  readonly node: PackedNode;
  bound: Bound;
  /** The vertices and points of moves, in the common order; `undefined` before they are needed. */
  edges: readonly Edge[] | undefined;
  readonly parents: Set<Vertex>;
  /** Subtrees that are queued or under search at this node, and at this node or below it. */
  here: number;
  load: number;
  /** The last question in which a search of this node spent its budget, and that budget. */
  largeFor: number;
  spent: number;
}

interface Edge {
  readonly to: Vertex;
  readonly score: number;
}

/** A node on the way from a start to a subtree, and the threshold that is asked of it. */
interface Step {
  readonly vertex: Vertex;
  readonly threshold: number;
}

/** A subtree that has been queued, and the way to it. */
interface Queued {
  readonly subtree: Subtree;
  readonly path: readonly Step[];
}

/** Changes that the coordinator makes to its queue. */
export interface Changes {
  /** Subtrees to queue. */
  readonly queue: readonly Subtree[];
  /** Numbers of the subtrees that no longer matter: to remove or to cancel. */
  readonly drop: readonly number[];
  /** True if more could be queued, but for the rate. */
  readonly later: boolean;
}

/**
 * The top of the graph of all starts, as far as subtrees of it were queued, with the bounds that
 * are known of it. One graph serves all questions of a solve. It rests on bounds alone, so it can
 * be made anew at any time.
 */
export class Frontier {
  readonly #nodes: CanonicalNodes;
  readonly #known: (node: PackedNode) => Bound | undefined;
  #vertices = new Map<NodeKey, Vertex>();
  readonly #queued = new Map<number, Queued>();
  #root: Step | undefined;
  /** Counts the questions. */
  #question = 0;
  #lastId = 0;
  #done = 0;
  /** When counting began, and what had been spent then: of the run, and of the question. */
  #began: { readonly nodes: number; readonly now: number } | undefined;
  #nodesBefore = 0;
  /** When the next subtree may be queued. */
  #next = Number.NEGATIVE_INFINITY;

  /** @param known returns what is known of a node from earlier runs */
  constructor(game: Game, known: (node: PackedNode) => Bound | undefined = () => undefined) {
    this.#nodes = new CanonicalNodes(game, undefined);
    this.#known = known;
  }

  /**
   * Begins a question, instead of the one before.
   *
   * @param nodes all nodes that the workers have expanded in this run
   */
  open({ threshold, ...node }: Question, nodes: number): void {
    if (this.#vertices.size >= MOST_NODES) this.#vertices = new Map();
    this.#question++;
    this.#nodesBefore = nodes;
    this.#root = { vertex: this.#vertexOf(node), threshold };
  }

  /** Ends the question. */
  close(): void {
    this.#root = undefined;
  }

  /** The bound that answers the question, once there is one. */
  get answer(): Bound | undefined {
    return this.#root && isDecided(this.#root) ? this.#root.vertex.bound : undefined;
  }

  /** The subtrees that are queued or under search, the oldest first. */
  get subtrees(): readonly Subtree[] {
    return [...this.#queued.values()].map(({ subtree }) => subtree);
  }

  /** The number of subtrees whose results have come. */
  get done(): number {
    return this.#done;
  }

  /** Returns the boards on the way to a subtree, from the start on. */
  pathTo(id: number): readonly PackedNode[] {
    return this.#queued.get(id)?.path.map(({ vertex }) => vertex.node) ?? [];
  }

  /**
   * Returns what to change after results have come: the subtrees that no longer matter, and those
   * to queue now, so that each worker has one and another one waits for it. A single worker needs
   * none: it searches the question itself.
   *
   * @param workers the number of workers
   * @param nodes all nodes that they have expanded in this run
   * @param now in milliseconds
   */
  refill(workers: number, nodes: number, now: number): Changes {
    const queue: Subtree[] = [];
    const budget = this.#budget(workers, nodes, now);
    while (workers >= 2 && this.#queued.size < 2 * workers && this.#next <= now) {
      const path = this.#pick(budget);
      if (path === undefined) break;
      this.#next = Math.max(this.#next, now - BURST_MS) + 1 / MOST_RATE;
      queue.push(this.#queue(path, budget));
    }
    // To choose one can decide nodes, by what is known of those that it has not looked at before.
    const isIdle = ({ path }: Queued) => path[0] !== this.#root || path.some(isDecided);
    const drop = [...this.#queued].filter(([, queued]) => isIdle(queued)).map(([id]) => id);
    for (const id of drop) this.#remove(id);
    const isNew = (id: number) => queue.some((subtree) => subtree.id === id);
    return {
      queue: queue.filter(({ id }) => this.#queued.has(id)),
      drop: drop.filter((id) => !isNew(id)),
      later: this.#next > now,
    };
  }

  /** Returns the budget of the next subtrees: even if each spent it, they would not be too many. */
  #budget(workers: number, nodes: number, now: number): number {
    this.#began ??= { nodes, now };
    const perMs = (nodes - this.#began.nodes) / Math.max(1, now - this.#began.now);
    const together = Math.max(LEAST_BUDGETS, BUDGETS_PART * (nodes - this.#nodesBefore));
    return Math.ceil(Math.max(LEAST_BUDGET, together / workers, perMs / MOST_RATE));
  }

  #queue(path: readonly Step[], budget: number): Subtree {
    const { vertex, threshold } = path.at(-1) as Step;
    const subtree = { ...vertex.node, threshold, budget, id: ++this.#lastId };
    this.#queued.set(subtree.id, { subtree, path });
    vertex.here++;
    for (const { vertex } of path) vertex.load++;
    return subtree;
  }

  #remove(id: number): Queued | undefined {
    const queued = this.#queued.get(id);
    if (queued === undefined || !this.#queued.delete(id)) return undefined;
    for (const { vertex } of queued.path) vertex.load--;
    (queued.path.at(-1) as Step).vertex.here--;
    return queued;
  }

  /**
   * Takes the result of a subtree: its bound, or `undefined` if its budget was spent or its search
   * has failed. Results of others than those queued, or that come twice, are ignored.
   */
  finish(id: number, bound: Bound | undefined): void {
    const queued = this.#remove(id);
    if (queued === undefined) return;
    this.#done++;
    const { vertex, threshold } = queued.path.at(-1) as Step;
    if (bound && answers(bound, threshold)) learn(vertex, bound);
    else {
      vertex.largeFor = this.#question;
      vertex.spent = queued.subtree.budget;
    }
  }

  /** Forgets a subtree lost in transit, so it can be queued again; returns whether it was known. */
  lose(id: number): boolean {
    return this.#remove(id) !== undefined;
  }

  /** Takes a bound of the board of the question under way. */
  learn(bound: Bound): void {
    if (this.#root) learn(this.#root.vertex, bound);
  }

  #vertexOf(node: PackedNode): Vertex {
    const key = this.#nodes.keyOf(node);
    let vertex = this.#vertices.get(key);
    if (vertex === undefined) {
      const { turn, board } = node;
      const bound = this.#known(node) ?? UNKNOWN;
      const id = this.#vertices.size;
      const none = { edges: undefined, here: 0, load: 0, largeFor: 0, spent: 0 };
      vertex = { id, node: { turn, board }, bound, parents: new Set(), ...none };
      this.#vertices.set(key, vertex);
    }
    return vertex;
  }

  /** Returns the children of a vertex, or none if the graph is full. */
  #edgesOf(vertex: Vertex): readonly Edge[] {
    if (vertex.edges) return vertex.edges;
    if (this.#vertices.size >= MOST_NODES) return [];
    vertex.edges = childrenInOrder(this.#nodes, vertex.node).map(({ canonical, score }) => {
      const to = this.#vertexOf(canonical);
      to.parents.add(vertex);
      return { to, score };
    });
    learn(vertex, vertex.edges.length === 0 ? { lo: 0, hi: 0 } : boundByEdges(vertex));
    return vertex.edges;
  }

  /** Returns the path to the next subtree: where nobody is, or where the answer likely needs it. */
  #pick(budget: number): readonly Step[] | undefined {
    for (const speculates of [false, true]) {
      if (this.#root === undefined) return undefined;
      const path: Step[] = [];
      const search = { path, budget, speculates, visits: 0, vain: new Set<string>() };
      if (this.#pickBelow(this.#root, false, 0, search)) return path;
    }
    return undefined;
  }

  /**
   * Looks for a subtree at or below a node; puts the way to it on `path`.
   *
   * @param holds whether the answer is expected to be yes, as the search expects it
   * @param owners subtrees above the node whose searches are taken to be at it now
   */
  #pickBelow(step: Step, holds: boolean, owners: number, search: Pick): boolean {
    const { vertex, threshold } = step;
    const { path, vain } = search;
    const visit = `${vertex.id} ${threshold} ${holds} ${path.length}`;
    if (isDecided(step) || vain.has(visit) || search.visits++ > MOST_VISITS) return false;
    path.push(step);
    const isLarge = vertex.largeFor === this.#question && search.budget < MUCH_MORE * vertex.spent;
    if (vertex.load + owners === 0 && !isLarge) return true;
    if (path.length <= MOST_DEPTH) {
      const edges = this.#edgesOf(vertex);
      const isAfterstate = vertex.node.turn === "placer";
      const held = edges.filter(({ to }) => to.bound.lo >= threshold).length;
      const holdsBelow = holds || (isAfterstate && held >= HELD);
      const first = owners + vertex.here;
      const open = edges
        .map(({ to, score }) => ({ vertex: to, threshold: threshold - score }))
        .filter((child) => !isDecided(child))
        .map((child, i) => ({ ...child, owners: i === 0 ? first : 0 }));
      const load = (child: (typeof open)[number]) => child.vertex.load + child.owners;
      const needsAll = isAfterstate ? holdsBelow : !holdsBelow;
      const chosen = needsAll
        ? open.sort((a, b) => load(a) - load(b))
        : open.slice(0, search.speculates ? 2 : 1);
      for (const child of chosen) {
        if (this.#pickBelow(child, holdsBelow, child.owners, search)) return true;
      }
    }
    path.pop();
    if (owners === 0) vain.add(visit);
    return false;
  }
}

/** A choice of a subtree under way. */
interface Pick {
  readonly path: Step[];
  readonly budget: number;
  /** True to try the second child where the first is expected to decide. */
  readonly speculates: boolean;
  visits: number;
  /** Visits that found no subtree, by vertex, threshold, expectation and depth. */
  readonly vain: Set<string>;
}

function isDecided({ vertex, threshold }: Step): boolean {
  return answers(vertex.bound, threshold);
}

/** Merges a bound into a vertex, and what follows into those above it. */
function learn(vertex: Vertex, bound: Bound): void {
  const changed = [{ vertex, bound }];
  for (let next = changed.pop(); next; next = changed.pop()) {
    const { vertex } = next;
    const { lo, hi } = mergeBounds(vertex.bound, next.bound);
    if (lo === vertex.bound.lo && hi === vertex.bound.hi) continue;
    vertex.bound = { lo, hi };
    for (const parent of vertex.parents) {
      changed.push({ vertex: parent, bound: boundByEdges(parent) });
    }
  }
}

/** Returns the bound of a vertex that follows from those of its children. */
function boundByEdges({ node, edges = [] }: Vertex): Bound {
  const moves = edges.map(({ to, score }) => ({ score, bound: to.bound }));
  return boundByMoves(node.turn, moves);
}
