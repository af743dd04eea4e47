#!/usr/bin/env bash
# Redis ignores the case of command names, but ioredis shapes a reply by the name as it was written: call("hgetall", …)
# returns an object and call("HGETALL", …) an array of names and values. ZRANGE … WITHSCORES differs in the same way.
# ioredis 6.0.0. Source: Redis's documentation, "command names are case-insensitive", and the README of ioredis, which
# describes call() for commands without a method. Needs redis-server.
set -euo pipefail
command -v redis-server >/dev/null || { echo "redis-server is missing: install it, for instance with apt" >&2; exit 2; }
cd "$(mktemp -d)"
redis-server --port 0 --unixsocket "$PWD/redis.sock" --save '' --appendonly no >/dev/null &
trap 'kill %1; wait; rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund ioredis@6.0.0 >/dev/null

cat > finding.mjs <<'EOF'
import { Redis } from "ioredis";

const redis = new Redis({ path: "redis.sock" });
await redis.hset("hash", "field", "value");
await redis.zadd("set", 1.5, "member");
const reply = async (...command) => JSON.stringify(await redis.call(...command));
const seen = {
  HGETALL: await reply("HGETALL", "hash"),
  hgetall: await reply("hgetall", "hash"),
  ZRANGE: await reply("ZRANGE", "set", "0", "-1", "WITHSCORES"),
  zrange: await reply("zrange", "set", "0", "-1", "WITHSCORES"),
};
console.log(`ioredis 6.0.0, Redis ${/redis_version:(\S+)/.exec(await redis.info("server"))[1]}`);
redis.disconnect();
console.log("guess: call() replies the same whether a name is in capitals or not");
for (const [name, text] of Object.entries(seen)) console.log(`seen:  ${name}: ${text}`);
const same = seen.HGETALL !== seen.hgetall && seen.ZRANGE !== seen.zrange;
console.log(same ? "as found" : "CHANGED");
process.exit(same ? 0 : 1);
EOF
node finding.mjs
