import {
  type Board,
  type Game,
  isEnd,
  type Node,
  placements,
  slides,
  starts,
} from "@gridlock/game";

/** Random numbers in [0, 1) from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random games, each as its nodes from start to end state. */
export function* randomGames(game: Game, seed: number): Generator<Node[]> {
  const random = randomFrom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  for (;;) {
    let board: Board = pick(starts(game.shape));
    const nodes: Node[] = [{ board, turn: "slider" }];
    while (!isEnd(board)) {
      const after = pick(slides(board)).board;
      board = pick(placements(after, game.tiles)).board;
      nodes.push({ board: after, turn: "placer" }, { board, turn: "slider" });
    }
    yield nodes;
  }
}
