import { sameBoard } from "@gridlock/game";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useResource } from "../client/resource.js";
import type { Answer, Choice } from "../data.js";
import { answerAddress, choicesAddress } from "../logic/address.js";
import { boundOf, type GradedMove, gradeMoves } from "../logic/grade.js";
import { type Game, nodeAt, takeBack, withMove, withValues } from "./game.js";
import { bestScore, countScore, rememberedGame, rememberGame } from "./memory.js";
import { chooseMove, needsServer } from "./seats.js";
import type { Setting } from "./setting.js";

/** Milliseconds between a move and the reply of an opponent: as long as tiles slide. */
const REPLY_MS = 140;

/** Runs a game: asks what positions are worth, has opponents move, and keeps the game when the page is left. */
export function useGame(
  setting: Setting,
  { running, speed }: { readonly running: boolean; readonly speed: number },
) {
  const { seats, game: first, reviewing } = setting;
  const [game, setGame] = useState(first);
  const [live, setLive] = useState(false);
  useEffect(() => {
    setGame(continued(setting));
    setLive(true);
  }, []);

  const node = nodeAt(game);
  const { turn } = node;
  const spot = { node, tiles: game.tiles };
  const answer = useResource<Answer>(live ? answerAddress(spot) : undefined);
  const moves = useMemo(() => (answer.value ? gradeMoves(node, answer.value) : []), [answer.value]);
  const over = answer.value !== undefined && moves.length === 0;
  const name = seats[turn];
  const yourTurn = name === "you" && !reviewing;
  const withYou = seats.slider === "you" || seats.placer === "you";
  const asks = live && !over && !reviewing && needsServer(turn, name);
  const choices = useResource<{ choices: readonly Choice[] }>(
    asks ? choicesAddress(spot, name) : undefined,
  );

  // The moves of an earlier visit or of an address are valued one by one, whenever the board itself is.
  const next = game.plies.findIndex(({ valued }) => !valued);
  const behind = answer.value !== undefined && next >= 0 ? nodeAt(game, next) : undefined;
  const past = useResource<Answer>(behind && answerAddress({ node: behind, tiles: game.tiles }));
  useEffect(() => {
    const { value } = past;
    if (behind === undefined || value === undefined) return;
    setGame((now) => (nodeAt(now, next) === behind ? withValues(now, next, value) : now));
  }, [past.value, behind]);

  useEffect(() => {
    if (live && !reviewing) rememberGame(game, seats);
  }, [live, game]);
  const [record, setRecord] = useState<number | undefined>();
  useEffect(() => {
    if (over && !reviewing) countScore(game, seats);
    setRecord(bestScore(game, seats));
  }, [over]);

  const make = (move: GradedMove) => {
    if (answer.value === undefined) return;
    const worth = boundOf(answer.value, node.board);
    setGame((before) => (nodeAt(before) === node ? withMove(before, move, worth, moves) : before));
  };
  const ready =
    moves.length > 0 && !reviewing && !yourTurn && (!asks || choices.value !== undefined);
  const step = () => {
    if (!ready) return;
    const move = chooseMove(name, turn, moves, choices.value?.choices, Math.random);
    if (move) make(move);
  };
  const moving = ready && (withYou || running);
  useEffect(() => {
    if (!moving) return;
    const timer = setTimeout(step, withYou ? REPLY_MS : 1_000 / speed);
    return () => clearTimeout(timer);
  }, [moving, node, withYou, speed]);

  return {
    // `moves` has the legal moves, best first, and is empty while the answer is on its way. `record` is your best score
    // against this opponent, undefined before the first finished game. `step` lets the player to move make one move.
    ...{ game, answer, moves, yourTurn, over, record, make, step },
    /** The number of moves whose values are still to be asked for. */
    unvalued: game.plies.filter(({ valued }) => !valued).length,
    /** A request that failed: for the board, for the opponent's choices, or for a move of the past. */
    failure: answer.failure ?? choices.failure ?? past.failure,
    undo: () => {
      const yours = (["slider", "placer"] as const).filter((each) => seats[each] === "you");
      setGame((before) => takeBack(before, yours));
    },
    restart: () => setGame({ ...game, plies: [] }),
  };
}

/** Returns the game that the reader left, unless the address names another one. */
function continued({ game, seats, reviewing, named }: Setting): Game {
  const stored = reviewing ? undefined : rememberedGame(game, seats);
  if (stored === undefined) return game;
  const same =
    sameBoard(stored.start.board, game.start.board) && stored.start.turn === game.start.turn;
  return !named || same ? stored : game;
}
