#!/usr/bin/env bash
# AssemblyScript refuses to compare an i32 with a u32, but divides them without a message, and as signed numbers:
# 6 / 4294967295 is -6. C converts both to unsigned, which gives 0.
# assemblyscript 0.28.20. Source: "Type rules" in the AssemblyScript book, and C17, 6.3.1.8.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund assemblyscript@0.28.20 >/dev/null

echo 'export function compare(a: i32, b: u32): bool { return a < b; }' >compare.ts
echo 'export function divide(a: i32, b: u32): f64 { return <f64>(a / b); }' >divide.ts
cat > finding.mjs <<'EOF'
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

function compile(name) {
  const asc = ["node_modules/assemblyscript/bin/asc.js", `${name}.ts`, "--outFile", `${name}.wasm`];
  const { status, stdout, stderr } = spawnSync(process.execPath, asc, { encoding: "utf8" });
  return { status, message: `${stdout}${stderr}`.trim().split("\n")[0] };
}

const [compare, divide] = [compile("compare"), compile("divide")];
const { instance } = await WebAssembly.instantiate(readFileSync("divide.wasm"));
const quotient = instance.exports.divide(6, 0xffffffff);
console.log("assemblyscript 0.28.20");
console.log("guess: both are refused, or 6 / 4294967295 is 0");
console.log(`seen:  compare: ${compare.message}`);
console.log(`seen:  divide: ${divide.message || "no message"}; 6 / 4294967295 is ${quotient}`);
const same = compare.status !== 0 && divide.status === 0 && divide.message === "" && quotient === -6;
console.log(same ? "as found" : "CHANGED");
process.exit(same ? 0 : 1);
EOF
node finding.mjs
