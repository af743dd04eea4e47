import { randomInt } from "node:crypto";
import { applyMove, gradeMoves, hintWords, nodeAt, takeBack } from "@gridlock/explorer/play";
import {
  type Board,
  type Direction,
  formatBoard,
  type Game,
  isEnd,
  type Node,
  type Turn,
  VALUES_NOTE,
} from "@gridlock/game";
import { type BoardAnswer, openSolver } from "@gridlock/gridlock";
import { CellRules, gameRandom, placeStart } from "@gridlock/players";
import { EXIT } from "../exit.js";
import { afterReply, beginGame, type HandGame, withProven, withSlide } from "../hand-game.js";
import { isInterruption, watchInterrupts } from "../interrupt.js";
import {
  endNote,
  handGameScreen,
  moveNote,
  OPENING,
  resultLine,
} from "../output/hand-game-screen.js";
import { printError, printLine } from "../output/print.js";
import { fullScreen, type ScreenSize } from "../output/screen.js";

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
  up: "up",
  left: "left",
  down: "down",
  right: "right",
  w: "up",
  a: "left",
  s: "down",
  d: "right",
  k: "up",
  h: "left",
  j: "down",
  l: "right",
};
const QUITS: ReadonlySet<string> = new Set(["q", "escape", "ctrl-d"]);

/** Lets a person at the terminal slide against the placer, until they quit. */
export async function playByHand(game: Game, flags: HandFlags): Promise<number> {
  const warnings = new Set<string>();
  await using solver = await openSolver({
    database: flags.db,
    readOnly: true,
    onWarning: (sentence) => {
      if (!sentence.endsWith(VALUES_NOTE)) warnings.add(sentence);
    },
  });
  using watch = watchInterrupts("stopped; the game is not saved");
  const quit = new AbortController();
  const ask = (board: Board, turn: Turn): Promise<BoardAnswer> => {
    const { tiles } = game;
    const seconds = flags.budget;
    return solver.query(formatBoard(board, turn), { tiles, seconds, signal: quit.signal });
  };
  const play = handPlay(game, flags, ask, () => screen.draw());
  // A key that is pressed while nobody waits for one, because the placer is searching, is ignored.
  let onKey: (key: string) => void = () => {};
  const nextKey = () =>
    new Promise<string>((resolve) => {
      onKey = resolve;
    });
  using screen = fullScreen(
    (size) => play.show(size),
    (key) => {
      if (key === "ctrl-c") process.kill(process.pid, "SIGINT");
      else if (QUITS.has(key)) quit.abort();
      else onKey(key);
    },
  );
  quit.signal.addEventListener("abort", () => onKey(""));
  watch.signal.addEventListener("abort", () => {
    screen[Symbol.dispose](); // before the notice is printed
    quit.abort();
  });
  try {
    for (let key = "n"; !quit.signal.aborted; key = await nextKey()) {
      await play.press(key);
      screen.draw();
    }
  } catch (error) {
    if (!isInterruption(error, quit.signal)) throw error;
  }
  screen[Symbol.dispose]();
  for (const sentence of warnings) printError(sentence);
  const played = play.game();
  if (played) printLine(resultLine(played));
  return watch.signal.aborted ? EXIT.interrupted : EXIT.ok;
}

/**
 * Returns a game at the terminal: what it shows, and what its keys do.
 *
 * @param ask returns what is known of a board
 * @param draw called when there is something to show while a key is being answered
 */
function handPlay(
  { shape, tiles }: Game,
  { start, seed = randomInt(2 ** 32), budget }: HandFlags,
  ask: (board: Board, turn: Turn) => Promise<BoardAnswer>,
  draw: () => void,
) {
  const random = gameRandom(seed, 0);
  let played: HandGame | undefined;
  let note = "";
  const wait = (why: string) => {
    note = why;
    draw();
  };

  /**
   * Returns the start: two random tiles, or the board of --start after the placer's move if it is
   * to move.
   */
  async function firstBoard(): Promise<Board> {
    if (start?.turn === "placer") {
      return afterReply(start.board, await ask(start.board, "placer"), random);
    }
    if (start) return start.board;
    const cellRules = new CellRules(shape);
    const cells = new Uint8Array(cellRules.size);
    placeStart(cells, random);
    return cellRules.board(cells);
  }

  async function begin(): Promise<void> {
    played = undefined;
    wait("searching …");
    const board = await firstBoard();
    played = beginGame(board, tiles, await ask(board, "slider"));
    note = isEnd(board) ? endNote(played) : OPENING;
  }

  function undo(hand: HandGame): void {
    const { length } = hand.game.plies;
    played = { ...hand, game: takeBack(hand.game, ["slider"]) };
    note = length > 0 ? "the slide is undone" : "there is no slide to undo";
  }

  async function hint(hand: HandGame): Promise<void> {
    const { board } = nodeAt(hand.game);
    if (isEnd(board)) return;
    wait("searching for the best slide …");
    const answer = await ask(board, "slider");
    played = withProven(hand, answer);
    note = hintWords(gradeMoves(nodeAt(hand.game), answer));
  }

  async function slideTo(hand: HandGame, direction: Direction): Promise<void> {
    const node = nodeAt(hand.game);
    if (isEnd(node.board)) return;
    const step = applyMove(node, direction);
    if (step === undefined) {
      note = `${direction}: no tile can slide there`;
      return;
    }
    wait("the placer is searching …");
    played = withSlide(hand, step, await ask(step.after.board, "placer"), random);
    note = isEnd(nodeAt(played.game).board) ? endNote(played) : moveNote(played);
  }

  return {
    /** Returns the game so far; `undefined` before the first one has begun. */
    game: () => played,
    show: (size: ScreenSize) => (played ? handGameScreen(played, note, budget, size) : note),
    /** Does what a key asks for. */
    async press(key: string): Promise<void> {
      const direction = SLIDES[key];
      if (key === "n") await begin();
      else if (played === undefined) return;
      else if (key === "u") undo(played);
      else if (key === "?") await hint(played);
      else if (direction) await slideTo(played, direction);
    },
  };
}
