import { type ApiOperation, type ApiPage, renderPage } from "@gridlock/explorer";
import { describe, expect, it } from "vitest";
import { addressOf, curlOf, exampleOf, readable } from "../src/api/request.js";

const parameter = { description: "A parameter.", choices: [], example: "" };
const OPERATION: ApiOperation = {
  ...{ id: "line", method: "get", path: "/v1/{shape}/line", summary: "Get a line" },
  parameters: [
    { ...parameter, name: "shape", place: "path", required: true, example: "3x3" },
    { ...parameter, name: "board", place: "query", required: true, example: "2_0/0_4" },
    { ...parameter, name: "turn", place: "query", required: false, choices: ["slider", "placer"] },
  ],
  responses: [
    {
      status: "200",
      title: "OK",
      description: "Done.",
      type: "application/json",
      objects: ["Line"],
    },
  ],
};
const PAGE: ApiPage = {
  name: "api",
  groups: [{ name: "Boards", operations: [OPERATION] }],
  objects: [{ name: "Line", description: "A line.", schema: "{}" }],
};

describe("a request", () => {
  it("begins with the examples of what is required", () => {
    expect(exampleOf(OPERATION)).toEqual({ shape: "3x3", board: "2_0/0_4" });
  });

  it("has its parameters in the path and in the query, and leaves out empty ones", () => {
    const values = { shape: "2x2", board: "2 '2/0&0", turn: "" };
    expect(addressOf(OPERATION, values)).toBe("v1/2x2/line?board=2%20%272/0%260");
    expect(addressOf(OPERATION, { ...values, board: "2_2/0_0", turn: "placer" })).toBe(
      "v1/2x2/line?board=2_2/0_0&turn=placer",
    );
  });

  it("is a curl command that a shell reads as it is meant", () => {
    expect(curlOf("http://a/", "b?c=d", undefined)).toBe("curl 'http://a/b?c=d'");
    expect(curlOf("http://a/", "b", `["it's"]`)).toBe(`curl --json '["it'\\''s"]' 'http://a/b'`);
  });
});

it("shows JSON and lines of JSON readably, and other texts as they are", () => {
  expect(readable('{"a":1}', "application/json")).toBe('{\n  "a": 1\n}');
  expect(readable('{"a":1}\n[]\n', "application/x-ndjson")).toBe('{\n  "a": 1\n}\n[]');
  expect(readable('{"a":', "application/json")).toBe('{"a":');
  expect(readable('{"a":1}', "text/plain")).toBe('{"a":1}');
});

it("the page has forms that need no scripts, with the fields that then can be sent", () => {
  const html = renderPage(PAGE, { kind: "server", base: "../", here: "v1/docs" });
  expect(html).toContain('<form class="try" action="v1/3x3/line">');
  const fields = html.match(/<(input|select)[^>]*>/g) ?? [];
  const [shape, board, turn] = fields;
  expect(fields).toHaveLength(3);
  expect(shape).toMatch(/ disabled/);
  expect(shape).not.toMatch(/ name=/);
  expect(board).toMatch(/ name="board"/);
  expect(board).not.toMatch(/ disabled/);
  expect(turn).toMatch(/ disabled/);
  expect(html).toContain("<code>curl 'http://127.0.0.1:2048/v1/3x3/line?board=2_0/0_4'</code>");
});
