import type { Direction } from "@gridlock/game";
import { useEffect, useReducer, useRef } from "preact/hooks";
import { useSeconds } from "../client/host.js";
import { useResource } from "../client/resource.js";
import type { Answer } from "../data.js";
import { answerAddress, type Spot } from "../logic/address.js";
import { type GradedMove, gradeMoves } from "../logic/grade.js";
import { slideKeys, useKeys } from "../ui/use-keys.js";
import { useSwipe } from "../ui/use-swipe.js";
import { readersSides } from "./seats.js";
import type { Setting } from "./setting.js";
import {
  type Choices,
  earlyMove,
  firstState,
  modeOf,
  phaseAt,
  reduceTable,
} from "./table-state.js";
import { useGame } from "./use-game.js";
import { compareWithMistake, mistakesIn, revealed } from "./words.js";

/** Runs a table: its game, what the reader chooses, and the reader's keys and swipes. */
export function useTable(setting: Setting) {
  const { seats } = setting;
  const mode = modeOf(setting);
  const [state, dispatch] = useReducer(reduceTable, firstState(setting));
  const control = useGame(setting, state);
  const { game, over, yourTurn } = control;
  const mistakes = mistakesIn(game, seats);
  const phase = phaseAt(state, { game, mode, over, yourTurn, mistakes });
  const { node } = phase;
  const lesson = phase.kind === "lesson" ? { node, tiles: game.tiles } : undefined;
  const lessonMoves = useLessonMoves(lesson);
  const moves = lesson ? lessonMoves : control.moves;
  const canMove = phase.kind === "lesson" || phase.kind === "your turn";
  const stage = useRef<HTMLDivElement>(null);
  const focusStage = () => stage.current?.focus({ preventScroll: true });

  // The task below the board is part of what has to be seen, and so are the score and the head of
  // the page.
  useEffect(() => {
    if (lesson === undefined) return;
    scrollTo(0, 0);
    document.querySelector(".lesson")?.scrollIntoView({ block: "nearest" });
  }, [lesson && state.lesson?.mistake]);

  const make = (move: GradedMove) => {
    if (phase.kind === "lesson") {
      return dispatch({ kind: "try", attempt: compareWithMistake(move, phase.mistake) });
    }
    dispatch({ kind: "move" });
    // The link of a placement goes with its move.
    if (move.step.tile !== undefined) focusStage();
    control.make(move);
  };
  useEffect(() => {
    if (phase.kind !== "your turn" || state.early.length === 0) return;
    const { move, left } = earlyMove(state.early, moves);
    dispatch({ kind: "begin turn", left });
    if (move) make(move);
  }, [phase.kind, moves]);
  const slideTo = (name: string, held = false) => {
    if (phase.kind === "stepping") return false;
    const move = canMove ? moves.find(({ step }) => step.name === name) : undefined;
    if (move) make(move);
    else if (phase.kind === "their turn" && seats.slider === "you" && !held) {
      dispatch({ kind: "slide early", name });
    }
    return (canMove && node.turn === "slider") || readersSides(seats).length > 0;
  };
  const goTo = (cursor: number) =>
    dispatch({ kind: "step", cursor: Math.min(game.plies.length, Math.max(0, cursor)) });
  const pressArrow = (name: Direction, held: boolean) => {
    if (phase.kind === "stepping") {
      const by = { left: -1, right: 1, up: undefined, down: undefined }[name];
      return by !== undefined && goTo(phase.moves + by);
    }
    if (canMove && node.turn === "placer") return focusPlaces(stage.current);
    return slideTo(name, held);
  };
  const choose = (choices: Partial<Choices>) => dispatch({ kind: "choose", choices });
  const actions = {
    undo: () => {
      dispatch({ kind: "take back" });
      control.undo();
    },
    restart: () => {
      dispatch({ kind: "take back" });
      control.restart();
    },
    again: () => {
      // The button goes with the game that is over.
      focusStage();
      actions.restart();
    },
    hint: () => choose({ hint: true }),
    open: () => choose({ open: !state.open }),
    run: () => choose({ running: !state.running }),
    step: () => {
      choose({ running: false });
      control.step();
    },
    setSpeed: (speed: number) => choose({ speed }),
    setBrush: (brush: number) => choose({ brush }),
    learn: (mistake: number | undefined) => dispatch({ kind: "learn", mistake }),
    /** Names the best moves of a lesson. */
    reveal: () => dispatch({ kind: "try", attempt: revealed(moves) }),
    make,
    goTo,
  };
  useKeys({
    ...slideKeys((name, key, held) => (key.startsWith("Arrow") ? pressArrow : slideTo)(name, held)),
    Home: () => phase.kind === "stepping" && goTo(0),
    End: () => phase.kind === "stepping" && goTo(game.plies.length),
  });
  const swipe = useSwipe(slideTo);
  // `moves` are those to choose from at the phase, none of a lesson while their values are on their
  // way. `mistakes` are numbers of moves. `stage` is the element around the board.
  return { setting, mode, state, control, phase, moves, mistakes, canMove, actions, stage, swipe };
}

/** A table as its views show it. */
export type TableControl = ReturnType<typeof useTable>;

/** Returns the moves to choose from in a lesson; none while their values are on their way. */
function useLessonMoves(spot: Spot | undefined): GradedMove[] {
  const answer = useResource<Answer>(spot && answerAddress(spot), useSeconds());
  return spot && answer.value ? gradeMoves(spot.node, answer.value) : [];
}

/** Moves the focus to the first cell to place a tile in, from which the cells' keys lead on. */
function focusPlaces(stage: Element | null): true {
  if (document.activeElement?.closest(".spot") == null) {
    stage?.querySelector<HTMLElement>(".spot a")?.focus();
  }
  return true;
}
