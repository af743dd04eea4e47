import { type Direction, isExact, type Turn } from "@gridlock/game";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { GradedMove } from "../logic/grade.js";
import { capital, formatNumber, isUnknown, stepWords } from "../logic/words.js";
import { BoardView } from "../ui/board.js";
import { Announcer, Trouble } from "../ui/layout.js";
import { Palette } from "../ui/palette.js";
import { SearchBar } from "../ui/search-bar.js";
import { Stepper } from "../ui/stepper.js";
import { slideKeys, useKeys } from "../ui/use-keys.js";
import { useSwipe } from "../ui/use-swipe.js";
import { earnedIn, type Game, nodeAt } from "./game.js";
import { LessonPanel, useLessons } from "./lessons.js";
import { PlaceButtons, SlideButtons } from "./move-buttons.js";
import { plyWords, Review } from "./review.js";
import { Account, Score } from "./score-panel.js";
import { playerWords, type Seats } from "./seats.js";
import type { Setting } from "./setting.js";
import { Share } from "./share.js";
import { GameTools } from "./tools.js";
import { useGame } from "./use-game.js";
import { accountOf, hintWords, knowledgeWords } from "./words.js";

/** The board on which a game is played or looked at, its tools, and its score. */
export function Table({
  setting,
  heading,
  children,
}: {
  readonly setting: Setting;
  /** A title, which stands above the board where there is one column, and paragraphs, which then stand below it. */
  readonly heading: ComponentChildren;
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
  /** The tile that a tap places; with a mouse or keys, each cell offers all. */
  const [brush, setBrush] = useState<number>(setting.game.tiles[0]);
  const [cursor, setCursor] = useState<number | undefined>(reviewing ? 0 : undefined);
  const stage = useRef<HTMLDivElement>(null);
  /** Slides asked for before their time, while the opponent replies. */
  const early = useRef<string[]>([]);
  const control = useGame(setting, { running, speed });
  const { game, answer, worth, yourTurn, over, unvalued, failure } = control;
  const lessons = useLessons(game, seats);
  const learning = lessons.ply !== undefined;
  // The task below the board is part of what has to be seen, and so are the score and the head of the page.
  useEffect(() => {
    if (!learning) return;
    scrollTo(0, 0);
    document.querySelector(".lesson")?.scrollIntoView({ block: "nearest" });
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
  const slideTo = (name: string, held = false) => {
    if (stepping) return false;
    const move = handles ? moves.find(({ step }) => step.name === name) : undefined;
    if (move) make(move);
    else if (isEarly && !learning && !held) early.current.push(name);
    return (handles && node.turn === "slider") || withYou;
  };
  useEffect(() => {
    if (!handles) return;
    // One that is not possible now is left out.
    while (early.current.length > 0) {
      const name = early.current.shift();
      const move = moves.find(({ step }) => step.name === name);
      if (move) return make(move);
    }
  }, [handles, moves]);
  const goTo = (moves: number) => setCursor(Math.min(count, Math.max(0, moves)));
  const pressArrow = (name: Direction, held: boolean) => {
    if (stepping) {
      const by = { left: -1, right: 1, up: undefined, down: undefined }[name];
      return by !== undefined && goTo(shownMoves + by);
    }
    if (handles && node.turn === "placer") return focusPlaces(stage.current);
    return slideTo(name, held);
  };
  const reset = () => {
    early.current = [];
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
    again: () => {
      // The button goes with the game that is over.
      stage.current?.focus({ preventScroll: true });
      actions.restart();
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
    ...slideKeys((name, key, held) => (key.startsWith("Arrow") ? pressArrow : slideTo)(name, held)),
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
  const shownWorth = answer.value !== undefined || !isUnknown(worth) ? worth : undefined;
  const ending = endingOf(game, told, over, unvalued);
  const shownPly = stepping && !atEnd ? game.plies[shownMoves - 1] : undefined;
  const account =
    over || reviewing
      ? atEnd
        ? ending
        : shownPly
          ? plyWords(shownPly, shownMoves)
          : "The first board. Step through the game with ← and →."
      : undefined;
  const status = account ?? statusOf(yourTurn, node.turn, seats[node.turn], isExact(worth));
  const said = (stepping ? account : last && stepWords(last.step, worth)) ?? "";
  const counts = (seats.slider === "you") !== (seats.placer === "you") && !reviewing;
  const slides = learning ? node.turn === "slider" : seats.slider === "you" && !reviewing;
  const places = handles && node.turn === "placer";
  const ended = over && atEnd && !reviewing && !learning;
  const mistakes = lessons.mistakes.length;
  const teaches = stepping && mistakes > 0 && unvalued === 0;
  const ways = (ended || teaches) && (
    <p class="ways row">
      {ended && (
        <button type="button" class="button" onClick={actions.again}>
          {withYou ? "Play again" : "Watch again"}
        </button>
      )}
      {teaches && (
        <button type="button" class={ended ? "" : "button"} onClick={() => lessons.go(0)}>
          {lessonsName(mistakes, withYou && !reviewing)}
        </button>
      )}
    </p>
  );
  return (
    <div class="play">
      <header class="play-heading">{heading}</header>
      <section class="stage" aria-label="Board">
        <Score
          game={game}
          toCome={shownWorth}
          best={counts ? (control.record ?? null) : undefined}
        />
        <div
          class={`around r${node.board.rows} c${node.board.cols} places-${brush}`}
          ref={stage}
          tabIndex={-1}
          {...swipe}
        >
          <BoardView board={node.board}>
            {places && (
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
          {ended && (
            <div class="ending">
              <p class="status">{status}</p>
              {ways}
            </div>
          )}
        </div>
        <SearchBar spent={answer.spent} most={control.seconds} done={answer.done} />
        {seats.placer === "you" && game.tiles.length > 1 && !stepping && (
          <div class="on-touch">
            <Palette name="Tile to place" tiles={game.tiles} brush={brush} onChoose={setBrush} />
          </div>
        )}
        {learning && <LessonPanel lessons={lessons} seats={told} />}
        {!learning && !ended && <p class="status">{status}</p>}
        {hint && <p class="hint">{hintWords(moves)}</p>}
        <GameTools
          {...{ watching, reviewing, over, running, speed, open, actions }}
          begun={count > 0}
          canHint={yourTurn && !over && moves.length > 0}
          onSpeed={setSpeed}
        />
        {stepping && count > 0 && <Stepper last={count} cursor={shownMoves} keys onGo={goTo} />}
        {!ended && ways}
        {answer.value?.unsearched && (
          <p class="note">
            Not searched: {answer.value.unsearched}. Programs may make mistakes, and no mistakes
            count.
          </p>
        )}
        {failure && <Trouble failure={failure} />}
      </section>
      <section class="facts" aria-label="Score">
        <Account game={game} seats={told} toCome={shownWorth} />
        {!over && !reviewing && (
          <p class={isExact(worth) ? "note" : "note unsolved"}>
            {knowledgeWords(seats, worth, answer.done)}
          </p>
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

/** Names the way to the lessons of a game. */
function lessonsName(mistakes: number, withYou: boolean): string {
  const whose = withYou ? "your" : "the";
  return `Learn from ${whose} ${mistakes === 1 ? "mistake" : `${mistakes} mistakes`}`;
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

/** Says whose move it is. */
function statusOf(yourTurn: boolean, turn: Turn, name: string, isKnown: boolean) {
  if (!yourTurn) {
    return `${capital(playerWords(turn, name, isKnown))} moves.`;
  }
  const [keys, touch] =
    turn === "slider"
      ? ["slide with the arrow keys or W A S D.", "swipe to slide."]
      : [
          "place a tile. Choose a cell with Tab or arrows, then press 2 or 4.",
          "tap a cell to place a tile.",
        ];
  return (
    <>
      Your turn: <span class="with-keys">{keys}</span>
      <span class="on-touch">{touch}</span>
    </>
  );
}
