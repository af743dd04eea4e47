import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { formatBoard, parseShape, unpackBoard } from "@gridlock/game";
import { LayersReader } from "@gridlock/layers";
import {
  GRIDLOCK,
  gridlock,
  json,
  Oracle,
  Process,
  temporaryFolder,
  until,
} from "@gridlock/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const game = { shape: parseShape("2x3"), tiles: [2, 4] } as const;

/** A folder whose database has 2×3, solved by layers. */
let folder: string;
let layers: string;

/** Afterstates whose values the files have, as `query` takes them, and their values. */
const valued: { readonly text: string; readonly value: number }[] = [];

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  await json(folder, ["solve", "2x3", "--method", "layers", "--json"]);
  layers = join(folder, "results/gridlock.2x3.layers");
  for (const { board, lo, hi } of new LayersReader(game, layers).bounds()) {
    if (lo !== hi || lo === 0) continue;
    valued.push({ text: formatBoard(unpackBoard(game.shape, board), "placer"), value: lo });
  }
});

/** Starts a proof of 2×3 by layers that takes many seconds, and hardly any processor time. */
function slowProof(cwd: string): Process {
  return new Process(GRIDLOCK, ["solve", "2x3", "--method", "layers", "--workers", "1"], {
    cwd,
    slowed: 2000,
  });
}

/** The name of the largest file of a block. */
function largestBlock(): string {
  const size = (name: string) => readFileSync(join(layers, name)).length;
  return readdirSync(layers)
    .filter((name) => name.endsWith(".block"))
    .reduce((a, b) => (size(b) > size(a) ? b : a));
}

/** Does something while the largest file of a block is damaged. */
async function whileDamaged<T>(work: (file: string) => Promise<T>): Promise<T> {
  const file = join(layers, largestBlock());
  const bytes = readFileSync(file);
  const changed = Buffer.from(bytes);
  for (let at = 64; at < changed.length; at += 4096) changed[at] = (changed[at] as number) ^ 1;
  writeFileSync(file, changed);
  try {
    return await work(`results/gridlock.2x3.layers/${largestBlock()}`);
  } finally {
    writeFileSync(file, bytes);
  }
}

describe("gridlock query beside a proof by layers", () => {
  const input = () => `${valued.map(({ text }) => text).join("\n")}\n`;
  const values = (stdout: string) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).value);
  const args = ["query", "--values", "--json", "--budget", "0"];

  it("finds values in the files without search", async () => {
    expect(valued.length).toBeGreaterThan(80);
    const { code, stdout, stderr } = await gridlock(folder, args, { input: input() });
    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(values(stdout)).toEqual(valued.map(({ value }) => value));

    renameSync(layers, `${layers}.hidden`);
    const without = await gridlock(folder, args, { input: input() });
    renameSync(`${layers}.hidden`, layers);
    const known = values(without.stdout).filter((value) => value !== null);
    expect(known.length).toBeLessThan(valued.length / 2);
  });

  it("answers a start with its moves and line, and a board that only a slide leads to", async () => {
    const answer = await json(folder, ["query", "2 2 0/0 0 0", "--json", "--budget", "0"]);
    expect(answer).toMatchObject({ value: 44 });
    expect(answer.line.length).toBeGreaterThan(10);
    expect(answer.moves.some(({ value }: { value: number | null }) => value !== null)).toBe(true);
  });

  it("names a damaged file once, and continues without it", async () => {
    await whileDamaged(async (file) => {
      const { code, stdout, stderr } = await gridlock(folder, args, { input: input() });
      expect(code).toBe(0);
      expect(stderr).toBe(`searching instead: ${file} is missing or damaged\n`);
      const found = values(stdout);
      expect(found.filter((value) => value === null).length).toBeGreaterThan(0);
      found.forEach((value, i) => {
        if (value !== null) expect(value).toBe(valued[i]?.value);
      });
    });
  });

  it("gives true intervals for a third of all boards, and the values of many", async () => {
    const nodes = [...new Oracle(game).valueAll().nodes()].filter((_, i) => i % 3 === 0);
    const texts = nodes.map(({ turn, board }) => formatBoard(unpackBoard(game.shape, board), turn));
    const { stdout } = await gridlock(folder, args, { input: `${texts.join("\n")}\n` });
    const answers = stdout.trimEnd().split("\n");
    expect(answers).toHaveLength(nodes.length);
    const known = { slider: 0, placer: 0 };
    nodes.forEach(({ turn, value }, i) => {
      const { lo, hi } = JSON.parse(answers[i] as string);
      expect(lo, texts[i]).toBeLessThanOrEqual(value);
      expect(hi, texts[i]).toBeGreaterThanOrEqual(value);
      if (lo > 0 && lo === hi) known[turn]++;
    });
    expect(known.slider).toBeGreaterThan(20);
    expect(known.placer).toBeGreaterThan(20);
  });

  it("explains why it cannot use a folder, and searches", async () => {
    const other = temporaryFolder();
    await json(other, ["solve", "2x2", "--method", "layers", "--json"]);
    const results = join(other, "results");
    renameSync(join(results, "gridlock.2x2.layers"), join(results, "gridlock.2x3.layers"));
    const { code, stdout, stderr } = await gridlock(other, ["query", "2 2 0/0 0 0", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).value).toBe(44);
    expect(stderr).toMatch(/^searching instead: .*progress.db belongs to "2x2"/);
  });

  it("answers while the proof is being made", async () => {
    const own = temporaryFolder();
    await using solving = slowProof(own);
    const progress = join(own, "results/gridlock.2x3.layers/progress.db");
    await until("the proof is begun", () => existsSync(progress));
    for (let i = 0; i < 4; i++) {
      const board = ["query", "2 2 0/0 0 0", "--json", "--budget", "0"];
      const { code, stdout, stderr } = await gridlock(own, board);
      expect(stderr).toBe("");
      expect(code).toBe(0);
      const { lo, hi } = JSON.parse(stdout);
      expect(lo).toBeLessThanOrEqual(44);
      expect(hi).toBeGreaterThanOrEqual(44);
    }
    expect((await solving.kill("SIGINT")).code).toBe(130);
  });
});

describe("gridlock status beside a proof by layers", () => {
  const statusOf = async (where: string) => (await json(where, ["status", "--json"])).games[0];
  const bytesIn = (where: string) =>
    readdirSync(where).reduce((sum, name) => sum + statSync(join(where, name)).size, 0);

  it("reports the contents of the folder", async () => {
    const status = await statusOf(folder);
    expect(status.layers).toMatchObject({
      ...{ folder: "results/gridlock.2x3.layers", state: "done", bytes: bytesIn(layers) },
      ...{
        blocks: readdirSync(layers).filter((name) => /^[0-9a-e].*k$/.test(name)).length,
        live: 0,
      },
    });
    const { boards, expanded, seconds, round } = status.layers;
    expect(boards).toBeGreaterThan(valued.length);
    expect(expanded).toBeGreaterThan(400);
    expect(seconds).toBeGreaterThan(0);
    expect(round).toBeGreaterThan(0);
    const { stdout } = await gridlock(folder, ["status"]);
    expect(stdout).toMatch(/^layers +state +blocks +boards +expanded +time +size +folder$/m);
    expect(stdout).toMatch(/^2x3 +done +\d+ +[\d,]+ +[\d,]+ .* results\/gridlock\.2x3\.layers$/m);
  });

  it("reports whether a proof is being made, and the faults of a folder", async () => {
    const own = temporaryFolder();
    await using solving = slowProof(own);
    const own2x3 = join(own, "results/gridlock.2x3.layers");
    await until("the proof is begun", () => existsSync(join(own2x3, "progress.db")));
    await until("something is saved", async () => (await statusOf(own)).layers.expanded > 0);
    expect((await statusOf(own)).layers).toMatchObject({ state: "running" });
    expect((await solving.kill()).signal).toBe("SIGKILL");
    const { layers: stopped } = await statusOf(own);
    expect(stopped).toMatchObject({ state: "stopped", round: 1 });
    expect(stopped.expanded).toBeGreaterThan(0);

    const progress = join(own2x3, "progress.db");
    rmSync(progress);
    for (const ending of ["-wal", "-shm"]) rmSync(`${progress}${ending}`, { force: true });
    const damaged = (await statusOf(own)).layers;
    expect(damaged).not.toHaveProperty("state");
    expect(damaged.error).toMatch(/^there is no progress file of a proof by layers/);
    const { code, stdout } = await gridlock(own, ["status"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2x3 +– .* there is no progress file of a proof by layers/m);
  });
});

describe("gridlock prove after a proof by layers", () => {
  it("searches nothing, and the certificate holds", async () => {
    const proven = await json(folder, ["prove", "2x3", "--json"]);
    expect(proven).toMatchObject({ nodes: 0, bySearch: 0 });
    const searched = temporaryFolder();
    await json(searched, ["solve", "2x3", "--workers", "1", "--json"]);
    const { claims } = await json(searched, ["prove", "2x3", "--json"]);
    expect(proven.claims / claims).toBeGreaterThan(0.9);
    expect(proven.claims / claims).toBeLessThan(1.1);
    const report = await json(folder, ["verify", "2x3", "--json"]);
    expect(report).toMatchObject({ complete: true, failed: 0, checked: proven.claims });
  });

  it("names a damaged file, and searches for its bounds", async () => {
    await whileDamaged(async (file) => {
      const { code, stdout, stderr } = await gridlock(folder, ["prove", "2x3", "--json"]);
      expect(code).toBe(0);
      expect(stderr).toContain(`${file} is missing or damaged; searching again for what it had\n`);
      expect(JSON.parse(stdout).nodes).toBeGreaterThan(0);
    });
    expect(await json(folder, ["verify", "2x3", "--json"])).toMatchObject({ complete: true });
  });
});
