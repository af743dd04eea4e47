import { randomInt } from "node:crypto";
import {
  type Board,
  type Direction,
  formatBoard,
  type Game,
  isEnd,
  type Node,
  slide,
  type Turn,
  VALUES_NOTE,
} from "@gridlock/game";
import { type BoardAnswer, openSolver } from "@gridlock/gridlock";
import { Grid, gameRandom, placeStart } from "@gridlock/players";
import { EXIT } from "../exit.js";
import {
  beginGame,
  chooseReply,
  type HandGame,
  takeBack,
  turnOf,
  withProven,
  withSlide,
} from "../hand-game.js";
import { isInterruption, watchInterrupts } from "../interrupt.js";
import { FullScreen } from "../output/full-screen.js";
import {
  endNote,
  handGameScreen,
  hintNote,
  moveNote,
  OPENING,
  resultLine,
} from "../output/hand-game-screen.js";
import type { ScreenSize } from "../output/screen.js";
import { printLine } from "../output/stdout.js";
import { printError } from "../output/visible.js";

/** Options of a game by hand. */
export interface HandFlags {
  readonly db: string;
  /** Most seconds of the search for a reply, or for a hint. */
  readonly budget: number;
  readonly seed?: number;
  /** The first board of each game (default: two random tiles). */
  readonly start?: Node;
}

const SLIDES: Readonly<Record<string, Direction>> = {
  ...{ up: "up", left: "left", down: "down", right: "right" },
  ...{ w: "up", a: "left", s: "down", d: "right" },
  ...{ k: "up", h: "left", j: "down", l: "right" },
};
const QUITS: ReadonlySet<string> = new Set(["q", "escape", "ctrl-d"]);

/** Asks what is known of a board. */
type Asking = (board: Board, turn: Turn) => Promise<BoardAnswer>;

/** Lets a person at the terminal slide against the placer, until they quit. */
export async function playByHand(game: Game, flags: HandFlags): Promise<number> {
  const warnings = new Set<string>();
  await using solver = await openSolver({
    ...{ database: flags.db, readOnly: true },
    onWarning: (sentence) => {
      if (!sentence.endsWith(VALUES_NOTE)) warnings.add(sentence);
    },
  });
  using watch = watchInterrupts("stopped; the game is not saved");
  const quit = new AbortController();
  const play = new HandPlay(game, flags, async (board, turn) => {
    const { tiles } = game;
    const seconds = flags.budget;
    return await solver.query(formatBoard(board, turn), { tiles, seconds, signal: quit.signal });
  });
  // A key that is pressed while nobody waits for one, because the placer is searching, is ignored.
  let take: (key: string) => void = () => {};
  const nextKey = () =>
    new Promise<string>((resolve) => {
      take = resolve;
    });
  using screen = new FullScreen(
    (size) => play.show(size),
    (key) => {
      if (key === "ctrl-c") process.kill(process.pid, "SIGINT");
      else if (QUITS.has(key)) quit.abort();
      else take(key);
    },
  );
  quit.signal.addEventListener("abort", () => take(""));
  watch.signal.addEventListener("abort", () => {
    screen[Symbol.dispose](); // before the notice is printed
    quit.abort();
  });
  try {
    for (let key = "n"; !quit.signal.aborted; key = await nextKey()) {
      await play.press(key, () => screen.draw());
      screen.draw();
    }
  } catch (error) {
    if (!isInterruption(error, quit.signal)) throw error;
  }
  screen[Symbol.dispose]();
  for (const sentence of warnings) printError(sentence);
  if (play.game) printLine(resultLine(play.game));
  return watch.signal.aborted ? EXIT.interrupted : EXIT.ok;
}

/** A game at the terminal, and what its keys do. */
class HandPlay {
  readonly #game: Game;
  readonly #flags: HandFlags;
  readonly #ask: Asking;
  readonly #random: () => number;
  #played: HandGame | undefined;
  #note = "";

  constructor(game: Game, flags: HandFlags, ask: Asking) {
    this.#game = game;
    this.#flags = flags;
    this.#ask = ask;
    this.#random = gameRandom(flags.seed ?? randomInt(2 ** 32), 0);
  }

  /** The game so far; `undefined` before the first one has begun. */
  get game(): HandGame | undefined {
    return this.#played;
  }

  show(size: ScreenSize): string {
    if (this.#played === undefined) return this.#note;
    return handGameScreen(this.#played, this.#note, this.#flags.budget, size);
  }

  /**
   * Does what a key asks for.
   *
   * @param draw called when there is something to show meanwhile
   */
  async press(key: string, draw: () => void): Promise<void> {
    const direction = SLIDES[key];
    if (key === "n") await this.#begin(draw);
    else if (this.#played === undefined) return;
    else if (key === "u") this.#undo(this.#played);
    else if (key === "?") await this.#hint(this.#played, draw);
    else if (direction) await this.#slide(this.#played, direction, draw);
  }

  async #begin(draw: () => void): Promise<void> {
    this.#played = undefined;
    this.#wait("searching …", draw);
    const board = await this.#firstBoard();
    const game = beginGame(board, await this.#ask(board, "slider"));
    this.#become(game, isEnd(board) ? endNote(game) : OPENING);
  }

  /** Returns the start: two random tiles, or the board of --start after the placer's move if it is to move. */
  async #firstBoard(): Promise<Board> {
    const { start } = this.#flags;
    const { shape, tiles } = this.#game;
    if (start?.turn === "placer") {
      const answer = await this.#ask(start.board, "placer");
      return chooseReply(start.board, answer, tiles, this.#random).placement.board;
    }
    if (start) return start.board;
    const grid = new Grid(shape);
    const cells = new Uint8Array(grid.size);
    placeStart(cells, this.#random);
    return grid.board(cells);
  }

  #undo(game: HandGame): void {
    if (game.length === 1) this.#note = "there is no slide to undo";
    else this.#become(takeBack(game), "the slide is undone");
  }

  async #hint(game: HandGame, draw: () => void): Promise<void> {
    const { board } = turnOf(game);
    if (isEnd(board)) return;
    this.#wait("searching for the best slide …", draw);
    const answer = await this.#ask(board, "slider");
    if (answer.turn === "slider") this.#become(withProven(game, answer), hintNote(answer));
  }

  async #slide(game: HandGame, direction: Direction, draw: () => void): Promise<void> {
    const { board } = turnOf(game);
    if (isEnd(board)) return;
    const slid = slide(board, direction);
    if (slid === undefined) {
      this.#note = `${direction}: no tile can slide there`;
      return;
    }
    this.#wait("the placer is searching …", draw);
    const answer = await this.#ask(slid.board, "placer");
    const next = withSlide(game, slid, answer, this.#game.tiles, this.#random);
    const { board: reached, move } = turnOf(next);
    this.#become(next, isEnd(reached) ? endNote(next) : move ? moveNote(move) : "");
  }

  #wait(note: string, draw: () => void): void {
    this.#note = note;
    draw();
  }

  #become(game: HandGame, note: string): void {
    this.#played = game;
    this.#note = note;
  }
}
