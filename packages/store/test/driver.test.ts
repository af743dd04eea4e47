import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@gridlock/testbed";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const NATIVE = "better-sqlite3/build/Release/better_sqlite3.node";
/** The parts of the installed packages that opening a database needs. */
const PARTS = [
  ...["better-sqlite3/package.json", "better-sqlite3/lib"],
  ...["bindings/package.json", "bindings/bindings.js"],
  ...["file-uri-to-path/package.json", "file-uri-to-path/index.js"],
];

it("says how to rebuild a driver that cannot be loaded", () => {
  const folder = temporaryFolder();
  const modules = join(folder, "node_modules");
  for (const part of PARTS) {
    cpSync(join(ROOT, "node_modules", part), join(modules, part), { recursive: true });
  }
  for (const name of ["store", "game", "threads"]) {
    for (const part of ["package.json", "dist"]) {
      const to = join(modules, "@gridlock", name, part);
      cpSync(join(ROOT, "packages", name, part), to, { recursive: true });
    }
  }
  const script = join(folder, "open.mjs");
  writeFileSync(
    script,
    `import { Database } from "@gridlock/store";
     try { Database.open("x.db").close(); } catch (error) { console.log(error.name, error.message); }`,
  );
  const open = () => spawnSync(process.execPath, [script], { cwd: folder, encoding: "utf8" });

  const native = join(modules, NATIVE);
  cpSync(join(ROOT, "node_modules", NATIVE), native, { recursive: true });
  expect(open().stdout).toBe("");
  writeFileSync(native, "not a module of any system");
  expect(open().stdout).toMatch(/^StoreError the SQLite driver, .* npm rebuild better-sqlite3\n$/);
  rmSync(native);
  mkdirSync(native); // what is left of an interrupted installation
  expect(open().stdout).toMatch(/npm rebuild better-sqlite3/);
});
