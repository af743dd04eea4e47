import { type Board, exponentOf, sameBoard } from "@gridlock/game";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { nextScene, type Scene, type Sprite, sceneOf } from "../logic/motion.js";
import { boardWords } from "../logic/words.js";

/** Follows a board from move to move, so that its tiles slide. */
function useScene(board: Board): Scene {
  const scene = useRef<Scene | undefined>(undefined);
  if (scene.current === undefined) scene.current = sceneOf(board);
  else if (!sameBoard(scene.current.board, board)) scene.current = nextScene(scene.current, board);
  return scene.current;
}

/** A board whose tiles slide when a move changes it. Children lie above it, cell by cell. */
export function BoardView({
  board,
  preview = false,
  children,
}: {
  readonly board: Board;
  /** True if the board is only what a move would lead to. */
  readonly preview?: boolean;
  readonly children?: ComponentChildren;
}) {
  return frame(board, preview ? "board preview" : "board", useScene(board).sprites, children);
}

/** A small board that does not move. */
export function Thumbnail({ board }: { readonly board: Board }) {
  return frame(board, "board thumbnail", sceneOf(board).sprites);
}

function frame(
  board: Board,
  kind: string,
  sprites: readonly Sprite[],
  children?: ComponentChildren,
) {
  return (
    <div class={`${kind} r${board.rows} c${board.cols}`}>
      <div class="tiles" role="img" aria-label={boardWords(board)}>
        {board.cells.map((_, cell) => (
          <span key={`cell${cell}`} class={`cell ${cellClasses(board, cell)}`} />
        ))}
        {sprites.map((sprite) => (
          <span
            key={sprite.id}
            class={`tile ${cellClasses(board, sprite.cell)} ${sprite.state} t${exponentOf(sprite.tile)}`}
          >
            <span class="face">{sprite.tile}</span>
            {sprite.state === "merged" && <span class="gain">+{sprite.tile}</span>}
          </span>
        ))}
      </div>
      {children && <div class="overlay">{children}</div>}
    </div>
  );
}

/** Returns the classes that put an element above a cell. */
export function cellClasses({ cols }: Pick<Board, "cols">, cell: number): string {
  return `r${Math.floor(cell / cols)} c${cell % cols}`;
}
