import { type Board, DIRECTIONS, type Direction } from "@gridlock/game";
import { type GradedMove, gradeOf } from "../logic/grade.js";
import { cellWords, gradeWords, moveWords, totalWords } from "../logic/words.js";
import { placeOf } from "../ui/board.js";
import { Icon } from "../ui/icons.js";
import { Points } from "../ui/worth.js";

interface Props {
  readonly moves: readonly GradedMove[];
  /** True if the moves' values are shown. */
  readonly open: boolean;
  readonly onMove: (move: GradedMove) => void;
}

/** The class and label of a button, which say nothing of a value that is not shown. */
function dressOf(move: GradedMove, turn: "slider" | "placer", open: boolean) {
  const words = moveWords(move.step);
  if (!open) return { name: "", label: words };
  const { tile, cell, after } = move.step;
  const total = totalWords(move.total);
  const grade = gradeWords(turn, move);
  const label =
    tile === undefined || cell === undefined
      ? `${words}: ${total}, ${grade}`
      : `${tile}: ${total} in ${cellWords(after.board, cell)}, ${grade}`;
  return { name: `grade-${gradeOf(move)}`, label };
}

/** The four slides as buttons, each on its side of the board. */
export function SlideButtons({ moves, open, onMove }: Props) {
  const button = (direction: Direction) => {
    const move = moves.find(({ step }) => step.name === direction);
    const { name, label } = move
      ? dressOf(move, "slider", open)
      : { name: "illegal", label: `slide ${direction}` };
    return (
      <button
        key={direction}
        type="button"
        class={`slide to-${direction} ${name}`}
        aria-label={label}
        aria-disabled={move === undefined}
        onClick={() => move && onMove(move)}
      >
        <Icon name={direction} />
        {open && move && (
          <b>
            <Points bound={move.total} short />
          </b>
        )}
      </button>
    );
  };
  return <>{DIRECTIONS.map(button)}</>;
}

/** In each empty cell, a button for each tile that can be placed there. */
export function PlaceButtons({ board, moves, open, onMove }: Props & { readonly board: Board }) {
  const press = (event: KeyboardEvent, cell: number) => {
    const spot = (event.currentTarget as HTMLElement).closest(".spot");
    const wanted = moves.find(({ step }) => step.cell === cell && String(step.tile) === event.key);
    if (wanted) onMove(wanted);
    else if (!event.key.startsWith("Arrow") || !focusNext(spot, board, cell, event.key)) return;
    event.preventDefault();
  };
  const cells = board.cells.flatMap((tile, cell) => (tile === 0 ? [cell] : []));
  const inCell = (cell: number) =>
    moves
      .filter(({ step }) => step.cell === cell)
      .sort((a, b) => (a.step.tile ?? 0) - (b.step.tile ?? 0));
  return (
    <>
      {cells.map((cell) => (
        <span key={cell} class={`spot ${placeOf(board, cell)}`} data-cell={cell}>
          {inCell(cell).map((move) => {
            const { name, label } = dressOf(move, "placer", open);
            return (
              <button
                key={move.step.name}
                type="button"
                class={`place ${name}`}
                aria-label={label}
                onKeyDown={(event) => press(event, cell)}
                onClick={() => onMove(move)}
              >
                <span class="chip">{open ? `${move.step.tile}:` : move.step.tile}</span>{" "}
                {open && (
                  <b>
                    <Points bound={move.total} short="cell" />
                  </b>
                )}
              </button>
            );
          })}
        </span>
      ))}
    </>
  );
}

/** Moves the focus to the next empty cell in the direction of an arrow key. Returns whether there is one. */
function focusNext(
  spot: Element | null,
  { rows, cols }: Board,
  cell: number,
  key: string,
): boolean {
  const [dr, dc] =
    { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key] ?? [];
  if (dr === undefined || dc === undefined) return false;
  let [row, col] = [Math.floor(cell / cols) + dr, (cell % cols) + dc];
  for (; row >= 0 && row < rows && col >= 0 && col < cols; row += dr, col += dc) {
    const next = spot?.parentElement?.querySelector<HTMLElement>(
      `[data-cell="${row * cols + col}"] button`,
    );
    if (next) {
      next.focus();
      return true;
    }
  }
  return false;
}
