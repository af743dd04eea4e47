import { workerData } from "node:worker_threads";
import {
  type Board,
  emptyCells,
  formatPlacement,
  isEnd,
  parseBoard,
  type Shape,
  type Tiles,
} from "@gridlock/game";
import { Grid, PLACERS, PLAYER_KINDS, PlayerError, PlayerMaker } from "@gridlock/players";
import { answerRequests, StoreError } from "@gridlock/store";
import { tileChances } from "@gridlock/tablebase";
import type { z } from "zod";
import { Kept } from "./kept.js";
import type { PlayersSchema, PlaySchema } from "./schemas.js";
import type { Asked, Begun } from "./thread-pool.js";

/* The thread in which published programs choose their moves, on one shape. */

/** The data that a thread begins with. */
export interface PlayData {
  readonly db: string;
  readonly shape: Shape;
  readonly tiles: Tiles;
}

/** A board on which a player is to choose, or the question which players there are. */
export type PlayRequest = { readonly board: string; readonly by: string } | "players";

/** Either answer; the other field is missing. */
export interface PlayReply {
  readonly players?: z.infer<typeof PlayersSchema>;
  /** The player's full name, and its choices. */
  readonly by?: string;
  readonly choices?: z.infer<typeof PlaySchema>["choices"];
  /** The reason why the player cannot choose. */
  readonly refused?: string;
}

type Choices = z.infer<typeof PlaySchema>["choices"];
type Chooser = { readonly name: string; choose(board: Board): Choices };

/** Most players that are kept: there are thousands of names, and some have tables of megabytes. */
const MOST_KEPT = 16;

const { data: setting } = workerData as Begun<PlayData>;
const { db, shape } = setting;

/** The players that have been asked, by side and name. */
const choosers = new Kept<Chooser & Disposable>(MOST_KEPT);

answerRequests(async (asked: Asked<PlayRequest>): Promise<PlayReply> => {
  if (asked === "end") {
    choosers[Symbol.dispose]();
    return {};
  }
  const { request } = asked;
  if (request === "players") return { players: await listPlayers() };
  const { board, turn } = parseBoard(request.board);
  const key = `${turn} ${request.by}`;
  try {
    const { name, choose } = await choosers.get(key, () => makeChooser(turn, request.by));
    return { by: name, choices: choose(board) };
  } catch (error) {
    choosers.drop(key);
    if (isRefusal(error)) return { refused: error.message };
    throw error;
  }
});

/** Returns whether an error says that a player cannot play: it is unknown, or its files are missing. */
function isRefusal(error: unknown): error is Error {
  return error instanceof PlayerError || error instanceof StoreError;
}

async function makeChooser(turn: "slider" | "placer", by: string): Promise<Chooser & Disposable> {
  const maker = new PlayerMaker(db);
  try {
    const chooser = turn === "slider" ? await sliderNamed(by, maker) : placerNamed(by, maker);
    return { ...chooser, [Symbol.dispose]: () => maker[Symbol.dispose]() };
  } catch (error) {
    maker[Symbol.dispose]();
    throw error;
  }
}

async function sliderNamed(by: string, maker: PlayerMaker): Promise<Chooser> {
  const [base = ""] = by.split(":");
  if (by !== base && PLAYER_KINDS.some(({ names, file }) => file && names.includes(base))) {
    throw new PlayerError(`${base} uses the server's weights; expected by=${base}`);
  }
  const player = await maker.player(by, setting);
  const grid = new Grid(shape);
  return {
    name: player.name,
    choose(board) {
      if (isEnd(board)) return [];
      const choices = player.choose(grid.cells(board));
      return choices.map(({ direction: move, probability }) => ({ move, probability }));
    },
  };
}

function placerNamed(by: string, maker: PlayerMaker): Chooser {
  if (by === "random") return { name: by, choose: chooseAtRandom };
  const placer = maker.placer(by, shape);
  const grid = new Grid(shape);
  return {
    name: placer.name,
    choose(board) {
      const before = grid.cells(board);
      const after = before.slice();
      placer.place(after, Math.random);
      const cell = after.findIndex((exponent, i) => exponent !== before[i]);
      const tile = 2 ** (after[cell] as number);
      return [{ place: formatPlacement(board, { tile, cell }), probability: 1 }];
    },
  };
}

/** Returns the placements of the ordinary game with their probabilities. */
function chooseAtRandom(board: Board): Choices {
  const cells = emptyCells(board);
  return cells.flatMap((cell) =>
    tileChances(setting).map(([tile, chance]) => ({
      place: formatPlacement(board, { tile, cell }),
      probability: chance / cells.length,
    })),
  );
}

/** Lists the players that can play the shape: each kind is tried once. */
async function listPlayers(): Promise<z.infer<typeof PlayersSchema>> {
  using tried = new PlayerMaker(db);
  const sliders = [];
  for (const { names, summary } of PLAYER_KINDS) {
    const [first = ""] = names;
    if (await isPossible(() => tried.player(first, setting))) {
      sliders.push(...names.map((name) => ({ name, summary })));
    }
  }
  const placers = [];
  for (const [name, summary] of Object.entries(PLACERS)) {
    if (await isPossible(() => tried.placer(name, shape))) placers.push({ name, summary });
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
