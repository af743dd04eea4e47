// Answers questions about a shape over HTTP, for remote.js: start one on each machine that is to search.
//
//     node answer.js 2x4 8048
//
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { packedFromBits, parseShape, parseTiles } from "@gridlock/game";
import { LocalPool } from "@gridlock/solver";

const [shape = "2x4", port = "8048"] = process.argv.slice(2);
const game = { shape: parseShape(shape), tiles: parseTiles("2,4") };
const pool = new LocalPool(game, { workers: 2, memory: 64 * 2 ** 20 });

const server = createServer(async (request, response) => {
  const { turn, board, threshold } = /** @type {any} */ (await json(request));
  const bound = await pool.ask({ turn, board: packedFromBits(BigInt(board)), threshold });
  // An upper bound that is not known is Infinity, which JSON writes as null.
  response.end(JSON.stringify(bound ?? null));
});
server.listen(Number(port), "127.0.0.1");
await once(server, "listening");
const address = /** @type {import("node:net").AddressInfo} */ (server.address());
console.log(`answering on port ${address.port}`); // a free one if 0 was given

await once(process, "SIGTERM");
server.close();
await pool[Symbol.asyncDispose]();
