import { type Direction, formatShape, isExact, type Turn } from "@gridlock/game";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { GradedMove } from "../logic/grade.js";
import { capital, formatNumber, gameName, isUnknown, stepWords } from "../logic/words.js";
import { BoardView } from "../ui/board.js";
import { ToolButton } from "../ui/button.js";
import { KeysHelp } from "../ui/keys-help.js";
import { Announcer, Trouble } from "../ui/layout.js";
import { SearchBar } from "../ui/search-bar.js";
import { Stepper } from "../ui/stepper.js";
import { slideKeys, useKeys } from "../ui/use-keys.js";
import { useSwipe } from "../ui/use-swipe.js";
import { earnedIn, type Game, nodeAt } from "./game.js";
import { LessonPanel, useLessons } from "./lessons.js";
import { PlaceButtons, SlideButtons } from "./move-buttons.js";
import { plyWords, Review } from "./review.js";
import { ScorePanel } from "./score-panel.js";
import { playerWords, type Seats } from "./seats.js";
import type { Setting } from "./setting.js";
import { Share } from "./share.js";
import { useGame } from "./use-game.js";
import { accountOf, hintWords, knowledgeWords } from "./words.js";

const KEYS = [
  ["↑ ← ↓ →", "slide (or W A S D); when placing: go from cell to cell"],
  ["2 4", "when placing: put that tile into the cell"],
  ["Z", "take back"],
  ["H", "hint"],
  ["V", "show or hide the moves' values"],
  ["Space", "watching: run or pause"],
  ["N", "watching: one move"],
  ["← →", "after the game: step through it"],
  ["Home End", "after the game: first board, last board"],
] as const;

/** The board on which a game is played or looked at, its tools, and its score. */
export function Table({
  setting,
  heading,
  children,
}: {
  readonly setting: Setting;
  /** What stands above the score or, where there is one column, above the board. */
  readonly heading?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { seats, reviewing } = setting;
  const told = reviewing ? withoutYou(seats) : seats;
  const withYou = seats.slider === "you" || seats.placer === "you";
  const watching = !withYou && !reviewing;
  const [running, setRunning] = useState(false);
  const [speed, setSpeed] = useState(2);
  const [open, setOpen] = useState(false);
  const [hint, setHint] = useState(false);
  const [cursor, setCursor] = useState<number | undefined>(reviewing ? 0 : undefined);
  const stage = useRef<HTMLDivElement>(null);
  /** A slide asked for before its time, while the opponent replies. */
  const early = useRef<string | undefined>(undefined);
  const control = useGame(setting, { running, speed });
  const { game, answer, worth, yourTurn, over, unvalued, failure } = control;
  const lessons = useLessons(game, seats);
  const learning = lessons.ply !== undefined;
  // The task below the board is part of what has to be seen.
  useEffect(() => {
    if (learning) stage.current?.scrollIntoView({ block: "start" });
  }, [lessons.at]);
  const count = game.plies.length;
  const shownMoves = Math.min(cursor ?? count, count);
  const node = lessons.ply?.before ?? nodeAt(game, shownMoves);
  const atEnd = shownMoves === count;
  const stepping = (over || reviewing) && !learning;
  const handles = learning || (yourTurn && atEnd && !over);
  const moves = learning ? lessons.moves : control.moves;

  const make = (move: GradedMove) => {
    if (learning) return lessons.try(move);
    setHint(false);
    setCursor(undefined);
    // A button for a placement goes with its move.
    if (move.step.tile !== undefined) stage.current?.focus({ preventScroll: true });
    control.make(move);
  };
  const isEarly = seats.slider === "you" && atEnd && !over && (!yourTurn || moves.length === 0);
  const slideTo = (name: string) => {
    if (stepping) return false;
    const move = handles ? moves.find(({ step }) => step.name === name) : undefined;
    if (move) make(move);
    else if (isEarly && !learning) early.current = name;
    return (handles && node.turn === "slider") || withYou;
  };
  useEffect(() => {
    if (!handles || moves.length === 0 || early.current === undefined) return;
    slideTo(early.current);
    early.current = undefined;
  }, [handles, moves]);
  const goTo = (moves: number) => setCursor(Math.min(count, Math.max(0, moves)));
  const pressArrow = (name: Direction) => {
    if (stepping) {
      const by = { left: -1, right: 1, up: undefined, down: undefined }[name];
      return by !== undefined && goTo(shownMoves + by);
    }
    if (handles && node.turn === "placer") return focusPlaces(stage.current);
    return slideTo(name);
  };
  const reset = () => {
    early.current = undefined;
    setRunning(false);
    setHint(false);
    setCursor(undefined);
    lessons.go(undefined);
  };
  const actions = {
    undo: () => {
      if (reviewing) return;
      reset();
      control.undo();
    },
    restart: () => {
      reset();
      control.restart();
    },
    hint: () => yourTurn && !learning && setHint(true),
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
    ...slideKeys((name, key) => (key.startsWith("Arrow") ? pressArrow(name) : slideTo(name))),
    Home: () => stepping && goTo(0),
    End: () => stepping && goTo(count),
    z: actions.undo,
    h: actions.hint,
    v: actions.open,
    n: actions.step,
    " ": actions.run,
  });
  const swipe = useSwipe(slideTo);

  const last = game.plies.at(-1);
  // Nothing is shown of a board before there is an answer, or one of the board before.
  const isKnown = answer.value !== undefined || !isUnknown(worth);
  const ending = endingOf(game, told, over, unvalued);
  const shownPly = stepping && !atEnd ? game.plies[shownMoves - 1] : undefined;
  const status =
    over || reviewing
      ? atEnd
        ? ending
        : shownPly
          ? plyWords(shownPly, shownMoves)
          : "The first board. Step through the game with ← and →."
      : statusOf(yourTurn, node.turn, seats[node.turn], isExact(worth));
  const said = stepping ? status : last ? stepWords(last.step, worth) : "";
  const mistakes = lessons.mistakes.length;
  const slides = learning ? node.turn === "slider" : seats.slider === "you" && !over && !reviewing;
  // The board stays where it is when the last slide has been made.
  const leavesRoom = seats.slider === "you" && !reviewing;
  return (
    <div class={heading ? "play headed" : "play"}>
      {heading && <div class="play-heading">{heading}</div>}
      <section class="stage" aria-label="Board">
        <fieldset class="tools row">
          <legend class="hidden">Game tools</legend>
          {watching && (
            <>
              <ToolButton
                icon={running && !over ? "pause" : "play"}
                name={running && !over ? "Pause" : "Run"}
                keys="Space"
                disabled={over}
                onClick={actions.run}
              />
              <ToolButton
                icon="step"
                name="One move"
                keys="N"
                disabled={over}
                onClick={actions.step}
              />
              <label class="speed">
                <span>Speed</span>
                <input
                  type="range"
                  min={1}
                  max={12}
                  value={speed}
                  aria-valuetext={`${speed} moves a second`}
                  onInput={(event) => setSpeed(Number(event.currentTarget.value))}
                />
              </label>
            </>
          )}
          {!reviewing && (
            <>
              <ToolButton
                icon="undo"
                name="Take back"
                keys="Z"
                disabled={count === 0}
                onClick={actions.undo}
              />
              {withYou && (
                <>
                  <ToolButton
                    icon="hint"
                    name="Hint"
                    keys="H"
                    disabled={!yourTurn || over || moves.length === 0}
                    onClick={actions.hint}
                  />
                  <ToolButton
                    icon="eye"
                    name="Values"
                    keys="V"
                    pressed={open}
                    onClick={actions.open}
                  />
                </>
              )}
              <ToolButton
                icon="reset"
                name="Restart"
                disabled={count === 0}
                onClick={actions.restart}
              />
            </>
          )}
          <KeysHelp keys={KEYS} />
        </fieldset>
        <div
          class={slides || leavesRoom ? "around" : "around bare"}
          ref={stage}
          tabIndex={-1}
          {...swipe}
        >
          <BoardView board={node.board}>
            {handles && node.turn === "placer" && (
              <PlaceButtons
                board={node.board}
                moves={moves}
                open={open && !learning}
                onMove={make}
              />
            )}
          </BoardView>
          {slides && (
            <SlideButtons
              moves={handles && node.turn === "slider" ? moves : []}
              open={open && !learning}
              onMove={make}
            />
          )}
        </div>
        <SearchBar spent={answer.spent} most={control.seconds} done={answer.done} />
        {stepping && count > 0 && <Stepper last={count} cursor={shownMoves} keys onGo={goTo} />}
        {learning ? <LessonPanel lessons={lessons} seats={told} /> : <p class="status">{status}</p>}
        {stepping && mistakes > 0 && unvalued === 0 && (
          <p class="ways row learn">
            <button type="button" class="button" onClick={() => lessons.go(0)}>
              {mistakes === 1 ? "Learn from the mistake" : `Learn from ${mistakes} mistakes`}
            </button>
          </p>
        )}
        {hint && <p class="hint">{hintWords(moves)}</p>}
        {answer.value?.unsearched && (
          <p class="note">
            Not searched: {answer.value.unsearched}. Programs may make mistakes, and no mistakes
            count.
          </p>
        )}
        {failure && <Trouble failure={failure} />}
      </section>
      <section class="facts" aria-label="Score">
        <ScorePanel game={game} seats={told} toCome={isKnown ? worth : undefined} />
        {!over && !reviewing && (
          <p class={isExact(worth) ? "note" : "note unsolved"}>
            {knowledgeWords(seats, worth, answer.done)}
          </p>
        )}
        {control.record !== undefined && !reviewing && (
          <p class="note">{recordWords(game, seats, control.record)}</p>
        )}
        {count > 0 && <Share game={game} seats={seats} />}
        {(stepping || watching) && count > 0 && (
          <Review game={game} cursor={shownMoves} onGo={goTo} />
        )}
        {children}
      </section>
      <Announcer text={said} />
    </div>
  );
}

/** Returns the seats of a game that somebody sent: "you" in its address need not be the reader. */
function withoutYou({ slider, placer }: Seats): Seats {
  const name = (seat: string) => (seat === "you" ? "somebody" : seat);
  return { slider: name(slider), placer: name(placer) };
}

/** Moves the focus to the first cell to place a tile in; from there, the cells' own keys lead on. */
function focusPlaces(stage: Element | null): true {
  if (document.activeElement?.closest(".spot") == null) {
    stage?.querySelector<HTMLElement>(".spot button")?.focus();
  }
  return true;
}

/** Says how a game ended or how far it went, and what was given away. */
function endingOf(game: Game, seats: Seats, over: boolean, unvalued: number): string {
  const earned = `${formatNumber(earnedIn(game))} points`;
  const count = game.plies.length;
  const account =
    unvalued > 0
      ? `Looking up the values of its moves: ${count - unvalued} of ${count}.`
      : accountOf(game, seats);
  const first = over ? `Game over with ${earned}.` : `So far, ${earned} in ${count} moves.`;
  return `${first} ${account}`;
}

/** Says the best score of all games against an opponent. */
function recordWords({ start, tiles }: Game, seats: Seats, record: number) {
  const other = seats.slider === "you" ? ("placer" as const) : ("slider" as const);
  const name = gameName(formatShape(start.board), tiles);
  const against = `against ${playerWords(other, seats[other])}`;
  return `Your best on ${name} ${against}: ${formatNumber(record)} points.`;
}

/** Says whose move it is. */
function statusOf(yourTurn: boolean, turn: Turn, name: string, isKnown: boolean): string {
  if (!yourTurn) {
    return `${capital(playerWords(turn, name, isKnown))} moves.`;
  }
  return turn === "slider"
    ? "Your turn: slide with arrows, WASD or a swipe."
    : "Your turn: place a tile. Choose a cell with Tab or arrows, then press 2 or 4.";
}
