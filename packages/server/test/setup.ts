import { join } from "node:path";
import { ApiClient } from "@gridlock/gridlock/client";
import { createServer, type ServerOptions } from "@gridlock/server";
import { Database } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { onTestFinished } from "vitest";

/** A server for the running test, or with `afterAll` for a test file. */
export interface Served {
  readonly url: string;
  readonly db: string;
  /** Sentences that the server has warned of. */
  readonly warnings: readonly string[];
  readonly client: ApiClient;
  /** Sends a request; returns the status, the headers and the text. */
  get(path: string, init?: RequestInit): Promise<Reply>;
  /** Stops the server. */
  stop(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly json: any;
}

/**
 * Starts a server on a free port, with a database of its own unless `db` names one, and without
 * published values. It searches for the values of all moves, unless `limits` say how long is
 * enough.
 */
export async function serve(
  options: Partial<ServerOptions> = {},
  whenDone: (clean: () => Promise<void>) => void = onTestFinished,
): Promise<Served> {
  const db = options.db ?? join(temporaryFolder(whenDone as never), "test.db");
  Database.open(db).close();
  const warnings: string[] = [];
  const server = await createServer({
    host: "127.0.0.1",
    port: 0,
    budget: 60,
    workers: 1,
    memory: 2 ** 26,
    version: "0.0.0",
    published: false,
    ...options,
    limits: { enough: Number.POSITIVE_INFINITY, ...options.limits },
    db,
    warn: (sentence) => warnings.push(sentence),
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= Promise.resolve(server[Symbol.asyncDispose]());
    return stopped;
  };
  whenDone(stop);
  return {
    url: server.url,
    client: new ApiClient(server.url),
    db,
    warnings,
    stop,
    async get(path, init) {
      const response = await fetch(server.url + path, init);
      const text = await response.text();
      const isJson = /[/+]json$/.test(response.headers.get("content-type") ?? "");
      const json = isJson && text !== "" ? JSON.parse(text) : undefined;
      return { status: response.status, headers: response.headers, text, json };
    },
  };
}
