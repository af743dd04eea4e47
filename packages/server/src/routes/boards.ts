import { Answer, Shapes, Starts } from "@gridlock/schemas/api";
import type { SearchReply } from "../answerer.js";
import { hangUp, type Operation, withParameters } from "../operation.js";
import { BoardParameters, GameParameters, readGame, readQuery } from "../parameters.js";
import { replyJson } from "../reply.js";
import type { Sources } from "../sources.js";

/** The operations that answer boards. */
export function boardOperations({ answerer, catalogue, settings }: Sources): Operation[] {
  return [
    {
      path: "/v1/shapes",
      id: "shapes",
      summary: "List the games that are solved, tabulated or published",
      description:
        "A game is a shape and the tiles of the placer. The list names the games of the database, those that are tabulated, and those whose values are published.",
      group: "Boards",
      reply: { type: "application/json", schema: Shapes },
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
      reply: { type: "application/json", schema: Answer },
      problems: [429, 503],
      /** Answers at once if the board can be looked up. */
      handle(context, parameters) {
        const asked = readQuery(context.req.param("shape"), parameters, settings);
        const query = { ...asked, wholeBudget: parameters.budget !== undefined };
        const replied = ({ json, exact }: SearchReply) => replyJson(context, json, exact);
        const known = answerer.lookUp(query);
        return known ? replied(known) : answerer.answer(query, hangUp(context)).then(replied);
      },
    }),
    withParameters({
      path: "/v1/{shape}/starts",
      id: "starts",
      summary: "List the starts of a game with their values",
      description:
        "A start is a board with two tiles; starts that are rotations or reflections of each other are listed once.",
      group: "Boards",
      query: GameParameters,
      reply: { type: "application/json", schema: Starts },
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
