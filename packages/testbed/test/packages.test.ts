import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { CertificateOutput } from "@gridlock/schemas";
import { hookOf, PATIENCE_MS, temporaryFolder } from "@gridlock/testbed";
import { CertificateFile } from "@gridlock/verify";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build, type Rolldown } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tryCommands } from "./installed/commands.js";
import {
  bytesUnder,
  type CommandResult,
  compileRecipes,
  DRIVER,
  install,
  MANAGERS,
  MOST_BYTES,
  nativePackages,
  offerDriver,
  outputOf,
  PACKAGE,
  packInto,
  RECIPES,
  RESOLUTIONS,
  runCommand,
} from "./installed/package.js";

/*
 * Packs the package, installs it in empty folders with npm and pnpm, as a user would, and uses its
 * command and its library there. The other dependencies come from the caches of npm and pnpm or,
 * where these lack them, from the registry; the native part of the SQLite driver is this
 * repository's. `installs.test.ts` tries more.
 */

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

let tarball: string;
let folder: string;
/** A second installation, by pnpm. */
let withPnpm: string;
/** The outcome of a command before the SQLite driver was built. */
let withoutDriver: CommandResult;

/** Runs the installed command. */
function gridlock(args: readonly string[], input = ""): CommandResult {
  return runCommand(join(folder, "node_modules/.bin/gridlock"), args, { cwd: folder, input });
}

beforeAll(() => {
  const outside = temporaryFolder(afterAll);
  tarball = packInto(outside);
  folder = join(outside, "installed");
  withPnpm = join(outside, "with-pnpm");
  const env = offerDriver(DRIVER, outside);
  install(tarball, folder, MANAGERS.npm, { ...env, npm_config_ignore_scripts: "true" });
  withoutDriver = gridlock(["solve", "2x2"]);
  outputOf("npm", ["rebuild", "better-sqlite3"], folder, env);
  install(tarball, withPnpm, MANAGERS.pnpm, env);
}, 300_000);

describe("the package", () => {
  const bytes = () => Uint8Array.from(readFileSync(tarball));
  const installed = () => join(folder, "node_modules", PACKAGE);

  it("passes publint", async () => {
    const { messages, pkg } = await publint({ pack: { tarball: bytes().buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it("has types that are right for each kind of import", async () => {
    const found = await checkPackage(createPackageFromTarballData(bytes()), {
      // Files that programs do not import.
      excludeEntrypoints: ["./package.json", /^\.\/(wasm|schemas)\//],
    });
    const problems = found.types && "problems" in found ? found.problems : ["no types"];
    // It has modules alone, for resolutions that know `exports`; before Node 22, require() cannot
    // load them.
    const isOfOthers = (problem: object) =>
      JSON.stringify(problem).match(/"node10"|"CJSResolvesToESM"/);
    expect(
      problems.filter((problem) => typeof problem === "string" || !isOfOthers(problem)),
    ).toEqual([]);
  });

  it("names nothing of the repository's own packages", () => {
    const files = readdirSync(installed(), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => /\.(c?js|ts)$/.test(name))) {
      const text = readFileSync(join(installed(), file), "utf8");
      expect(text.match(/"@gridlock\/(?!gridlock")[^"]*"/)?.[0], file).toBeUndefined();
      // The types of the JSON are written out.
      if (file.endsWith(".d.ts")) expect(text, file).not.toMatch(/from "zod|import\("zod/);
    }
    const { dependencies } = JSON.parse(readFileSync(join(installed(), "package.json"), "utf8"));
    expect(Object.keys(dependencies).filter((name) => name.startsWith("@gridlock/"))).toEqual([]);
  });

  it("has the files and threads that its modules name", () => {
    const files = readdirSync(installed(), { recursive: true, encoding: "utf8" });
    // In a bundle, an address is relative to the module that has it, which a second one names.
    const addresses = /new URL\("(\.[^"]+)",\s*(?:import\.meta\.url|new URL\("([^"]+)",)/g;
    const scripts = files.filter((file) => /\.c?js$/.test(file));
    const named = scripts.flatMap((file) => {
      const text = readFileSync(join(installed(), file), "utf8");
      return [...text.matchAll(addresses)].map(([, path = "", module]) => {
        const from = module === undefined ? file : join(dirname(file), module);
        return join(dirname(from), path);
      });
    });
    expect(named.length).toBeGreaterThan(30);
    // A thread's module may be there as a bundle alone.
    const isThere = (file: string) =>
      [file, file.replace(/js$/, "cjs")].some((name) => existsSync(join(installed(), name)));
    expect(named.filter((file) => !isThere(file))).toEqual([]);
  });

  it("has a license, a README, and the licenses of what is bundled", () => {
    const read = (file: string) => readFileSync(join(installed(), file), "utf8");
    expect(read("LICENSE")).toMatch(/^MIT/);
    expect(read("README.md")).toMatch(/^# Gridlock\n\n\w/);
    expect(read("vendor/LICENSES")).toMatch(/^bullmq 6\.[\s\S]*^luxon 3\.[\s\S]*^msgpackr 2\./m);
  });

  it.each([
    ["npm", () => folder],
    ["pnpm", () => withPnpm],
  ])("takes little room, and brings one native module, with %s", (_, where) => {
    expect(bytesUnder(join(where(), "node_modules"))).toBeLessThan(MOST_BYTES);
    expect(nativePackages(where())).toEqual(["better-sqlite3"]);
  });
});

describe("the installed command", () => {
  it("explains what to do where npm has not built the SQLite driver", () => {
    expect(withoutDriver.stderr).toMatch(
      /^error: the SQLite driver, .* yarn rebuild better-sqlite3; .* npm rebuild better-sqlite3$/m,
    );
    expect(withoutDriver.code).toBe(1);
  });

  it("draws no charts without ECharts, and explains how to install it", () => {
    const { code, stderr } = gridlock(["variants", "2x2", "--out", "variants"]);
    expect(stderr).toContain("npm install echarts@6");
    expect(code).toBe(2);
  });

  it("leaves the research commands out", () => {
    expect(gridlock(["--help"]).stdout).not.toMatch(/Research|paper/);
    expect(gridlock(["train", "2x2"]).stderr).toContain("unknown command 'train'");
  });

  it("has the version of the repository", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(gridlock(["--version"]).stdout.trim()).toBe(version);
  });

  it(
    "runs every command",
    async () => {
      symlinkSync(join(ROOT, "node_modules/echarts"), join(folder, "node_modules/echarts"));
      // As the file handles of Yarn's Plug'n'Play, in this and all threads.
      const env = { NODE_OPTIONS: `--import=${hookOf("plug-n-play")}` };
      await tryCommands([join(folder, "node_modules/.bin/gridlock")], { cwd: folder, env });
      expect(readdirSync(join(folder, "public"))).toEqual(
        expect.arrayContaining(["404.html", "index.html", "service-worker.js"]),
      );
      expect(readFileSync(join(folder, "public/index.html"), "utf8")).toContain(
        'content="https://example.org/2048/',
      );
    },
    PATIENCE_MS,
  );
});

describe("the recipes", () => {
  it.each(RESOLUTIONS)("compile with the resolution $moduleResolution", (resolution) => {
    compileRecipes(folder, resolution);
  });

  it.each(RECIPES)("run: $name", ({ name, args, prints }) => {
    expect(outputOf(process.execPath, [`recipes/${name}.js`, ...args], folder)).toMatch(prints);
  });

  it("compile and run where pnpm has installed the package", () => {
    compileRecipes(withPnpm, { module: "NodeNext", moduleResolution: "nodenext" });
    for (const { name, args, prints } of RECIPES) {
      expect(outputOf(process.execPath, [`recipes/${name}.js`, ...args], withPnpm)).toMatch(prints);
    }
  });
});

it("has a kernel that is bundled for browsers without anything of Node", async () => {
  const entry = join(folder, "entry.js");
  writeFileSync(entry, 'export { openKernel } from "@gridlock/gridlock/kernel";');
  const [{ output }] = (await build({
    root: folder,
    configFile: false,
    envDir: false,
    logLevel: "error",
    publicDir: false,
    build: { write: false, minify: false, lib: { entry, formats: ["es"] } },
  })) as [Rolldown.RolldownOutput];
  expect(output).toHaveLength(1);
  // Vite leaves an empty module in place of one of Node.
  expect(output[0].code).not.toMatch(/["']node:|\brequire\(|browser-external/);
  const bundle = join(folder, "kernel.js");
  writeFileSync(bundle, output[0].code);
  const { openKernel } = await import(bundle);
  const wasm = join(folder, "node_modules", PACKAGE, "packages/kernel/wasm");
  const kernel = await openKernel("2x3", (name: string) => readFileSync(join(wasm, name)));
  expect(kernel.query("2 2 0/0 0 0").value).toBe(44);
});

describe("the examples in Python", () => {
  const CERTIFICATE = "results/gridlock.2x3.certificate";
  const python = (...args: string[]) =>
    outputOf("python3", [join(ROOT, "examples/python/gridlock.py"), ...args], folder)
      .trimEnd()
      .split("\n");

  beforeAll(() => {
    gridlock(["solve", "2x3", "--quiet"]);
    gridlock(["prove", "2x3"]);
    gridlock(["tabulate", "2x3", "--db", "examples.db", "--quiet"]);
  });

  it("read a tabulation as gridlock query does", () => {
    const boards = ["2 0 0/0 4 0", "4 0/0 2/0 0", "8 2 4/2 16 0", "2 4 2/8 4 0", "2 2 2/2 2 2"];
    const input = boards.join("\n");
    const queried = gridlock(["query", "--values", "--json", "--db", "examples.db"], input)
      .stdout.trimEnd()
      .split("\n")
      .map((line) => {
        const { board, value, reachable, expected } = JSON.parse(line);
        return reachable
          ? `${board}: ${value} against the placer, ${expected} expected`
          : `${board}: None against the placer, None expected`;
      });
    expect(python("tabulation", "examples.2x3", ...boards)).toEqual(queried);
    expect(queried.join()).toMatch(/\d\.\d+ expected.*None expected/);
  });

  it("read a certificate", () => {
    const found = JSON.parse(python("certificate", CERTIFICATE).join("\n"));
    expect(CertificateOutput.parse(found)).toEqual(found);
    using certificate = CertificateFile.open(join(folder, CERTIFICATE));
    expect(found.claims).toHaveLength(certificate.claims);
    expect(found.claims[0]).toEqual({ board: "2 2 0/0 0 0", lower: 44, upper: 44 });
  });

  it("refuse damaged files", () => {
    const bytes = readFileSync(join(folder, "examples.2x3.minimax"));
    bytes[3000] = (bytes[3000] as number) ^ 1;
    cpSync(join(folder, "examples.2x3.positions"), join(folder, "damaged.2x3.positions"));
    writeFileSync(join(folder, "damaged.2x3.minimax"), bytes);
    expect(() => python("tabulation", "damaged.2x3", "2 0 0/0 4 0")).toThrow(
      /^error: .* of damaged.2x3.minimax is damaged$/m,
    );
  });

  it("say what is wrong with what they are given", () => {
    expect(() => python("certificate", "none")).toThrow(/exit 1\nerror: .*No such file.*'none'$/m);
    expect(() => python("tabulation", "examples.2x3", "foo")).toThrow(
      'error: "foo" is not a board; expected rows such as 2 0 8/0 4 0\n',
    );
  });

  it("read results", () => {
    const lines = python("results", join(ROOT, "results/2x3.json"));
    expect(lines[0]).toBe("2 2 0/0 0 0: 44");
    expect(lines).toHaveLength(20);
  });
});
