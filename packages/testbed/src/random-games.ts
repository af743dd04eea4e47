import {
  type Board,
  type Game,
  isEnd,
  type Node,
  placements,
  seededRandom,
  slides,
  starts,
} from "@gridlock/game";

/** Generates random games, each as its nodes from start to end state. */
export function* randomGames(game: Game, seed: number): Generator<Node[]> {
  const random = seededRandom(seed);
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
