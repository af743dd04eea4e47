import { setImmediate } from "node:timers/promises";
import {
  type Board,
  type Bound,
  boundByMoves,
  boundByRules,
  type Game,
  mergeBounds,
  type Node,
  type PackedBoard,
  type PackedNode,
  placements,
  type Shape,
  slides,
  tileSum,
  UNKNOWN,
  unpackBoard,
} from "@gridlock/game";

/** A proof: returns what it claims of a position itself; {@link UNKNOWN} if it claims nothing. */
interface Proof {
  claimed(position: Board): Bound;
}

/** A bound that a proof shows to be false. */
export interface Contradiction extends Node, Bound {
  /** The bound that follows from the proof. */
  readonly proven: Bound;
}

/** The result of comparing bounds with a proof. */
export interface Comparison {
  readonly bounds: number;
  /** Bounds that follow from the proof, by one step at most. */
  readonly implied: number;
  /** Bounds that neither follow nor contradict the proof: they remain unchecked. */
  readonly notCovered: number;
  readonly contradicting: number;
  /** The first 20 bounds that contradict the proof. */
  readonly contradictions: readonly Contradiction[];
}

/** The most contradictions to report in full. */
const CONTRADICTIONS_TOLD = 20;
/** Bounds to compare between two looks at the signal: some 50 ms. */
const CHUNK = 500;
/** Bounds that are sorted at a time: some 20 MB. */
const BATCH = 100_000;

/**
 * Returns the bound of a node that follows from the rules, its own claim, and the claims one step
 * on: of an afterstate, those of the positions after its placements; of a position, those after its
 * slides. It is true if the proof holds.
 */
export function impliedBound(node: Node, { tiles }: Pick<Game, "tiles">, proof: Proof): Bound {
  const known = (of: Node) => {
    const claimed = of.turn === "slider" ? proof.claimed(of.board) : UNKNOWN;
    return mergeBounds(boundByRules(of), claimed);
  };
  const { board, turn } = node;
  const moves =
    turn === "slider"
      ? slides(board).map(({ board: after, score }) => {
          const bound = impliedBound({ board: after, turn: "placer" }, { tiles }, proof);
          return { score, bound };
        })
      : placements(board, tiles).map((next) => {
          return { score: 0, bound: known({ board: next.board, turn: "slider" }) };
        });
  return mergeBounds(known(node), boundByMoves(turn, moves));
}

/**
 * Compares bounds of a game's boards with a proof that has been checked: which follow from it,
 * which contradict it, and about which it says too little.
 *
 * @param signal stops the comparison: the promise rejects with the signal's reason
 */
export async function compareBounds(
  game: Game,
  bounds: Iterable<PackedNode & Bound>,
  proof: Proof,
  signal?: AbortSignal,
): Promise<Comparison> {
  let count = 0;
  let implied = 0;
  let contradicting = 0;
  const contradictions: Contradiction[] = [];
  for (const { board, turn, lo, hi } of byTileSum(game.shape, bounds)) {
    if (count++ % CHUNK === 0) {
      await setImmediate();
      signal?.throwIfAborted();
    }
    const proven = impliedBound({ board, turn }, game, proof);
    if (lo <= proven.lo && proven.hi <= hi) implied++;
    else if (lo > proven.hi || hi < proven.lo) {
      contradicting++;
      if (contradictions.length < CONTRADICTIONS_TOLD) {
        contradictions.push({ board, turn, lo, hi, proven });
      }
    }
  }
  const notCovered = count - implied - contradicting;
  return { bounds: count, implied, notCovered, contradicting, contradictions };
}

/** Sorts bounds in batches, so that look-ups of one tile sum follow each other. */
function* byTileSum(shape: Shape, bounds: Iterable<PackedNode & Bound>): Generator<Node & Bound> {
  let batch: { readonly sum: number; readonly at: PackedBoard; readonly bound: Node & Bound }[] =
    [];
  const sorted = () =>
    batch.sort((a, b) => a.sum - b.sum || (a.at < b.at ? -1 : 1)).map(({ bound }) => bound);
  for (const { board: at, turn, lo, hi } of bounds) {
    const board = unpackBoard(shape, at);
    batch.push({ sum: tileSum(board), at, bound: { board, turn, lo, hi } });
    if (batch.length < BATCH) continue;
    yield* sorted();
    batch = [];
  }
  yield* sorted();
}
