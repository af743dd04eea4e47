#!/usr/bin/env bash
# zlib.crc32(bytes, sum) of no bytes returns 0 in place of `sum` in Node.js 20.20.2 if the bytes are a view of an ArrayBuffer
# of length 0, such as `Uint8Array.from([]).buffer`, and `sum` for every other empty view, so that a sum over several parts,
# one of which is empty, depends on where that part came from; Node.js 24.21.0 returns `sum` for all.
# Source: "value: an optional starting value", zlib.crc32 in Node's documentation; zlib returns its initial value for a null
# pointer, which is what Node 20 passes for such a view.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/sum.cjs" <<'END'
const { crc32 } = require("node:zlib");
const views = [Buffer.alloc(0), new Uint8Array(new ArrayBuffer(8), 8), new Uint8Array(new ArrayBuffer(0))];
console.log(views.map((empty) => crc32(empty, 7)).join(" "));
END

for version in 20.20.2 24.21.0; do
  npm install --prefix "$folder/$version" --silent --no-audit --no-fund "node@$version" >/dev/null
  node="$folder/$version/node_modules/.bin/node"
  seen[${version%%.*}]=$("$node" "$folder/sum.cjs")
  echo "Node.js $("$node" --version)"
  echo "guess: crc32 of three empty views, starting from 7, gives 7 7 7"
  echo "seen:  it gives ${seen[${version%%.*}]}"
done
[ "${seen[20]}" = "7 7 0" ] && [ "${seen[24]}" = "7 7 7" ]
