import {
  formatBoard,
  formatPlacement,
  opponent,
  type Placement,
  parseBoard,
  placements,
  type Slide,
  slides,
} from "@gridlock/game";
import { Answer, Line, Shapes, Starts } from "@gridlock/schemas/api";
import type { Answerer } from "../answerer.js";
import type { Catalogue } from "../catalogue.js";
import type { SearchReply } from "../look-up.js";
import { hangUp, type Operation, type RequestContext } from "../operation.js";
import type { ServerOptions } from "../options.js";
import {
  BoardParameters,
  GameParameters,
  readGame,
  readParameters,
  readQuery,
} from "../parameters.js";
import { JSON_TYPE, replyJson } from "../reply.js";

/** The operations that answer boards. */
export function boardOperations(
  answerer: Answerer,
  catalogue: Catalogue,
  options: ServerOptions,
): Operation[] {
  /** Answers the board that a request names: at once if it can be looked up. */
  const answer = (
    context: RequestContext,
    wholeLine: boolean,
    show: (json: string) => string = (json) => json,
  ): Response | Promise<Response> => {
    const parameters = readParameters(BoardParameters, context.req.url);
    const asked = readQuery(context.req.param("shape"), parameters, options);
    const query = { ...asked, wholeLine };
    const replied = ({ json, exact }: SearchReply) => replyJson(context, show(json), exact);
    const known = answerer.lookUp(query);
    return known ? replied(known) : answerer.answer(query, hangUp(context)).then(replied);
  };
  return [
    {
      path: "/v1/shapes",
      id: "shapes",
      summary: "List the games that are solved, tabulated or published",
      description:
        "A game is a shape and the tiles of the placer. The list names the games of the database, those that are tabulated, and those whose values are published.",
      group: "Boards",
      replies: [{ type: JSON_TYPE, schema: Shapes }],
      handle: (context) => replyJson(context, JSON.stringify(catalogue.shapes()), false),
    },
    {
      path: "/v1/{shape}",
      id: "answer",
      summary: "Get a board's value, those of its moves, and a line of best play",
      description:
        "The board is looked up in the database, in tabulations and in proofs by layers; any other board is searched within the budget. An answer that is proven in full has an ETag and may be cached for a day.",
      group: "Boards",
      query: BoardParameters,
      replies: [{ type: JSON_TYPE, schema: Answer }],
      problems: [429, 503],
      handle: (context) => answer(context, false),
    },
    {
      path: "/v1/{shape}/line",
      id: "line",
      summary: "Get a line of best play to the end of the game, board by board",
      description:
        "The steps lead from the board to the end of the game, with best moves of both sides. They are empty if no line is found within the budget.",
      group: "Boards",
      query: BoardParameters,
      replies: [{ type: JSON_TYPE, schema: Line }],
      problems: [429, 503],
      handle: (context) =>
        answer(context, true, (json) => JSON.stringify(lineOf(JSON.parse(json)))),
    },
    {
      path: "/v1/{shape}/starts",
      id: "starts",
      summary: "List the starts of a game with their values",
      description:
        "A start is a board with two tiles; starts that are rotations or reflections of each other are listed once.",
      group: "Boards",
      query: GameParameters,
      replies: [{ type: JSON_TYPE, schema: Starts }],
      problems: [503],
      handle(context) {
        const { tiles } = readParameters(GameParameters, context.req.url);
        const starts = catalogue.starts(readGame(context.req.param("shape") ?? "", tiles));
        const exact = starts.starts.every(
          ({ value, source }) => value !== null && source !== "published",
        );
        return replyJson(context, JSON.stringify(starts), exact);
      },
    },
  ];
}

/** Plays the line of an answer. */
function lineOf(answer: Answer): Line {
  const { board: text, turn: first, lo, hi, value, source, published, literature } = answer;
  let { board, turn } = parseBoard(`${text} ${first}`);
  let left = value ?? 0;
  const steps = answer.line.map((name): Line["steps"][number] => {
    const moves: readonly (Slide | Placement)[] =
      turn === "slider" ? slides(board) : placements(board, [2, 4]);
    const done = moves.find(
      (move) => name === ("direction" in move ? move.direction : formatPlacement(board, move)),
    );
    if (done === undefined) throw new RangeError(`${name} is not a move on ${formatBoard(board)}`);
    const score = "direction" in done ? done.score : 0;
    left -= score;
    board = done.board;
    turn = opponent(turn);
    const after = { score, board: formatBoard(board) };
    return "direction" in done
      ? { move: done.direction, ...after, turn: "placer", value: left }
      : { place: name, ...after, turn: "slider", value: left };
  });
  return {
    ...{ board: text, turn: first, lo, hi, value, source },
    ...(published && { published }),
    ...(literature && { literature }),
    ...{ steps, end: answer.end },
  };
}
