import { DIRECTIONS, emptyCells } from "@gridlock/game";
import { exploreAddress, type Spot } from "../logic/address.js";
import { type GradedMove, gradeOf, placementsIn } from "../logic/grade.js";
import { formatOneBound, formatShortBound, moveLabel } from "../logic/words.js";
import { cellClasses } from "../ui/board.js";
import { Icon } from "../ui/icons.js";
import { MoveLink } from "../ui/move-link.js";
import { Points } from "../ui/worth.js";

/** The moves of a board, and what is done with them. */
export interface MovesProps {
  readonly spot: Spot;
  readonly moves: readonly GradedMove[];
  readonly onMove: (move: GradedMove) => void;
  readonly onPreview: (move: GradedMove | undefined) => void;
}

function linkOf(props: MovesProps, move: GradedMove) {
  return {
    href: exploreAddress({ ...props.spot, node: move.step.after }),
    label: moveLabel(move),
    onMove: () => props.onMove(move),
    onPreview: (shown: boolean) => props.onPreview(shown ? move : undefined),
  };
}

/** The four slides, each on its side of the board. */
export function SlidesAround(props: MovesProps) {
  return (
    <>
      {DIRECTIONS.map((direction) => {
        const move = props.moves.find(({ step }) => step.name === direction);
        if (move === undefined) {
          return (
            <span key={direction} class={`slide to-${direction} illegal`} aria-hidden="true">
              <Icon name={direction} />
            </span>
          );
        }
        return (
          <MoveLink
            key={direction}
            class={`slide to-${direction} grade-${gradeOf(move)}`}
            {...linkOf(props, move)}
          >
            <Icon name={direction} />
            <b>
              <Points bound={move.total} format={formatShortBound} />
            </b>
          </MoveLink>
        );
      })}
    </>
  );
}

/** An arrow over the board for the slide that is proven best. */
export function BestArrow({ moves }: { readonly moves: readonly GradedMove[] }) {
  const best = moves.find((move) => move.best);
  if (best === undefined) return null;
  return (
    <svg class={`best-arrow points-${best.step.name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 21V4M5 11l7-7 7 7" />
    </svg>
  );
}

/** In each empty cell, the values of a 2 and of a 4 there. */
export function PlacementsInCells(props: MovesProps) {
  const { board } = props.spot.node;
  return (
    <>
      {emptyCells(board).map((cell) => (
        <span key={cell} class={`spot ${cellClasses(board, cell)}`}>
          {placementsIn(cell, props.moves).map((move) => (
            <MoveLink
              key={move.step.name}
              class={`place grade-${gradeOf(move)}`}
              {...linkOf(props, move)}
            >
              <span class="chip">{move.step.tile}:</span>{" "}
              <b>
                <Points bound={move.total} format={formatOneBound} />
              </b>
            </MoveLink>
          ))}
        </span>
      ))}
    </>
  );
}
