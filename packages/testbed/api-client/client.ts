/*
 * A client of the HTTP API with types that openapi-typescript generates, as users may make one.
 * `npm run check -- api` compiles and runs it in a folder that also has the types, `api.d.ts`.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const BOARD = "2 2 0/0 0 0";

/** Asks a server; returns a sentence for each answer that is not as expected. */
export async function faultsOf(baseUrl: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl });
  const faults: string[] = [];
  const expect = (name: string, found: unknown, expected: unknown) => {
    if (found !== expected) faults.push(`${name} is ${found}; expected ${expected}`);
  };

  const params = { path: { shape: "2x3" }, query: { board: BOARD, budget: 5 } } as const;
  const { data: answer } = await client.GET("/v1/{shape}", { params });
  const value: number | null | undefined = answer?.value;
  expect("the value", value, 44);
  // The player to move tells slides and placements apart.
  const best = answer?.turn === "slider" ? answer.moves[0]?.move : answer?.moves[0]?.place;
  expect("the first move", best, "left");

  const { error } = await client.GET("/v1/{shape}", {
    // @ts-expect-error the turn is one of two words
    params: { ...params, query: { board: BOARD, turn: "both" } },
  });
  expect("the status", error?.status, 400);

  const boards = [BOARD, { board: "2 4/0 0", turn: "placer" }, { board: "2 3/16 0" }];
  const { data: answers } = await client.POST("/v1/query", {
    params: { query: { values: true } },
    body: boards.map((board) => JSON.stringify(board)).join("\n"),
    bodySerializer: (lines) => lines,
    parseAs: "text",
  });
  type Schemas = components["schemas"];
  const lines = (answers ?? "").trimEnd().split("\n");
  const found = lines
    .map((line): Schemas["Worth"] | Schemas["Refused"] => JSON.parse(line))
    .map((each) => ("error" in each ? each.code : each.value));
  expect("the answers of a batch", found.join(), "44,8,bad-tile");
  const { data: play } = await client.GET("/v1/{shape}/play", {
    params: { path: params.path, query: { board: BOARD, by: "perfect" } },
  });
  const chosen = play?.turn === "slider" ? play.choices[0]?.move : undefined;
  expect("the choice of the perfect player", chosen, best);
  return faults;
}
