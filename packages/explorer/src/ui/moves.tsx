import { type Board, type Bound, DIRECTIONS, emptyCells } from "@gridlock/game";
import type { ComponentChildren } from "preact";
import { exploreAddress, type Spot } from "../logic/address.js";
import { type GradedMove, gradeOf, placementsIn } from "../logic/grade.js";
import { cellToward } from "../logic/moves.js";
import { formatOneBound, formatShortBound, moveLabel, moveWords } from "../logic/words.js";
import { cellClasses } from "./board.js";
import { Icon } from "./icons.js";
import { MoveLink } from "./move-link.js";
import { Points } from "./worth.js";

/** The moves of a board, and what is done with them. */
export interface MovesProps {
  readonly spot: Spot;
  readonly moves: readonly GradedMove[];
  /** False if the moves' values are not shown. */
  readonly open?: boolean;
  readonly onMove: (move: GradedMove) => void;
  /** Shows the board after a move, or the present one; moves are then links, otherwise buttons. */
  readonly onPreview?: (move: GradedMove | undefined) => void;
}

/** A link or a button for a move; its class and label say nothing of a value that is not shown. */
function Move({
  props: { spot, open = true, onMove, onPreview },
  kind,
  move,
  label,
  format,
  children,
  onKeyDown,
}: {
  readonly props: MovesProps;
  readonly kind: string;
  /** `undefined` for an illegal slide, which still stands in its place: it may have the focus. */
  readonly move: GradedMove | undefined;
  /** The label of such a slide. */
  readonly label?: string;
  readonly format: (bound: Bound) => string;
  readonly children: ComponentChildren;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}) {
  const content = (
    <>
      {children}
      {open && move && (
        <b>
          <Points bound={move.total} format={format} />
        </b>
      )}
    </>
  );
  const grade = move && open ? `grade-${gradeOf(move)}` : "";
  const name = `${kind} ${move ? grade : "illegal"}`;
  const said = move && (open ? moveLabel(move) : moveWords(move.step));
  if (onPreview === undefined) {
    return (
      <button
        type="button"
        class={name}
        aria-label={said ?? label}
        aria-disabled={move === undefined}
        {...(onKeyDown && { onKeyDown })}
        onClick={() => move && onMove(move)}
      >
        {content}
      </button>
    );
  }
  if (move === undefined) {
    return (
      <span class={name} aria-hidden="true">
        {content}
      </span>
    );
  }
  return (
    <MoveLink
      href={exploreAddress({ ...spot, node: move.step.after })}
      class={name}
      label={said as string}
      onMove={() => onMove(move)}
      onPreview={(shown) => onPreview(shown ? move : undefined)}
    >
      {content}
    </MoveLink>
  );
}

/** The four slides, each on its side of the board. */
export function Slides(props: MovesProps) {
  return (
    <>
      {DIRECTIONS.map((direction) => (
        <Move
          key={direction}
          props={props}
          kind={`slide to-${direction}`}
          move={props.moves.find(({ step }) => step.name === direction)}
          label={`slide ${direction}`}
          format={formatShortBound}
        >
          <Icon name={direction} />
        </Move>
      ))}
    </>
  );
}

/** The placement of each tile in each empty cell. Keys place tiles, and lead from cell to cell. */
export function Placements(props: MovesProps) {
  const { spot, moves, open = true, onMove } = props;
  const { board } = spot.node;
  const press = (event: KeyboardEvent, cell: number) => {
    const around = (event.currentTarget as HTMLElement).closest(".spot");
    const wanted = moves.find(({ step }) => step.cell === cell && String(step.tile) === event.key);
    if (wanted) onMove(wanted);
    else if (!event.key.startsWith("Arrow") || !focusNext(around, board, cell, event.key)) return;
    event.preventDefault();
  };
  return (
    <>
      {emptyCells(board).map((cell) => (
        <span key={cell} class={`spot ${cellClasses(board, cell)}`} data-cell={cell}>
          {placementsIn(cell, moves).map((move) => (
            <Move
              key={move.step.name}
              props={props}
              kind={`place of-${move.step.tile}`}
              move={move}
              format={formatOneBound}
              onKeyDown={(event) => press(event, cell)}
            >
              <span class="chip">
                {move.step.tile}
                {open && ":"}
              </span>{" "}
            </Move>
          ))}
        </span>
      ))}
    </>
  );
}

/** Moves the focus to the next empty cell in an arrow's direction; returns whether there is one. */
function focusNext(spot: Element | null, board: Board, cell: number, key: string): boolean {
  const next = cellToward(board, cell, key);
  if (next === undefined) return false;
  const button = spot?.parentElement?.querySelector<HTMLElement>(`[data-cell="${next}"] button`);
  button?.focus();
  return button ? true : focusNext(spot, board, next, key);
}

/** An arrow over the board for the slide that is proven best. */
export function BestArrow({ moves }: { readonly moves: readonly GradedMove[] }) {
  const best = moves.find((move) => move.best);
  const direction = DIRECTIONS.find((each) => each === best?.step.name);
  return direction ? <Icon name={direction} class="icon best-arrow" /> : null;
}
