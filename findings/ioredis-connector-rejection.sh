#!/usr/bin/env bash
# A Connector of one's own, which ioredis takes as an option to find the server's address before each connection, may
# reject once and end the client for good: retryStrategy is not asked, though it is for every refused or lost connection.
# ioredis 6.0.0. Source: its README, "Auto-reconnect" (only a connection that is closed by hand is not made again), and
# the types of the options Connector and retryStrategy.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund ioredis@6.0.0 >/dev/null

cat > finding.mjs <<'EOF'
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { AbstractConnector, Redis } from "ioredis";

/** A port where nothing listens. */
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

async function attempt(options) {
  let [retries, status] = [0, ""];
  const redis = new Redis({ host: "127.0.0.1", port, retryStrategy: () => (retries++, 50), ...options });
  redis.on("error", () => {});
  await sleep(1000);
  status = redis.status;
  redis.disconnect();
  return { status, retries };
}

class Resolver extends AbstractConnector {
  constructor({ disconnectTimeout }) {
    super(disconnectTimeout);
  }
  async connect() {
    throw new Error("no address is known yet");
  }
}

const refused = await attempt({});
const rejected = await attempt({ Connector: Resolver });
console.log("ioredis 6.0.0");
console.log("guess: a client whose Connector rejects tries again, as after a refused connection");
console.log(`seen:  refused connection: status ${refused.status}, ${refused.retries > 1 ? "several retries" : "no retry"}`);
console.log(`seen:  rejecting Connector: status ${rejected.status}, ${rejected.retries} retries`);
const same = refused.retries > 1 && rejected.retries === 0 && rejected.status === "end";
console.log(same ? "as found" : "CHANGED");
process.exit(same ? 0 : 1);
EOF
node finding.mjs
