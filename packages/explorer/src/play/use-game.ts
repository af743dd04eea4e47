import { useEffect, useMemo, useState } from "preact/hooks";
import { type Resource, useResource } from "../client/resource.js";
import type { Answer, Choice } from "../data.js";
import { answerAddress, choicesAddress } from "../logic/address.js";
import { boundOf, type GradedMove, gradeMoves } from "../logic/grade.js";
import { type Game, nodeAt, takeBack, withMove } from "./game.js";
import { chooseMove, needsServer } from "./seats.js";
import type { Setting } from "./setting.js";

/** Milliseconds between a move and the reply of an opponent: as long as tiles slide. */
const REPLY_MS = 140;

/** A game on the screen. */
export interface GameControl {
  readonly game: Game;
  readonly answer: Resource<Answer>;
  /** The reason why the opponent does not move, if the server does not answer. */
  readonly choices: Resource<readonly Choice[]>;
  /** The legal moves, best first; empty while the answer is on its way. */
  readonly moves: readonly GradedMove[];
  readonly yourTurn: boolean;
  readonly over: boolean;
  readonly make: (move: GradedMove) => void;
  readonly undo: () => void;
  readonly restart: () => void;
  /** Lets the player to move make one move; for games without you. */
  readonly step: () => void;
}

/** Runs a game: asks what positions are worth, and has opponents move. */
export function useGame(
  { seats, game: first }: Setting,
  { running, speed }: { readonly running: boolean; readonly speed: number },
): GameControl {
  const [game, setGame] = useState(first);
  const [live, setLive] = useState(false);
  useEffect(() => setLive(true), []);

  const node = nodeAt(game);
  const { turn } = node;
  const spot = { node, tiles: game.tiles };
  const answer = useResource<Answer>(live ? answerAddress(spot) : undefined);
  const moves = useMemo(() => (answer.value ? gradeMoves(node, answer.value) : []), [answer.value]);
  const over = answer.value !== undefined && moves.length === 0;
  const name = seats[turn];
  const yourTurn = name === "you";
  const withYou = seats.slider === "you" || seats.placer === "you";
  const asks = live && !over && needsServer(turn, name);
  const choices = useResource<{ choices: readonly Choice[] }>(
    asks ? choicesAddress(spot, name) : undefined,
  );

  const make = (move: GradedMove) => {
    if (answer.value === undefined) return;
    const worth = boundOf(answer.value, node.board);
    setGame((before) => (nodeAt(before) === node ? withMove(before, move, worth, moves) : before));
  };
  const ready = moves.length > 0 && !yourTurn && (!asks || choices.value !== undefined);
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
    ...{ game, answer, moves, yourTurn, over, make, step },
    choices: { ...choices, value: choices.value?.choices, partial: undefined },
    undo: () => {
      const yours = (["slider", "placer"] as const).filter((each) => seats[each] === "you");
      setGame((before) => takeBack(before, yours));
    },
    restart: () => setGame(first),
  };
}
