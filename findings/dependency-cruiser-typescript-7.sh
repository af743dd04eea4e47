#!/usr/bin/env bash
# Beside TypeScript 7, dependency-cruiser sees no TypeScript at all: a folder of two .ts files has "0 modules", without a
# warning, and its exit code is 0. With TypeScript 5.9, it finds both and the import between them.
# dependency-cruiser 17.4.3, TypeScript 7.0.2 and 5.9.3. Source: `depcruise --info`, which lists the versions of
# TypeScript that it takes, 2.0.0 to below 7.0.0, and says that support is enabled by installing one of them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
mkdir src
echo 'import { b } from "./b.js"; export const a = b;' >src/a.ts
echo 'export const b = 1;' >src/b.ts

# Prints the modules and dependencies that it finds beside a version of TypeScript.
found() {
  npm install --silent --no-audit --no-fund dependency-cruiser@17.4.3 "typescript@$1" >/dev/null
  npx depcruise --no-config --output-type json src >found.json 2>messages
  node -p 'const { totalCruised, totalDependenciesCruised } = JSON.parse(fs.readFileSync("found.json")).summary;
    `${totalCruised} modules, ${totalDependenciesCruised ?? 0} dependencies, ${fs.readFileSync("messages").length} bytes of messages`'
}

before=$(found 5.9.3)
seen=$(found 7.0.2)
echo "dependency-cruiser 17.4.3"
echo "guess: beside TypeScript 7.0.2, 2 modules and 1 dependency, or an error that says why not"
echo "seen:  beside TypeScript 5.9.3: $before"
echo "seen:  beside TypeScript 7.0.2: $seen"
[ "$before" = "2 modules, 1 dependencies, 0 bytes of messages" ] &&
  [ "$seen" = "0 modules, 0 dependencies, 0 bytes of messages" ] && echo "as found" || { echo "CHANGED"; exit 1; }
