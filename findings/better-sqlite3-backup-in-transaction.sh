#!/usr/bin/env bash
# In better-sqlite3, backup() inside a write transaction of its own connection resolves as if the backup were complete
# (0 pages, 0 remaining), but makes no file, neither then nor after the commit. Outside of a transaction it works.
# better-sqlite3 12.11.1. Source: its docs/api.md, "returning a promise for when the backup is complete. If the backup
# fails, the promise will be rejected". May have to compile the driver: python3, make and a C++ compiler.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{ "allowScripts": { "better-sqlite3": true } }' >package.json
npm install --silent --no-audit --no-fund better-sqlite3@12.11.1 >/dev/null

cat > finding.mjs <<'EOF'
import { existsSync } from "node:fs";
import Database from "better-sqlite3";

const db = new Database("source.db");
db.exec("CREATE TABLE t (a)");
await db.backup("outside.db");
db.exec("BEGIN; INSERT INTO t VALUES (1)");
const outcome = await db.backup("inside.db").then(JSON.stringify, (error) => `an error: ${error.message}`);
db.exec("COMMIT");
const [outside, inside] = ["outside.db", "inside.db"].map((file) => existsSync(file));
console.log(`better-sqlite3 12.11.1, SQLite ${db.prepare("SELECT sqlite_version()").pluck().get()}`);
console.log("guess: backup() makes a file, or is rejected");
console.log(`seen:  ${outcome}; the file ${inside ? "exists" : "does not exist"}`);
const same = outside && !inside && !outcome.startsWith("an error");
console.log(same ? "as found" : "CHANGED");
process.exit(same ? 0 : 1);
EOF
node finding.mjs
