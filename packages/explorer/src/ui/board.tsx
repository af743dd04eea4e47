import { type Board, exponentOf, formatBoard, sameBoard } from "@gridlock/game";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { nextScene, type Scene, sceneOf } from "../logic/motion.js";
import { boardWords } from "../logic/words.js";

/** Follows a board from move to move, so that its tiles slide. */
function useScene(board: Board): Scene {
  const scene = useRef<Scene | undefined>(undefined);
  if (scene.current === undefined) scene.current = sceneOf(board);
  else if (!sameBoard(scene.current.board, board)) scene.current = nextScene(scene.current, board);
  return scene.current;
}

/** A small board whose tiles do not slide: another board is shown at once. */
export function Thumbnail({ board }: { readonly board: Board }) {
  return <BoardView key={formatBoard(board)} board={board} kind="thumbnail" />;
}

/** A board whose tiles slide when a move changes it. Children lie above it, cell by cell. */
export function BoardView({
  board,
  kind = "",
  children,
}: {
  readonly board: Board;
  /** `preview` for a board that a move would lead to. */
  readonly kind?: "" | "preview" | "thumbnail";
  readonly children?: ComponentChildren;
}) {
  const { sprites } = useScene(board);
  return (
    <div class={`board ${kind} r${board.rows} c${board.cols}`}>
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
