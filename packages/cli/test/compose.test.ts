import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GRIDLOCK, Process, startRedis, temporaryFolder } from "@gridlock/testbed";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILE = join(ROOT, "docker-compose.yml");

/** Folders of packages that nothing runs from; what a package runs from its own modules is bundled. */
const NOT_RUN = ["api-client", "assembly", "node_modules", "src", "test"];

interface Service {
  readonly build?: string;
  readonly image?: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
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
