import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder, unpackRedisServer } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished, vi } from "vitest";

const UNPACK = fileURLToPath(new URL("../unpack-redis.sh", import.meta.url));
const hasApt = ["apt-get", "dpkg-deb", "flock"].every(
  (program) => spawnSync(program, ["--version"]).status === 0,
);

/** Makes a package of one program, which prints a line. */
function makePackage(repository: string, name: string, program: string): string {
  const root = temporaryFolder();
  mkdirSync(join(root, "DEBIAN"));
  mkdirSync(join(root, "usr/bin"), { recursive: true });
  const control = `Package: ${name}\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: a test\n`;
  writeFileSync(join(root, "DEBIAN/control"), control);
  writeFileSync(join(root, "usr/bin", program), '#!/bin/sh\necho "this is it: $1"\n', {
    mode: 0o755,
  });
  const file = `${name}_1_all.deb`;
  spawnSync("dpkg-deb", ["--root-owner-group", "-b", root, join(repository, file)]);
  const bytes = readFileSync(join(repository, file));
  const digest = createHash("sha256").update(bytes).digest("hex");
  return `${control}Filename: ./${file}\nSize: ${bytes.length}\nSHA256: ${digest}\n`;
}

/**
 * Makes a repository of packages on this disk; returns an environment in which apt knows only this
 * one.
 */
function makeRepository(names: readonly [string, string][]): NodeJS.ProcessEnv {
  const folder = temporaryFolder();
  const entries = names.map(([name, program]) => makePackage(folder, name, program));
  writeFileSync(join(folder, "Packages"), entries.join("\n"));
  writeFileSync(join(folder, "sources.list"), `deb [trusted=yes] file:${folder} ./\n`);
  mkdirSync(join(folder, "none"));
  writeFileSync(
    join(folder, "apt.conf"),
    `Dir::Etc::sourcelist "${folder}/sources.list";\nDir::Etc::sourceparts "${folder}/none";\nDir::State::lists "${folder}/none";\n`,
  );
  return { ...process.env, APT_CONFIG: join(folder, "apt.conf") };
}

const BOTH: readonly [string, string][] = [
  ["redis-server", "redis-server"],
  ["redis-tools", "redis-cli"],
];

describe.runIf(hasApt)("a Redis server that is missing", () => {
  it("is unpacked from the distribution's packages, once for all callers", async () => {
    const env = makeRepository(BOTH);
    const cache = join(temporaryFolder(), "cache");
    const unpack = () => promisify(execFile)("sh", [UNPACK, cache], { env });
    const results = await Promise.all([unpack(), unpack(), unpack()]);
    const programs = new Set(results.map(({ stdout }) => stdout.trim()));
    expect(programs.size).toBe(1);
    const [program = ""] = programs;
    expect(program.startsWith(`${cache}/redis-`)).toBe(true);
    expect(spawnSync(program, ["--port"], { encoding: "utf8" }).stdout).toBe(
      "this is it: --port\n",
    );
    expect(results.filter(({ stderr }) => stderr.includes("unpacking one into"))).toHaveLength(1);
    // Nothing else is left.
    expect(readdirSync(cache).filter((name) => !name.endsWith(".lock"))).toHaveLength(1);
    const before = statSync(program).mtimeMs;
    await unpack();
    expect(statSync(program).mtimeMs).toBe(before);
  });

  it("that no package contains is requested in a sentence, and nothing is left behind", () => {
    const { APT_CONFIG } = makeRepository([["something-else", "it"]]);
    vi.stubEnv("APT_CONFIG", APT_CONFIG);
    onTestFinished(() => void vi.unstubAllEnvs());
    const cache = join(temporaryFolder(), "cache");
    expect(() => unpackRedisServer(cache)).toThrow(
      /^found no redis-server or valkey-server on the PATH, and could not unpack one into .*cache \(E: .*\)\. Install one, for example with: apt-get install redis-server$/,
    );
    expect(readdirSync(cache).filter((name) => !name.endsWith(".lock"))).toEqual([]);
  });
});
