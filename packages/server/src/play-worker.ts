import { workerData } from "node:worker_threads";
import {
  type Board,
  describeGame,
  emptyCells,
  formatBoard,
  formatPlacement,
  type Game,
  isEnd,
  type Node,
} from "@gridlock/game";
import {
  CellRules,
  type Choice,
  PLACERS,
  PLAYER_KINDS,
  PlayerError,
  PlayerMaker,
} from "@gridlock/players";
import type { PlacerPlay, Play, Players } from "@gridlock/schemas";
import { StoreError } from "@gridlock/store";
import { tileChances } from "@gridlock/tablebase";
import { answerRequests } from "@gridlock/threads";

/* The thread in which published programs choose their moves. */

/** A board on which a player is to choose, or the question which players its game has. */
export interface PlayRequest {
  readonly game: Game;
  readonly choice?: Node & { readonly by: string };
}

/** One of the answers; the other fields are missing. */
export interface PlayReply {
  readonly players?: Players;
  readonly play?: Play;
  /** The reason why the player cannot choose. */
  readonly refused?: string;
}

/** A player or a placer: its name, and the moves that it may choose on a board. */
interface Chooser {
  readonly name: string;
  choose(board: Board): Play["choices"];
}

/** Most players to keep: there are thousands of names, and some have tables of megabytes. */
const MOST_KEPT = 16;

/** The thread begins with the file of the database. */
const db: string = workerData;

/** Makes the players, and holds their files open. */
const maker = new PlayerMaker(db);
/** The players that have been asked, by game, side and name. */
const choosers = new Map<string, Chooser>();

answerRequests(async ({ game, choice }: PlayRequest): Promise<PlayReply> => {
  if (choice === undefined) return { players: await listPlayers(game) };
  const { board, turn, by } = choice;
  const key = `${describeGame(game)} ${turn} ${by}`;
  try {
    if (!choosers.has(key) && choosers.size >= MOST_KEPT) forgetAll();
    const make = turn === "slider" ? sliderNamed : placerNamed;
    const chooser = choosers.get(key) ?? (await make(by, game));
    choosers.set(key, chooser);
    const choices = chooser.choose(board);
    return { play: { board: formatBoard(board), turn, by: chooser.name, choices } as Play };
  } catch (error) {
    // A player whose file has changed opens it anew.
    if (!(error instanceof PlayerError)) forgetAll();
    if (isRefusal(error)) return { refused: error.message };
    throw error;
  }
});

function forgetAll(): void {
  choosers.clear();
  maker[Symbol.dispose]();
}

/** Returns whether an error means that a player cannot play: it is unknown or lacks its files. */
function isRefusal(error: unknown): error is Error {
  return error instanceof PlayerError || error instanceof StoreError;
}

async function sliderNamed(by: string, game: Game): Promise<Chooser> {
  const [base = ""] = by.split(":");
  if (by !== base && PLAYER_KINDS.some(({ names, file }) => file && names.includes(base))) {
    throw new PlayerError(`${base} uses the server's weights; expected by=${base}`);
  }
  const player = await maker.player(by, game);
  const cellRules = new CellRules(game.shape);
  const slide = ({ direction: move, probability }: Choice) => ({ move, probability });
  return {
    name: player.name,
    choose: (board) => (isEnd(board) ? [] : player.choose(cellRules.cells(board)).map(slide)),
  };
}

function placerNamed(by: string, game: Game): Chooser {
  if (by === "random") return { name: by, choose: (board) => randomChoices(board, game) };
  const placer = maker.placer(by, game.shape);
  const cellRules = new CellRules(game.shape);
  return {
    name: placer.name,
    choose(board) {
      const before = cellRules.cells(board);
      const after = before.slice();
      placer.place(after, Math.random);
      const cell = after.findIndex((exponent, i) => exponent !== before[i]);
      const tile = 2 ** (after[cell] as number);
      return [{ place: formatPlacement(board, { tile, cell }), probability: 1 }];
    },
  };
}

/** Returns the placements of the ordinary game with their probabilities. */
function randomChoices(board: Board, game: Game): PlacerPlay["choices"] {
  const cells = emptyCells(board);
  return cells.flatMap((cell) =>
    tileChances(game).map(([tile, chance]) => ({
      place: formatPlacement(board, { tile, cell }),
      probability: chance / cells.length,
    })),
  );
}

/** Lists the players that can play a game: each kind is tried once. */
async function listPlayers(game: Game): Promise<Players> {
  using tried = new PlayerMaker(db);
  const sliders = [];
  for (const { names, summary } of PLAYER_KINDS) {
    const [first = ""] = names;
    if (await isPossible(() => tried.player(first, game))) {
      sliders.push(...names.map((name) => ({ name, summary })));
    }
  }
  const placers = [];
  for (const [name, summary] of Object.entries(PLACERS)) {
    if (await isPossible(() => tried.placer(name, game.shape))) placers.push({ name, summary });
  }
  return { sliders, placers };
}

async function isPossible(make: () => unknown): Promise<boolean> {
  try {
    await make();
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
