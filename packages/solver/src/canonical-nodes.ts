import {
  applySymmetry,
  type Board,
  canonical,
  type Game,
  type Node,
  normalShape,
  type PackedNode,
  packBoard,
  placements,
  slides,
  symmetriesToNormal,
  unpackBoard,
} from "@gridlock/game";
import type { Kernel } from "@gridlock/kernel/web";
import { type Move, placementMove, slideMove } from "./moves.js";
import { keyOf, type NodeKey } from "./node-keys.js";

/** A node with a canonical board, and its key. */
export interface CanonicalNode extends PackedNode {
  readonly key: NodeKey;
}

/** The result of a move. */
export interface Child {
  readonly move: Move;
  /** Points that the move earns. */
  readonly score: number;
  /** The board after the move, in the orientation of the board before it. */
  readonly board: Board;
  readonly canonical: CanonicalNode;
}

/** Converts nodes of one game between boards in any orientation and canonical, packed ones. */
export class CanonicalNodes {
  /** The game, in the shape of canonical boards. */
  readonly game: Game;
  readonly #kernel: Kernel | undefined;

  /** @param kernel finds canonical boards faster than the rules in `game` */
  constructor(game: Game, kernel: Kernel | undefined) {
    this.game = { ...game, shape: normalShape(game.shape) };
    this.#kernel = kernel;
  }

  /** Returns the canonical form of a node. */
  of({ board, turn }: Node): CanonicalNode {
    const node = { turn, board: this.#pack(board) };
    return { ...node, key: this.keyOf(node) };
  }

  /** Returns the key of a canonical node. */
  keyOf(node: PackedNode): NodeKey {
    return keyOf(this.game.shape, node);
  }

  #pack(board: Board) {
    if (this.#kernel === undefined) return packBoard(canonical(board));
    const [toNormal] = symmetriesToNormal(board);
    const normal = toNormal?.transpose ? applySymmetry(board, toNormal) : board;
    return this.#kernel.canonical(packBoard(normal));
  }

  /** Unpacks the canonical board of a node. */
  boardOf({ board }: PackedNode): Board {
    return unpackBoard(this.game.shape, board);
  }

  /** Returns a canonical node as the rules take it. */
  plain(node: PackedNode): Node {
    return { board: this.boardOf(node), turn: node.turn };
  }

  /** Lists the moves of a node, in the order of `slides` or `placements`. */
  children({ board, turn }: Node): Child[] {
    if (turn === "slider") {
      return slides(board).map(({ direction, score, board: after }) => ({
        move: slideMove(direction),
        score,
        board: after,
        canonical: this.of({ board: after, turn: "placer" }),
      }));
    }
    return placements(board, this.game.tiles).map((placement) => ({
      move: placementMove(board, placement),
      score: 0,
      board: placement.board,
      canonical: this.of({ board: placement.board, turn: "slider" }),
    }));
  }
}
