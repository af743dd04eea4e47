import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  GRIDLOCK,
  Process,
  snippetsOf,
  startRedis,
  stepsOf,
  tellRedis,
  temporaryFolder,
} from "@gridlock/testbed";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILE = join(ROOT, "docker-compose.yml");

/** Folders in packages that nothing runs from; what runs of a package's own modules is bundled. */
const NOT_RUN = ["api-client", "assembly", "node_modules", "src", "test"];

interface Service {
  readonly build?: string;
  readonly image?: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Returns the commands of the snippet of docs/deployment.md that begins like this. */
function commandsOf(beginning: string): string[] {
  const snippets = snippetsOf(join(ROOT, "docs/deployment.md"));
  const snippet = snippets.find(({ lines }) => lines[0]?.startsWith(`$ ${beginning}`));
  if (snippet === undefined) throw new Error(`no snippet begins with ${beginning}`);
  return stepsOf(snippet).map(({ command }) => command.replace(/ +#/, " #"));
}

let services: Readonly<Record<"password" | "redis" | "coordinator" | "worker", Service>>;

beforeAll(() => {
  services = parse(readFileSync(FILE, "utf8")).services;
});

describe("docker-compose.yml", () => {
  it("names no image that two services build, which fails when they are built at the same time", () => {
    const built = Object.values(services).filter(({ build }) => build !== undefined);
    const names = built.flatMap(({ image }) => image ?? []);
    expect(built.length).toBe(3);
    expect(new Set(names).size).toBe(names.length);
  });

  it("names the same commands as docs/deployment.md", () => {
    const lines = readFileSync(FILE, "utf8").matchAll(/^# {5}(.*)$/gm);
    const commands = Array.from(lines, ([, line = ""]) => line.replace(/ +#/, " #"));
    expect(commands).toEqual(commandsOf("SHAPE="));
  });

  it("starts Redis with the settings of docs/deployment.md, and a password of its own", () => {
    const cwd = temporaryFolder();
    const [generate = "", configure = "", server = ""] = commandsOf("umask");
    execFileSync("/bin/bash", ["-c", `${generate} && ${configure}`], { cwd });
    const file = join(cwd, "redis-password");
    const password = readFileSync(file, "utf8").trim();
    expect(password).toMatch(/^[\w+/]{32}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, "redis.conf"), "utf8")).toBe(`requirepass ${password}\n`);
    const words = server.replace("--bind 10.0.0.1 ", "").replaceAll('""', "").split(" ");
    const [program, , ...settings] = services.redis.command;
    expect(words).toEqual([program, "redis.conf", ...settings]);
  });

  it("has services that find each other by a password that the first start generates", async () => {
    const folder = temporaryFolder();
    const secrets = join(folder, "gridlock");
    mkdirSync(secrets);
    // As in the containers, but for the place of the shared volume and the port of the server.
    const here = (word: string) => word.replaceAll("$$", "$").replaceAll("/run/gridlock", secrets);
    const password = () => {
      const [shell = "", ...args] = services.password.command.map(here);
      execFileSync(shell, args);
      return readFileSync(join(secrets, "redis-password"), "utf8");
    };
    const first = password();
    expect(first).toMatch(/^[0-9a-f]{48}$/);
    expect(password()).toBe(first);

    const [, configuration, ...settings] = services.redis.command.map(here);
    expect(readFileSync(configuration as string, "utf8")).toBe(`requirepass ${first}\n`);
    const extra = [...settings, "--dir", folder, "--requirepass", first];
    await using redis = await startRedis({ password: first, extra });
    // Nothing in Redis is the only copy of anything.
    expect(await tellRedis(redis.url, "config", "get", "appendonly")).toEqual(["appendonly", "no"]);
    expect(await tellRedis(redis.url, "config", "get", "save")).toEqual(["save", ""]);
    const start = ({ command, environment = {} }: Service, ...more: string[]) => {
      const shape = command.map((word) => word.replace(/^\$\{SHAPE:-(.*)\}$/, "$1"));
      const args = shape.map((word) => word.replace(/^\/data\//, `${folder}/`));
      const env = Object.entries(environment).map(([name, value]) => [
        name,
        here(value).replace("redis:6379", `127.0.0.1:${redis.port}`),
      ]);
      return new Process(GRIDLOCK, [...args, ...more], {
        cwd: folder,
        env: { ...process.env, ...Object.fromEntries(env), GRIDLOCK_METRICS: "0" },
      });
    };
    await using _worker = start(services.worker);
    await using coordinator = start(services.coordinator, "--json");
    const { code, stdout, stderr } = await coordinator.ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ shape: "3x3", starts: { 0: { value: 184 } } });
    expect(coordinator.child.spawnargs.join(" ")).not.toContain(first);
  });
});

describe("Dockerfile", () => {
  it("keeps every folder that a package runs from", () => {
    const kept = readFileSync(join(ROOT, "Dockerfile"), "utf8").matchAll(/! -name ([^ ]+)/g);
    const packages = readdirSync(join(ROOT, "packages"));
    const folders = packages.flatMap((name) =>
      readdirSync(join(ROOT, "packages", name), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name),
    );
    const known = [...Array.from(kept, ([, name]) => name), ...NOT_RUN];
    expect(folders).toEqual(expect.arrayContaining(["dist", "web"]));
    expect([...new Set(folders)].filter((name) => !known.includes(name))).toEqual([]);
  });
});
