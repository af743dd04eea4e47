import { type Bound, formatBoard, type Node, sameBoard } from "@gridlock/game";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useSeconds } from "../client/host.js";
import { useResource } from "../client/resource.js";
import type { Answer, Choice } from "../data.js";
import { answerAddress, choicesAddress } from "../logic/address.js";
import { boundOf, type GradedMove } from "../logic/grade.js";
import { useMoves } from "../ui/use-moves.js";
import { type Game, nodeAt, takeBack, toCome, withAnswer, withMove } from "./game.js";
import { bestScore, countScore, rememberedGame, rememberGame } from "./memory.js";
import { chooseMove, needsServer, readersSides } from "./seats.js";
import type { Setting } from "./setting.js";

/** Milliseconds between a move and the reply of an opponent: as long as tiles slide. */
const REPLY_MS = 140;
/** Milliseconds after which the strongest opponent makes the best move by what is known then. */
const DECIDE_MS = 160;
/** Most seconds to search for a move of the past, those of its search in the game included. */
const PAST_SECONDS = 1;

/** Runs a game: asks for values, has opponents move, and keeps the game when the page is left. */
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
  // One search at a time: of a game to look at, first for its moves.
  const next = game.plies.findLastIndex(({ valued }) => !valued);
  const most = useSeconds();
  const seconds = reviewing && next >= 0 ? 0 : most;
  const answer = useResource<Answer>(live ? answerAddress(spot) : undefined, seconds);
  const { moves, worth } = useMoves(
    spot,
    answer.value,
    toCome(game) ?? worthOf(game.start, setting),
  );
  const over = moves.length === 0;
  const name = seats[turn];
  const yourTurn = name === "you" && !reviewing;
  const yours = readersSides(seats);
  const withYou = yours.length > 0;
  const asks = live && !over && !reviewing && needsServer(turn, name);
  const choices = useResource<{ choices: readonly Choice[] }>(
    asks ? choicesAddress(spot, name) : undefined,
  );

  // The answer for this board also says what the move that led here is worth.
  const { value, done } = answer;
  useEffect(() => {
    if (value === undefined) return;
    setGame((now) => (nodeAt(now) === node ? withAnswer(now, now.plies.length, value) : now));
  }, [value, node]);
  const behind = done && next >= 0 ? nodeAt(game, next) : undefined;
  const past = useResource<Answer>(
    behind && answerAddress({ node: behind, tiles: game.tiles }),
    Math.min(most, PAST_SECONDS),
  );
  useEffect(() => {
    const { value, done } = past;
    if (behind === undefined || value === undefined) return;
    setGame((now) => (nodeAt(now, next) === behind ? withAnswer(now, next, value, done) : now));
  }, [past.value, past.done, behind]);

  useEffect(() => {
    if (live && !reviewing) rememberGame(game, seats);
  }, [live, game]);
  const [record, setRecord] = useState<number | undefined>();
  useEffect(() => {
    if (over && !reviewing) countScore(game, seats);
    setRecord(bestScore(game, seats));
  }, [over]);

  const make = (move: GradedMove) =>
    setGame((before) => (nodeAt(before) === node ? withMove(before, move, worth, moves) : before));

  const since = useMemo(() => performance.now(), [node]);
  const [late, setLate] = useState<Node>();
  useEffect(() => {
    if (yourTurn || !live) return;
    const timer = setTimeout(() => setLate(node), DECIDE_MS);
    return () => clearTimeout(timer);
  }, [node, yourTurn, live]);
  /** True if the strongest player need not wait: a best move is proven, or its time is over. */
  const isDecided =
    moves.some(({ verdict }) => verdict === "best") ||
    done ||
    (late === node && value !== undefined);
  const isReady = asks ? choices.value !== undefined : name !== "perfect" || isDecided;
  const ready = live && !over && !reviewing && !yourTurn && isReady;
  const step = () => {
    if (!ready) return;
    const move = chooseMove(name, turn, moves, choices.value?.choices, Math.random);
    if (move) make(move);
  };
  const moving = ready && (withYou || running);
  useEffect(() => {
    if (!moving) return;
    const wait = withYou ? REPLY_MS : 1_000 / speed;
    const timer = setTimeout(step, Math.max(0, since + wait - performance.now()));
    return () => clearTimeout(timer);
  }, [moving, moves, withYou, speed]);

  return {
    // `moves` has the legal moves, best first. `worth` is what is known of the points to come.
    // `record` is your best score against this opponent, undefined before the first finished game.
    // `step` lets the player to move make one move.
    game,
    answer,
    worth,
    moves,
    yourTurn,
    over,
    record,
    make,
    step,
    /** The most seconds to search for a board. */
    seconds: most,
    /** The number of moves of which more is still to be found out. */
    unvalued: game.plies.filter(({ valued }) => !valued).length,
    /** A failed request: for the board, for the opponent's choices, or for a move of the past. */
    failure: answer.failure ?? choices.failure ?? past.failure,
    undo: () => setGame((before) => takeBack(before, yours)),
    restart: () => setGame({ ...game, plies: [] }),
  };
}

/** Returns what the page knows of a start; `undefined` for other boards. */
function worthOf({ board, turn }: Node, { starts }: Setting): Bound | undefined {
  const text = formatBoard(board);
  const start = turn === "slider" ? starts.find((each) => each.board === text) : undefined;
  return start && boundOf(start, board);
}

/** Returns the game that the reader left, unless the address names another one. */
function continued({ game, seats, reviewing, named }: Setting): Game {
  const stored = reviewing ? undefined : rememberedGame(game, seats);
  if (stored === undefined) return game;
  const same =
    sameBoard(stored.start.board, game.start.board) && stored.start.turn === game.start.turn;
  return !named || same ? stored : game;
}
