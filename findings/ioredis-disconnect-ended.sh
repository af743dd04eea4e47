#!/usr/bin/env bash
# disconnect() on a client of ioredis whose connection has ended already keeps the process alive for two more seconds:
# it starts the timer that destroys a stream which does not close (`disconnectTimeout`), and that timer is cleared by
# the stream's "close", which has been emitted before. A close that is meant to be safe to repeat delays each exit.
# ioredis 6.0.0. Source: ioredis's API, "disconnect": "This method closes the connection immediately". Needs redis-server.
set -euo pipefail
command -v redis-server >/dev/null || { echo "redis-server is missing: install it, for instance with apt" >&2; exit 2; }
cd "$(mktemp -d)"
redis-server --port 0 --unixsocket "$PWD/redis.sock" --save '' --appendonly no >/dev/null &
trap 'kill %1; wait; rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund ioredis@6.0.0 >/dev/null

cat > finding.mjs <<'EOF'
import { once } from "node:events";
import { Redis } from "ioredis";

const client = new Redis({ path: "redis.sock" });
await client.ping();
const ended = once(client, "end");
client.disconnect();
await ended;
const began = performance.now();
if (process.argv[2] === "again") client.disconnect();
process.on("exit", () => console.log(Math.round(performance.now() - began)));
EOF
once=$(node finding.mjs)
again=$(node finding.mjs again)
echo "ioredis 6.0.0, Node $(node --version)"
echo "guess: disconnect() does nothing to a client that has ended"
echo "seen:  the process exits ${once} ms after the end, and ${again} ms after it if it calls disconnect() again"
if [ "$once" -lt 1000 ] && [ "$again" -ge 1900 ]; then echo "as found"; else echo "CHANGED"; exit 1; fi
