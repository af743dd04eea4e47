/*
 * A client of the HTTP API with types that openapi-typescript generates, as users may make one. `npm run check:api`
 * compiles and runs it in a folder that also has the types, `api.d.ts`.
 */
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const BOARD = "2 2 0/0 0 0";

/** Asks a server; returns a sentence for each answer that is not as expected. */
export async function faultsOf(baseUrl: string): Promise<string[]> {
  const client = createClient<paths>({ baseUrl });
  const faults: string[] = [];
  const expect = (name: string, found: unknown, expected: unknown) => {
    if (found !== expected) faults.push(`${name} is ${found}; expected ${expected}`);
  };

  const params = { path: { shape: "2x3" }, query: { board: BOARD } } as const;
  const { data: answer } = await client.GET("/v1/{shape}", { params });
  const value: number | null | undefined = answer?.value;
  expect("the value", value, 44);
  expect("the first move", answer?.moves[0]?.score, 4);

  const { error } = await client.GET("/v1/{shape}", {
    // @ts-expect-error the turn is one of two words
    params: { ...params, query: { board: BOARD, turn: "both" } },
  });
  expect("the status", error?.status, 400);
  return faults;
}
