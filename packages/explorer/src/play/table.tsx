import type { Direction, Turn } from "@gridlock/game";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { boundOf, type GradedMove } from "../logic/grade.js";
import { stepWords } from "../logic/words.js";
import { Announcer } from "../ui/announcer.js";
import { BoardView } from "../ui/board.js";
import { Trouble } from "../ui/trouble.js";
import { SLIDE_KEYS, useKeys } from "../ui/use-keys.js";
import { useSwipe } from "../ui/use-swipe.js";
import { accountOf } from "./account.js";
import { earnedIn, nodeAt, toCome } from "./game.js";
import { hintWords } from "./hint.js";
import { PlaceButtons, SlideButtons } from "./move-buttons.js";
import { PlayTools } from "./play-tools.js";
import { Review } from "./review.js";
import { ScorePanel } from "./score-panel.js";
import { isStrongest, STRONGEST } from "./seats.js";
import type { Setting } from "./setting.js";
import { useGame } from "./use-game.js";

/** The board on which a game is played, its tools, and its score. */
export function Table({
  setting,
  children,
}: {
  readonly setting: Setting;
  readonly children: ComponentChildren;
}) {
  const { seats, isSolved } = setting;
  const watching = seats.slider !== "you" && seats.placer !== "you";
  const [running, setRunning] = useState(false);
  const [speed, setSpeed] = useState(2);
  const [open, setOpen] = useState(false);
  const [hint, setHint] = useState<string | undefined>();
  const [cursor, setCursor] = useState<number | undefined>();
  const stage = useRef<HTMLDivElement>(null);
  const control = useGame(setting, { running, speed });
  const { game, answer, moves, yourTurn, over } = control;
  const count = game.plies.length;
  const shownMoves = Math.min(cursor ?? count, count);
  const node = nodeAt(game, shownMoves);
  const atEnd = shownMoves === count;

  const make = (move: GradedMove) => {
    setHint(undefined);
    setCursor(undefined);
    // A button for a placement goes with its move.
    if (move.step.tile !== undefined) stage.current?.focus({ preventScroll: true });
    control.make(move);
  };
  const slideTo = (name: string) => {
    if (over) return false;
    const move = yourTurn && atEnd ? moves.find(({ step }) => step.name === name) : undefined;
    if (move) make(move);
    return yourTurn && node.turn === "slider";
  };
  const goTo = (moves: number) => setCursor(Math.min(count, Math.max(0, moves)));
  const actions = {
    undo: () => {
      setRunning(false);
      setHint(undefined);
      setCursor(undefined);
      control.undo();
    },
    restart: () => {
      setRunning(false);
      setHint(undefined);
      setCursor(undefined);
      control.restart();
    },
    hint: () => yourTurn && setHint(hintWords(moves)),
    open: () => setOpen(!open),
    run: () => watching && !over && setRunning(!running),
    step: () => {
      if (!watching) return false;
      setRunning(false);
      control.step();
      return true;
    },
  };
  useKeys({
    ...Object.fromEntries(
      Object.entries(SLIDE_KEYS).map(([key, name]) => [
        key,
        () => (over && key.startsWith("Arrow") ? stepBy(name, goTo, shownMoves) : slideTo(name)),
      ]),
    ),
    z: actions.undo,
    h: actions.hint,
    v: actions.open,
    n: actions.step,
    " ": actions.run,
  });
  const swipe = useSwipe(slideTo);

  const last = game.plies.at(-1);
  const worth = answer.value ? boundOf(answer.value, nodeAt(game).board) : toCome(game);
  const ending = `Game over with ${earnedIn(game)} points. ${accountOf(game, seats)}`;
  const said = over ? ending : last ? stepWords(last.step, worth) : "";
  const failure = answer.failure ?? control.choices.failure;
  const handles = yourTurn && atEnd && !over;
  return (
    <div class="play">
      <section class="stage" aria-label="Board">
        <PlayTools
          {...{ actions, watching, running, open, speed }}
          canUndo={count > 0}
          canHint={yourTurn && !over && moves.length > 0}
          over={over}
          onSpeed={setSpeed}
        />
        <div class="around" ref={stage} tabIndex={-1} {...swipe}>
          <BoardView board={node.board}>
            {handles && node.turn === "placer" && (
              <PlaceButtons board={node.board} moves={moves} open={open} onMove={make} />
            )}
          </BoardView>
          {seats.slider === "you" && !over && (
            <SlideButtons
              moves={handles && node.turn === "slider" ? moves : []}
              open={open}
              onMove={make}
            />
          )}
        </div>
        <p class="status">
          {over ? ending : statusOf(yourTurn, node.turn, seats[node.turn], isSolved)}
        </p>
        {hint !== undefined && <p class="hint">{hint}</p>}
        {failure && <Trouble failure={failure} />}
      </section>
      <section class="facts" aria-label="Score">
        <ScorePanel game={game} seats={seats} toCome={worth} />
        {(over || watching) && count > 0 && <Review game={game} cursor={shownMoves} onGo={goTo} />}
        {children}
      </section>
      <Announcer text={said} />
    </div>
  );
}

/** Steps through a game that is over. */
function stepBy(name: Direction, goTo: (moves: number) => void, at: number) {
  if (name === "left") goTo(at - 1);
  else if (name === "right") goTo(at + 1);
  else return false;
  return true;
}

/** Says whose move it is. */
function statusOf(yourTurn: boolean, turn: Turn, name: string, isSolved: boolean): string {
  if (!yourTurn && isStrongest(name, isSolved)) return `The ${turn} makes its ${STRONGEST}.`;
  if (!yourTurn) return `The ${name} ${turn} moves.`;
  return turn === "slider"
    ? "Your turn: slide with arrows, WASD or a swipe."
    : "Your turn: place a tile.";
}
