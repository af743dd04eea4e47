import { type Board, emptyCells, linesToward, place, sameBoard, slides } from "@gridlock/game";

/** A tile on the screen. It keeps its `id` while it moves, so that the browser can animate it. */
interface Sprite {
  readonly id: number;
  readonly cell: number;
  readonly tile: number;
  /** `merged` appears where tiles met, `placed` in an empty cell; `gone` slides below `merged`. */
  readonly state: "still" | "merged" | "placed" | "gone";
}

/** The tiles on the screen, and the board that they show. */
export interface Scene {
  readonly board: Board;
  readonly sprites: readonly Sprite[];
  readonly nextId: number;
}

/** Shows a board at rest. */
export function sceneOf(board: Board, firstId = 0): Scene {
  let nextId = firstId;
  const sprites: Sprite[] = [];
  board.cells.forEach((tile, cell) => {
    if (tile !== 0) sprites.push({ id: nextId++, cell, tile, state: "still" });
  });
  return { board, sprites, nextId };
}

/** Shows the next board: tiles slide, merge or appear if a move leads there; else all are new. */
export function nextScene(scene: Scene, board: Board): Scene {
  const before = scene.board;
  const placed = emptyCells(before)
    .map((cell) => place(before, cell, board.cells[cell] ?? 0))
    .find((each) => sameBoard(each.board, board));
  if (placed !== undefined) {
    const { cell, tile } = placed;
    const sprite: Sprite = { id: scene.nextId, cell, tile, state: "placed" };
    // The others stay as they are: a slide's movements may still be under way.
    return { board, sprites: [...scene.sprites, sprite], nextId: scene.nextId + 1 };
  }
  const made = slides(before).find((each) => sameBoard(each.board, board));
  if (made === undefined) return sceneOf(board, scene.nextId);
  const sprites = scene.sprites.filter(({ state }) => state !== "gone");
  let nextId = scene.nextId;
  const moved: Sprite[] = [];
  for (const line of linesToward(board, made.direction)) {
    const slid = line.flatMap((cell) => sprites.find((each) => each.cell === cell) ?? []);
    for (const cell of line) {
      const [sprite, next] = slid;
      if (sprite === undefined) break;
      const merges = next?.tile === sprite.tile;
      for (const each of slid.splice(0, merges ? 2 : 1)) {
        moved.push({ ...each, cell, state: merges ? "gone" : "still" });
      }
      if (merges) moved.push({ id: nextId++, cell, tile: 2 * sprite.tile, state: "merged" });
    }
  }
  // In the order of their ids, so that elements keep their places in the document and their
  // transitions run.
  return { board, sprites: moved.sort((a, b) => a.id - b.id), nextId };
}
