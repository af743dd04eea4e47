/*
 * Checks the description of the HTTP API that a server gives: lints it with Redocly, which must
 * find nothing, makes types of it with openapi-typescript, and compiles and runs a client with
 * these types. Prints what is wrong, and exits with 1 if there is anything.
 *
 *     npm run check -- api
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TemporaryFolder, whileServing } from "@gridlock/testbed";

const root = fileURLToPath(new URL("..", import.meta.url));

const REDOCLY = "node_modules/@redocly/cli/bin/cli.js";
/** It brings the compiler that it needs, and is installed beside it. */
const OPENAPI_TYPESCRIPT = "packages/testbed/node_modules/openapi-typescript/bin/cli.js";

/** The options of a strict project, which also checks the generated types. */
const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023", "DOM", "DOM.Iterable"],
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: [],
  },
  files: ["client.ts"],
};

const folder = new TemporaryFolder().path;
await whileServing(join(folder, "api.db"), async (url, server) => {
  const description = await fetch(`${url}/openapi.json`);
  writeFileSync(join(folder, "openapi.json"), await description.text());
  report(run(REDOCLY, "lint", "openapi.json", "--extends=recommended-strict"));
  makeClient();
  report(run(OPENAPI_TYPESCRIPT, "openapi.json", "--output", "api.d.ts"));
  report(run("node_modules/typescript/bin/tsc", "-p", "."));
  const client = await import(join(folder, "client.js"));
  report(await client.faultsOf(url));
  if (server.stderr !== "") report([server.stderr]); // its warnings
});
if (process.exitCode === undefined) {
  console.log("the description of the API is clean, and a client with its types works");
}

function report(faults) {
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

/** Runs a program, by its path from the root; returns its output if it fails. */
function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  return status === 0 ? [] : [stdout, stderr];
}

/** Writes a client into a project of its own. */
function makeClient() {
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
  }
  const files = {
    "tsconfig.json": JSON.stringify(TSCONFIG),
    "package.json": '{ "type": "module" }',
    "client.ts": readFileSync(join(root, "packages/testbed/api-client/client.ts"), "utf8"),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
