#!/usr/bin/env bash
# A WebAssembly memory of one page of 64 KiB that may never grow reserves 10 GiB of address space in Node.js, since V8
# surrounds each memory with guard regions in place of checks of addresses, so that a program under `ulimit -v` runs out
# of memory with megabytes in use; with --disable-wasm-trap-handler it reserves what it declares.
# Node.js 20.20.2 on Linux x64. Source: "maximum: the maximum size the memory is allowed to grow to", WebAssembly.Memory
# on MDN; the option is described in Node's command-line API, without a figure.
set -euo pipefail
[ -r /proc/self/status ] || { echo "this finding needs Linux" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/reserve.mjs" <<'END'
import { readFileSync } from "node:fs";

const kilobytes = () => Number(/VmSize:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
const before = kilobytes();
globalThis.memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
console.log(((kilobytes() - before) / 2 ** 20).toFixed(1));
END

guarded=$(node "$folder/reserve.mjs")
checked=$(node --disable-wasm-trap-handler "$folder/reserve.mjs")
echo "Node.js $(node --version)"
echo "guess: a memory of at most 64 KiB takes 64 KiB of address space"
echo "seen:  it takes $guarded GiB, and $checked GiB with --disable-wasm-trap-handler"
[ "${guarded%.*}" -ge 8 ] && [ "${checked%.*}" -lt 1 ]
