import { once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Answerer } from "./answerer.js";
import { makeApp } from "./app.js";
import { Catalogue } from "./catalogue.js";
import { ServerError } from "./errors.js";
import { Metrics, type Observed } from "./metrics.js";
import { LIMITS, type ServerOptions } from "./options.js";
import { Problem } from "./problem.js";
import { batchOperation } from "./routes/batch.js";
import { boardOperations } from "./routes/boards.js";
import { serviceOperations } from "./routes/service.js";

/** Milliseconds for which an idle connection is kept. */
const KEEP_ALIVE_MS = 5_000;
/** Milliseconds between two looks for connections that are too slow. */
const CHECK_MS = 1_000;

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
export async function createServer(options: ServerOptions): Promise<Server> {
  const answerer = new Answerer(options);
  try {
    const catalogue = new Catalogue(options.db, answerer);
    try {
      return await listen(options, answerer, catalogue);
    } catch (error) {
      catalogue[Symbol.dispose]();
      throw error;
    }
  } catch (error) {
    await answerer[Symbol.asyncDispose]();
    throw error;
  }
}

async function listen(
  options: ServerOptions,
  answerer: Answerer,
  catalogue: Catalogue,
): Promise<Server> {
  const observe = (): Observed => ({ searches: answerer.searches, streams: 0 });
  const metrics = new Metrics(observe);
  const main = [
    batchOperation(answerer, options),
    ...boardOperations(answerer, catalogue, options),
  ];
  const service = serviceOperations(main, options.version, metrics, observe);
  const onFailure = (error: unknown) =>
    options.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const app = makeApp([...service, ...main], metrics, onFailure);
  const { connections, headersMs, requestMs } = { ...LIMITS, ...options.limits };
  const http = createHttpServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    getRequestListener(app.fetch, {
      errorHandler: (error) =>
        new Problem(400, `the request cannot be read: ${(error as Error).message}`).response(),
    }),
  );
  http.maxConnections = connections;
  await startListening(http, options);
  return {
    url: urlOf(options.host, (http.address() as AddressInfo).port),
    async [Symbol.asyncDispose]() {
      using _catalogue = catalogue;
      const closed = once(http, "close");
      http.close();
      await answerer[Symbol.asyncDispose]();
      http.closeAllConnections();
      await closed;
    },
  };
}

async function startListening(http: HttpServer, { host, port }: ServerOptions): Promise<void> {
  http.listen(port, host);
  try {
    await once(http, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: "another program uses it; expected a free port, or 0 for any",
      EACCES: "ports below 1024 need more rights; expected a higher one",
      EADDRNOTAVAIL: "this machine does not have that address",
      ENOTFOUND: "there is no such host",
    };
    throw new ServerError(
      `cannot listen at ${host}, port ${port}: ${reasons[code ?? ""] ?? message}`,
      { cause: error },
    );
  }
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
