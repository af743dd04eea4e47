import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

/** An HTTP server of this process, at a free port of this machine. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server. */
export async function serveLocally(listener: RequestListener): Promise<LocalServer> {
  const http = createServer(listener);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
};

/**
 * Serves a folder's files as they are, without any header of its own, and a folder's `index.html`
 * for the folder.
 */
export function servePlainly(folder: string): Promise<LocalServer> {
  return serveLocally((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost");
    const path = join(folder, decodeURIComponent(pathname));
    try {
      const file = statSync(path).isDirectory() ? join(path, "index.html") : path;
      const content = readFileSync(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
}
