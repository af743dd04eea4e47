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
  /** Shows the board after a move, or the present one. */
  readonly onPreview?: (move: GradedMove | undefined) => void;
}

/** A link for a move; its class and label say nothing of a value that is not shown. */
function Move({
  props: { spot, open = true, onMove, onPreview },
  kind,
  move,
  label,
  format,
  children,
  onKey,
}: {
  readonly props: MovesProps;
  readonly kind: string;
  /** `undefined` for an illegal slide, which still stands in its place: it may have the focus. */
  readonly move: GradedMove | undefined;
  /** The label of such a slide. */
  readonly label?: string;
  readonly format: (bound: Bound) => string;
  readonly children: ComponentChildren;
  /** Returns whether a key but Space and Enter, which make the move, does something. */
  readonly onKey?: (key: string) => boolean;
}) {
  const grade = move && open ? `grade-${gradeOf(move)}` : "";
  const said = move && (open ? moveLabel(move) : moveWords(move.step));
  return (
    <MoveLink
      href={move && exploreAddress({ ...spot, node: move.step.after })}
      class={`${kind} ${move ? grade : "illegal"}`}
      label={said ?? label}
      onMove={() => move && onMove(move)}
      onPreview={(shown) => onPreview?.(shown ? move : undefined)}
      onKey={onKey}
    >
      {children}
      {open && move && (
        <b>
          <Points bound={move.total} format={format} />
        </b>
      )}
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
  const press = (key: string, cell: number) => {
    const wanted = moves.find(({ step }) => step.cell === cell && String(step.tile) === key);
    if (wanted) onMove(wanted);
    return wanted !== undefined || focusNext(board, cell, key);
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
              onKey={(key) => press(key, cell)}
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
function focusNext(board: Board, cell: number, key: string): boolean {
  const next = cellToward(board, cell, key);
  if (next === undefined) return false;
  const link = document.querySelector<HTMLElement>(`.stage [data-cell="${next}"] a`);
  link?.focus();
  return link ? true : focusNext(board, next, key);
}

/** An arrow over the board for the slide that is proven best. */
export function BestArrow({ moves }: { readonly moves: readonly GradedMove[] }) {
  const best = moves.find(({ verdict }) => verdict === "best");
  const direction = DIRECTIONS.find((each) => each === best?.step.name);
  return direction ? <Icon name={direction} class="icon best-arrow" /> : null;
}
