import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Database, StoreError } from "@gridlock/store";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { Answerer } from "./answerer.js";
import { COMMON_HEADERS, makeApp } from "./app.js";
import { Catalogue } from "./catalogue.js";
import { ProjectFiles } from "./files.js";
import { Metrics } from "./metrics.js";
import type { Env } from "./operation.js";
import { type ServerOptions, type Settings, withDefaults } from "./options.js";
import { PlayerPool } from "./players.js";
import { Problem } from "./problem.js";
import { batchOperation } from "./routes/batch.js";
import { boardOperations } from "./routes/boards.js";
import { fileOperations } from "./routes/files.js";
import { addPages } from "./routes/pages.js";
import { pictureOperations } from "./routes/pictures.js";
import { playerOperations } from "./routes/players.js";
import { runsOperation } from "./routes/runs.js";
import { serviceOperations } from "./routes/service.js";
import { RunWatch } from "./runs.js";
import type { Sources } from "./sources.js";

/** Milliseconds for which an idle connection is kept. */
const KEEP_ALIVE_MS = 5_000;
/** Milliseconds between two looks for connections that are too slow. */
const CHECK_MS = 1_000;

/** Milliseconds for answers to be sent when the server stops. */
const FLUSH_MS = 200;

/** A server that cannot start, with a sentence for the user. */
export class ServerError extends Error {
  override readonly name = "ServerError";
}

/** A server that listens. */
export interface Server extends AsyncDisposable {
  /** Its address: `http://127.0.0.1:2048`. */
  readonly url: string;
}

/**
 * Serves the API and the pages.
 *
 * @throws {ServerError} if the address cannot be listened at
 * @throws {StoreError} if the database cannot be used
 */
export function createServer(options: ServerOptions): Promise<Server> {
  const closing = new AbortController();
  return new Promise((resolve, reject) => {
    const closed = serve(withDefaults(options), closing.signal, (url) => {
      const close = () => {
        closing.abort();
        return closed;
      };
      resolve({ url, [Symbol.asyncDispose]: close });
    });
    closed.catch(reject);
  });
}

/**
 * Serves until a signal.
 *
 * @param onListening called with the address once requests are accepted
 */
async function serve(
  settings: Settings,
  closing: AbortSignal,
  onListening: (url: string) => void,
): Promise<void> {
  makeDatabase(settings.db);
  await using answerer = new Answerer(settings);
  using database = Database.open(settings.db, { readOnly: true, orEmpty: true });
  await using players = new PlayerPool(settings, answerer);
  using runs = await RunWatch.open(settings, database);
  const sources: Sources = {
    settings,
    answerer,
    players,
    runs,
    catalogue: new Catalogue(settings, database, answerer),
    files: new ProjectFiles(settings.root),
  };
  const metrics = new Metrics(sources);
  const main = [
    runsOperation(sources),
    ...fileOperations(sources),
    ...pictureOperations(),
    ...boardOperations(sources),
    batchOperation(sources),
    ...playerOperations(sources),
  ];
  const app = makeApp([...serviceOperations(main, metrics, sources), ...main], metrics, settings);
  addPages(app, sources);

  const http = await listen(app, settings);
  onListening(urlOf(settings.host, (http.address() as AddressInfo).port));
  await once(closing, "abort");
  const closed = once(http, "close");
  http.close(); // takes no more requests
  // Requests that wait for a search are answered with a problem.
  await Promise.all([answerer.stop(), players[Symbol.asyncDispose]()]);
  await Promise.race([closed, sleep(FLUSH_MS, undefined, { ref: false })]);
  http.closeAllConnections();
  await closed;
}

/** Makes a missing database if it can be written: its readers keep to the file that they opened. */
function makeDatabase(file: string): void {
  if (existsSync(file)) return;
  try {
    Database.open(file).close();
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "read-only")) throw error;
  }
}

/** Listens for requests. */
async function listen(app: Hono<Env>, options: Settings): Promise<HttpServer> {
  const { connections, headersMs, requestMs } = options.limits;
  const answer = getRequestListener(app.fetch, {
    errorHandler: (error) =>
      new Problem(400, `the request cannot be read: ${(error as Error).message}`).response(),
  });
  const commonHeaders = Object.entries(COMMON_HEADERS);
  const http = createHttpServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    (incoming, outgoing) => {
      for (const [name, value] of commonHeaders) outgoing.setHeader(name, value);
      return answer(incoming, outgoing);
    },
  );
  http.maxConnections = connections;
  http.listen(options.port, options.host);
  try {
    await once(http, "listening");
  } catch (error) {
    throw whyNotListening(error as NodeJS.ErrnoException, options);
  }
  return http;
}

function whyNotListening(error: NodeJS.ErrnoException, { host, port }: ServerOptions): ServerError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program uses it; expected a free port, or 0 for any",
    EACCES: "ports below 1024 need more rights; expected a higher one",
    EADDRNOTAVAIL: "this machine does not have that address",
    ENOTFOUND: "there is no such host",
  };
  const reason = reasons[error.code ?? ""] ?? error.message;
  return new ServerError(`cannot listen at ${host}, port ${port}: ${reason}`, { cause: error });
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
