import { request } from "node:http";
import { connect } from "node:net";
import fc from "fast-check";

/** A request of nonsense. */
export interface NonsenseRequest {
  readonly method: string;
  /** The path as it is sent, with any bytes that HTTP allows. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Picks one of some words, or now and then a text, which may have what a request line may hold. */
const mostly = (words: string, maxLength: number) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words.split(" ")) },
    {
      weight: 1,
      arbitrary: fc
        .string({ maxLength })
        .map((text) => text.replaceAll(/[^!-~]/gu, encodeURIComponent)),
    },
  );

const word = mostly(
  "v1 2x2 2x3 3x3 4x4 1x2 9x9 0x0 3x line starts shapes play players query runs files results docs " +
    "openapi.json health metrics site app.js explore queues .. %2e%2e %00 %zz %ff __proto__ constructor " +
    "results.md growth.md 2x2.json ..%2f..%2fpackage.json %F0%9F%92%A9 -1 1e9 NaN",
  30,
);
const parameter = fc.constantFrom(
  ..."board turn tiles by budget values look __proto__ board[] constructor".split(" "),
);
const value = mostly(
  "2_2/0_0 0_0/0_0 2_2_0/0_0_0 2_4/8_2 2_3/0_0 64_64/64_64 2_2/0_0_placer 0 / _ // 2_2/ " +
    "slider placer both 2,4 2 4 8,16 emr evil perfect random zaky-minimax:9999 ./x.js ntuple:/etc/passwd " +
    "0 0.001 -1 1e999 true %00 %zz %E4 2%202/0%200 2+2/0+0 999999999999_2/0_0 'x';--",
  200,
);
const query = fc
  .array(fc.tuple(parameter, value), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, given]) => `${name}=${given}`).join("&"));
const header = fc.constantFrom(
  ..."accept if-none-match content-type origin range expect-ct host x-forwarded-for cookie".split(
    " ",
  ),
);
const headerValue = fc.oneof(
  fc.constantFrom("*", "text/html", '"x"', "localhost:99999", "[::1", "bytes=9-1", "a b", ""),
  fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[^ -~]/g, "?")),
);
const line = fc.oneof(
  value.map((board) => JSON.stringify({ board })),
  fc.json({ maxDepth: 2 }),
  fc.string({ maxLength: 100 }),
);

/** Nonsense requests: paths, parameters, boards, headers and bodies, some of them nearly right. */
export const nonsense: fc.Arbitrary<NonsenseRequest> = fc.record({
  method: fc.constantFrom(
    ..."GET GET GET GET POST POST PUT DELETE PATCH HEAD OPTIONS TRACE".split(" "),
  ),
  path: fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), query)
    .map(([words, given]) => `/${words.join("/")}${given === "" ? "" : `?${given}`}`),
  headers: fc.dictionary(header, headerValue, { maxKeys: 3 }),
  body: fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n")),
});

/** Sends a request as it is; returns the status, or 0 if the connection ended without an answer. */
export function sendNonsense(
  url: string,
  { method, path, headers, body }: NonsenseRequest,
): Promise<number> {
  const { hostname, port } = new URL(url);
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "TRACE";
  return new Promise((resolve) => {
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      response.resume();
      response.on("error", () => resolve(0));
      response.on("close", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
    sent.end(hasBody ? body : undefined);
  });
}

/** Sends bytes that are no HTTP; resolves with what came back when the connection is closed. */
export function sendGarbage(url: string, bytes: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(port), hostname);
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
    socket.end(bytes);
  });
}
