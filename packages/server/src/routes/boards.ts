import { followLine } from "@gridlock/explorer";
import { type Direction, formatBoard, parseBoard } from "@gridlock/game";
import { Answer, Line, Shapes, Starts } from "@gridlock/schemas/api";
import type { z } from "zod";
import type { SearchReply } from "../look-up.js";
import { hangUp, type Operation, type RequestContext, withParameters } from "../operation.js";
import { BoardParameters, GameParameters, readGame, readQuery } from "../parameters.js";
import { JSON_TYPE, replyJson } from "../reply.js";
import type { Sources } from "../sources.js";

/** The operations that answer boards. */
export function boardOperations({ answerer, catalogue, settings }: Sources): Operation[] {
  /** Answers the board that a request names: at once if it can be looked up. */
  const answer = (
    context: RequestContext,
    parameters: z.infer<typeof BoardParameters>,
    showLine?: (json: string) => string,
  ): Response | Promise<Response> => {
    const asked = readQuery(context.req.param("shape"), parameters, settings);
    const wholeBudget = showLine !== undefined || parameters.budget !== undefined;
    const query = { ...asked, wholeBudget };
    const replied = ({ json, exact }: SearchReply) =>
      replyJson(context, showLine?.(json) ?? json, exact);
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
      reply: { type: JSON_TYPE, schema: Shapes },
      handle: () => ({ shapes: catalogue.shapes() }),
    },
    withParameters({
      path: "/v1/{shape}",
      id: "answer",
      summary: "Get a board's value, those of its moves, and a line of best play",
      description:
        "The board is looked up in the database and in tabulations; any other board is searched within the budget. An answer that is proven in full has an ETag and may be cached for a day.",
      group: "Boards",
      query: BoardParameters,
      reply: { type: JSON_TYPE, schema: Answer },
      problems: [429, 503],
      handle: answer,
    }),
    withParameters({
      path: "/v1/{shape}/line",
      id: "line",
      summary: "Get a line of best play to the end of the game, board by board",
      description:
        "The steps lead from the board to the end of the game, with best moves of both sides. They are empty if no line is found within the budget.",
      group: "Boards",
      query: BoardParameters,
      reply: { type: JSON_TYPE, schema: Line },
      problems: [429, 503],
      handle: (context, parameters) =>
        answer(context, parameters, (json) => JSON.stringify(lineOf(JSON.parse(json)))),
    }),
    withParameters({
      path: "/v1/{shape}/starts",
      id: "starts",
      summary: "List the starts of a game with their values",
      description:
        "A start is a board with two tiles; starts that are rotations or reflections of each other are listed once.",
      group: "Boards",
      query: GameParameters,
      reply: { type: JSON_TYPE, schema: Starts },
      problems: [503],
      handle(context, { tiles }) {
        const starts = catalogue.starts(readGame(context, tiles));
        const exact = starts.starts.every(
          ({ value, source }) => value !== null && source !== "published",
        );
        return replyJson(context, JSON.stringify(starts), exact);
      },
    }),
  ];
}

/** Plays the line of an answer. */
function lineOf(answer: Answer): Line {
  const { board, turn, lo, hi, value, source, published, literature, unsearched } = answer;
  const { line, end } = answer;
  let left = value ?? 0;
  const moves = followLine(parseBoard(`${board} ${turn}`), line);
  const steps = moves.map(({ name, score, after }): Line["steps"][number] => {
    left -= score;
    const made = { score, board: formatBoard(after.board) };
    return after.turn === "placer"
      ? { move: name as Direction, ...made, turn: "placer", value: left }
      : { place: name, ...made, turn: "slider", value: left };
  });
  return {
    board,
    turn,
    lo,
    hi,
    value,
    source,
    ...(published && { published }),
    ...(literature && { literature }),
    ...(unsearched !== undefined && { unsearched }),
    steps,
    end,
  };
}
