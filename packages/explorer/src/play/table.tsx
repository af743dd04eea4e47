import { isExact, type Turn } from "@gridlock/game";
import type { ComponentChildren } from "preact";
import { exploreAddress, gameAddress } from "../logic/address.js";
import { capital, isUnknown, stepWords } from "../logic/words.js";
import { BoardView } from "../ui/board.js";
import { CopyLink } from "../ui/copy-link.js";
import { Announcer, Trouble } from "../ui/layout.js";
import { Placements, Slides } from "../ui/moves.js";
import { Palette } from "../ui/palette.js";
import { SearchBar } from "../ui/search-bar.js";
import { Stepper } from "../ui/stepper.js";
import type { Game } from "./game.js";
import { LessonPanel } from "./lessons.js";
import { writeMoves } from "./record.js";
import { plyWords, Review } from "./review.js";
import { Account, Score } from "./score-panel.js";
import { playerWords, readersSides, type Seats } from "./seats.js";
import type { Setting } from "./setting.js";
import { GameTools } from "./tools.js";
import { type TableControl, useTable } from "./use-table.js";
import { endingOf, hintWords, knowledgeWords, lessonsName } from "./words.js";

/** The board on which a game is played or looked at, its tools, and its score. */
export function Table({
  setting,
  heading,
  children,
}: {
  readonly setting: Setting;
  /** A title, above the board if there is one column, and a paragraph, which is then below it. */
  readonly heading: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const table = useTable(setting);
  const { mode, state, control, phase, moves, actions } = table;
  const { game, answer, worth, over, failure } = control;
  const { seats } = setting;
  const first = { node: setting.game.start, tiles: setting.game.tiles };
  const told = mode === "review" ? withoutYou(seats) : seats;
  const count = game.plies.length;
  const stepping = phase.kind === "stepping";
  // Nothing is shown of a board before there is an answer, or one of the board before.
  const toCome = answer.value !== undefined || !isUnknown(worth) ? worth : undefined;
  const counts = readersSides(seats).length === 1 && mode !== "review";
  const account = stepping ? steppingWords(table, told) : undefined;
  const status = account ?? <TurnWords table={table} />;
  const last = game.plies.at(-1);
  /** True if the table shows the end of its own game. */
  const ended = stepping && phase.atEnd && mode !== "review";
  return (
    <div class="play">
      {heading}
      <section class="stage" aria-label="Board">
        <noscript>
          <p class="trouble">
            Playing needs JavaScript. <a href={exploreAddress(first)}>Explore</a> works without it.
          </p>
        </noscript>
        <Score game={game} toCome={toCome} best={counts ? (control.record ?? null) : undefined} />
        <TableBoard table={table}>
          {ended && (
            <div class="ending">
              <p class="status">{status}</p>
              <Ways table={table} ended={ended} />
            </div>
          )}
        </TableBoard>
        <SearchBar spent={answer.spent} most={control.seconds} done={answer.done} />
        {seats.placer === "you" && game.tiles.length > 1 && !stepping && (
          <div class="on-touch">
            <Palette
              name="Tile to place"
              tiles={game.tiles}
              brush={state.brush}
              onChoose={actions.setBrush}
            />
          </div>
        )}
        {phase.kind === "lesson" && (
          <LessonPanel table={table} mistake={phase.mistake} seats={told} />
        )}
        {phase.kind !== "lesson" && !ended && <p class="status">{status}</p>}
        {state.hint && <p class="hint">{hintWords(moves)}</p>}
        <GameTools table={table} />
        {stepping && count > 0 && (
          <Stepper last={count} cursor={phase.moves} keys onGo={actions.goTo} />
        )}
        {!ended && <Ways table={table} ended={ended} />}
        {answer.value?.unsearched && (
          <p class="note">
            Not searched: {answer.value.unsearched}. Programs may make mistakes, and no mistakes
            count.
          </p>
        )}
        {failure && <Trouble failure={failure} />}
      </section>
      <section class="facts" aria-label="Score">
        <Account game={game} seats={told} />
        {!over && mode !== "review" && (
          <p class={isExact(worth) ? "note" : "note unsolved"}>
            {knowledgeWords(seats, worth, answer.done)}
          </p>
        )}
        {count > 0 && (
          <p class="ways row">
            <CopyLink name="Share" address={addressOf(game, seats)} />
          </p>
        )}
        {(stepping || mode === "watch") && count > 0 && (
          <Review game={game} cursor={phase.moves} onGo={actions.goTo} />
        )}
        {children}
      </section>
      <Announcer text={account ?? (last ? stepWords(last.step, worth) : "")} />
    </div>
  );
}

/** The board of a table, with the moves around it or in its cells, and children above it. */
function TableBoard({
  table,
  children,
}: {
  readonly table: TableControl;
  readonly children: ComponentChildren;
}) {
  const { setting, mode, state, phase, moves, canMove, actions, stage, swipe } = table;
  const { board, turn } = phase.node;
  const isLesson = phase.kind === "lesson";
  const slides = isLesson ? turn === "slider" : setting.seats.slider === "you" && mode !== "review";
  const spot = { node: phase.node, tiles: setting.game.tiles };
  const moveProps = { spot, open: state.open && !isLesson, onMove: actions.make };
  return (
    <div
      class={`around r${board.rows} c${board.cols} places-${state.brush}`}
      ref={stage}
      tabIndex={-1}
      {...swipe}
    >
      <BoardView board={board}>
        {canMove && turn === "placer" && <Placements {...moveProps} moves={moves} />}
      </BoardView>
      {slides && <Slides {...moveProps} moves={canMove && turn === "slider" ? moves : []} />}
      {children}
    </div>
  );
}

/** The ways on from a game that is over: another one, and lessons. */
function Ways({ table, ended }: { readonly table: TableControl; readonly ended: boolean }) {
  const { mode, phase, mistakes, actions, control } = table;
  const teaches = phase.kind === "stepping" && mistakes.length > 0 && control.unvalued === 0;
  if (!ended && !teaches) return null;
  return (
    <p class="ways row">
      {ended && (
        <button type="button" class="button" onClick={actions.again}>
          {mode === "play" ? "Play again" : "Watch again"}
        </button>
      )}
      {teaches && (
        <button type="button" class={ended ? "" : "button"} onClick={() => actions.learn(0)}>
          {lessonsName(mistakes.length, mode === "play")}
        </button>
      )}
    </p>
  );
}

/** Says the move that led to the board of a game that is looked at, or how the game ended. */
function steppingWords({ phase, control }: TableControl, seats: Seats): string {
  const { game, over, unvalued } = control;
  if (phase.atEnd) return endingOf(game, seats, over, unvalued);
  const ply = game.plies[phase.moves - 1];
  return ply ? plyWords(ply, phase.moves) : "The first board. Step through the game with ← and →.";
}

/** Says whose move it is. */
function TurnWords({ table: { setting, control, phase } }: { readonly table: TableControl }) {
  const { turn } = phase.node;
  if (!control.yourTurn) {
    const player = playerWords(turn, setting.seats[turn], isExact(control.worth));
    return <>{`${capital(player)} moves.`}</>;
  }
  const [keys, touch] = HOW_TO_MOVE[turn];
  return (
    <>
      Your turn: <span class="with-keys">{keys}</span>
      <span class="on-touch">{touch}</span>
    </>
  );
}

/** The ways to move with keys, and on a touch screen. */
const HOW_TO_MOVE: Readonly<Record<Turn, readonly [keys: string, touch: string]>> = {
  slider: ["slide with the arrow keys or W A S D.", "swipe to slide."],
  placer: [
    "place a tile. Choose a cell with Tab or arrows, then press 2 or 4.",
    "tap a cell to place a tile.",
  ],
};

/** Returns the seats of a game that somebody sent: "you" in its address need not be the reader. */
function withoutYou({ slider, placer }: Seats): Seats {
  const name = (seat: string) => (seat === "you" ? "somebody" : seat);
  return { slider: name(slider), placer: name(placer) };
}

/** Returns the address that shows a game, move by move. */
function addressOf({ start, tiles, plies }: Game, seats: Seats): string {
  const steps = plies.map(({ step }) => step);
  return gameAddress({ node: start, tiles }, writeMoves(tiles, steps), seats);
}
