import {
  type Bound,
  canonical,
  type Game,
  packBoard,
  placements,
  slides,
  unpackBoard,
} from "@gridlock/game";
import type { Question } from "@gridlock/solver";

/**
 * A question in the tree, with its proof number (leaves that must yet be proven for a yes, at least) and its disproof
 * number (the same for a no). One of both is 0, the other infinite, when it is settled.
 */
export interface TreeNode {
  readonly question: Question;
  proof: number;
  disproof: number;
  /** Undefined while it is a leaf. */
  children: readonly TreeNode[] | undefined;
  readonly parents: TreeNode[];
  /** Jobs under way on it. */
  jobs: number;
}

/** By how much each job under way raises both numbers of its leaf, so that the next job goes elsewhere. */
const VIRTUAL_LOSS = 4;

/** Looks up what is known of a node. */
type Look = (question: Question) => Bound;

/**
 * The tree of proof-number search over one question (a directed graph: a board reached twice for the same points is
 * one node), which only says where to search next; what it is told must be true.
 */
export class ProofTree {
  readonly root: TreeNode;
  readonly #game: Game;
  readonly #look: Look;
  readonly #nodes = new Map<string, TreeNode>();

  constructor(game: Game, question: Question, look: Look) {
    this.#game = game;
    this.#look = look;
    this.root = this.#nodeOf(question);
  }

  /** Whether the question is answered. */
  get settled(): boolean {
    return isSettled(this.root);
  }

  /** The leaf to search next, none when all is settled. One that already has a job is expanded on the way. */
  choose(): TreeNode | undefined {
    if (this.settled) return undefined;
    let node = this.root;
    for (;;) {
      if (node.children === undefined && node.jobs > 0) this.expand(node);
      if (node.children === undefined) return node;
      if (isSettled(node)) return this.choose(); // by what its expansion has found
      const slider = node.question.turn === "slider";
      const number = (child: TreeNode) => (slider ? child.proof : child.disproof);
      let best: TreeNode | undefined;
      for (const child of node.children) {
        if (!isSettled(child) && (!best || number(child) < number(best))) best = child;
      }
      if (best === undefined) throw new Error("a node that is not settled has no child left");
      node = best;
    }
  }

  /** A job begins on a leaf, or has ended. */
  occupy(node: TreeNode, jobs: 1 | -1): void {
    node.jobs += jobs;
    if (node.children === undefined && !isSettled(node)) {
      node.proof += jobs * VIRTUAL_LOSS;
      node.disproof += jobs * VIRTUAL_LOSS;
      this.#update(node.parents);
    }
  }

  /** Takes the answer to a node's question. */
  settle(node: TreeNode, bound: Bound): void {
    if (isSettled(node)) return;
    answer(node, bound.lo >= node.question.threshold);
    this.#update(node.parents);
  }

  /** Puts the children of a leaf into the tree. */
  expand(node: TreeNode): void {
    if (node.children !== undefined || isSettled(node)) return;
    const children = childrenOf(this.#game, node.question).map((child) => this.#nodeOf(child));
    node.children = children;
    for (const child of children) child.parents.push(node);
    this.#update([node]);
  }

  #nodeOf(question: Question): TreeNode {
    const { turn, board, threshold } = question;
    const name = `${turn} ${board} ${threshold}`;
    const known = this.#nodes.get(name);
    if (known) return known;
    // A leaf's numbers: as many as its children where all of them must hold, one where any of them will do.
    const node = { question, proof: 1, disproof: 1, children: undefined, parents: [], jobs: 0 };
    this.#nodes.set(name, node);
    const { lo, hi } = this.#look(question);
    if (lo >= threshold || hi < threshold) answer(node, lo >= threshold);
    return node;
  }

  /** Works out the numbers of nodes anew from their children's, and of all above them that change. */
  #update(nodes: readonly TreeNode[]): void {
    const open = [...nodes];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (isSettled(node) || node.children === undefined) continue;
      const { proof, disproof } = node;
      const proofs = node.children.map((child) => child.proof);
      const disproofs = node.children.map((child) => child.disproof);
      const slider = node.question.turn === "slider";
      node.proof = slider ? Math.min(...proofs) : sum(proofs);
      node.disproof = slider ? sum(disproofs) : Math.min(...disproofs);
      if (node.proof !== proof || node.disproof !== disproof) open.push(...node.parents);
    }
  }
}

function isSettled({ proof, disproof }: TreeNode): boolean {
  return proof === 0 || disproof === 0;
}

function answer(node: TreeNode, yes: boolean): void {
  node.proof = yes ? 0 : Number.POSITIVE_INFINITY;
  node.disproof = yes ? Number.POSITIVE_INFINITY : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The questions on whose answers that of a node depends: for the slider any yes will do, for the placer any no. */
function childrenOf(game: Game, { turn, board, threshold }: Question): Question[] {
  const parent = unpackBoard(game.shape, board);
  const children =
    turn === "slider"
      ? slides(parent).map(({ board, score }) => ({ board, threshold: threshold - score }))
      : placements(parent, game.tiles).map(({ board }) => ({ board, threshold }));
  const questions = children.map(({ board, threshold }) => ({
    turn: turn === "slider" ? ("placer" as const) : ("slider" as const),
    board: packBoard(canonical(board)),
    threshold,
  }));
  // Images of each other are one child.
  return questions.filter(
    (a, i) => questions.findIndex((b) => a.board === b.board && a.threshold === b.threshold) === i,
  );
}
