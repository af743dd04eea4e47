import { type Board, DIRECTIONS, type Direction, emptyCells } from "@gridlock/game";
import { type GradedMove, gradeOf, placementsIn } from "../logic/grade.js";
import { cellToward } from "../logic/moves.js";
import { formatOneBound, formatShortBound, moveLabel, moveWords } from "../logic/words.js";
import { cellClasses } from "../ui/board.js";
import { Icon } from "../ui/icons.js";
import { Points } from "../ui/worth.js";

interface Props {
  readonly moves: readonly GradedMove[];
  /** True if the moves' values are shown. */
  readonly open: boolean;
  readonly onMove: (move: GradedMove) => void;
}

/** The class and label of a button, which say nothing of a value that is not shown. */
function dressOf(move: GradedMove, open: boolean) {
  if (!open) return { name: "", label: moveWords(move.step) };
  return { name: `grade-${gradeOf(move)}`, label: moveLabel(move) };
}

/** The four slides as buttons, each on its side of the board. */
export function SlideButtons({ moves, open, onMove }: Props) {
  const button = (direction: Direction) => {
    const move = moves.find(({ step }) => step.name === direction);
    const { name, label } = move
      ? dressOf(move, open)
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
            <Points bound={move.total} format={formatShortBound} />
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
  return (
    <>
      {emptyCells(board).map((cell) => (
        <span key={cell} class={`spot ${cellClasses(board, cell)}`} data-cell={cell}>
          {placementsIn(cell, moves).map((move) => {
            const { name, label } = dressOf(move, open);
            return (
              <button
                key={move.step.name}
                type="button"
                class={`place of-${move.step.tile} ${name}`}
                aria-label={label}
                onKeyDown={(event) => press(event, cell)}
                onClick={() => onMove(move)}
              >
                <span class="chip">{open ? `${move.step.tile}:` : move.step.tile}</span>{" "}
                {open && (
                  <b>
                    <Points bound={move.total} format={formatOneBound} />
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
function focusNext(spot: Element | null, board: Board, cell: number, key: string): boolean {
  const next = cellToward(board, cell, key);
  if (next === undefined) return false;
  const button = spot?.parentElement?.querySelector<HTMLElement>(`[data-cell="${next}"] button`);
  button?.focus();
  return button ? true : focusNext(spot, board, next, key);
}
