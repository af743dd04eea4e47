#!/usr/bin/env bash
# Node.js documents that the FileHandle of fs/promises has [Symbol.asyncDispose], so that `await using` closes it; the
# one that Yarn's Plug'n'Play puts in its place, for files outside any archive too, has none, and the same line throws.
# Yarn 4.18.1, Node.js 20.20.2. Source: https://nodejs.org/docs/latest-v20.x/api/fs.html, "filehandle[Symbol.asyncDispose]()".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
mkdir yarn project
(cd yarn && npm install --silent --no-audit --no-fund @yarnpkg/cli-dist@4.18.1 >/dev/null)
yarn() { YARN_ENABLE_TELEMETRY=0 node ../yarn/node_modules/@yarnpkg/cli-dist/bin/yarn.js "$@"; }

cd project
echo '{ "name": "project" }' >package.json
touch yarn.lock
yarn install >/dev/null
cat >handle.mjs <<'EOT'
import { open } from "node:fs/promises";

const handle = await open("package.json");
console.log(typeof handle[Symbol.asyncDispose]);
await handle.close();
EOT
plain=$(node handle.mjs)
pnp=$(yarn node handle.mjs)
echo "Yarn $(yarn --version), Node.js $(node --version)"
echo "guess: a FileHandle has a method [Symbol.asyncDispose], under Plug'n'Play as without it"
echo "seen:  without Plug'n'Play: $plain"
echo "seen:  under Plug'n'Play:   $pnp"
if [ "$plain $pnp" = "function undefined" ]; then echo "as found"; else echo "CHANGED"; exit 1; fi
