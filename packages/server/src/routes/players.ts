import { Play, Players } from "@gridlock/schemas/api";
import { hangUp, type Operation, withParameters } from "../operation.js";
import { GameParameters, PlayParameters, readGame, readQuery } from "../parameters.js";
import type { Sources } from "../sources.js";

/** The operations of players. */
export function playerOperations({ players, settings }: Sources): Operation[] {
  return [
    withParameters({
      path: "/v1/{shape}/players",
      id: "players",
      summary: "List the players that can play a shape",
      description:
        "The lists name programs that others have published, and simple ones. The player perfect, which plays either side of any shape, is not in them.",
      group: "Players",
      query: GameParameters,
      reply: { type: "application/json", schema: Players },
      problems: [429, 503],
      handle: (context, { tiles }) => players.list(readGame(context, tiles)),
    }),
    withParameters({
      path: "/v1/{shape}/play",
      id: "play",
      summary: "Get the moves that a player may choose, with their probabilities",
      description:
        "The player perfect chooses among the moves that are proven best. The programs decide as published, and their choices may be far from best.",
      group: "Players",
      query: PlayParameters,
      reply: { type: "application/json", schema: Play },
      problems: [422, 429, 503],
      handle(context, { by, ...parameters }) {
        const query = readQuery(context.req.param("shape"), parameters, settings);
        return players.play(query, by, hangUp(context));
      },
    }),
  ];
}
