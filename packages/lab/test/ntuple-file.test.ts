import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import type { Shape } from "@gridlock/game";
import { Network, readWeights, writeWeights } from "@gridlock/players";
import { StoreError } from "@gridlock/store";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import { Training } from "../src/training/training.js";
import { makePlayer } from "./made.js";

const TWO: Shape = { rows: 2, cols: 2 };
const SIX: Shape = { rows: 2, cols: 3 };

/** A training of some games, in a file of a folder of its own. */
function written(shape: Shape, games: number): { training: Training; file: string } {
  const training = new Training({
    network: new Network(shape),
    seed: 4_000_000_000,
    rate: 0.03,
    games: 0,
  });
  while (training.games < games) training.playGame();
  const file = join(temporaryFolder(), "some.weights");
  writeWeights(file, training);
  return { training, file };
}

describe("a file of weights", () => {
  it("is read as it was written, and its training continues", () => {
    const { training, file } = written(SIX, 50);
    const read = readWeights(file, SIX);
    const haveEqualWeights = () =>
      Buffer.from(read.network.weights.buffer).equals(Buffer.from(training.network.weights.buffer));
    expect(haveEqualWeights()).toBe(true);
    expect(read).toMatchObject({ games: 50, seed: 4_000_000_000, rate: 0.03 });
    const resumed = new Training(read);
    for (let game = 0; game < 10; game++) expect(resumed.playGame()).toEqual(training.playGame());
    expect(haveEqualWeights()).toBe(true);
  });

  it("is refused when any bit of it is wrong, and when it is cut", () => {
    const { file } = written(TWO, 30);
    const whole = readFileSync(file);
    const expectRefused = (bytes: Uint8Array) => {
      writeFileSync(file, bytes);
      expect(() => readWeights(file, TWO)).toThrow(StoreError);
    };
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (whole[at] as number) ^ (1 << (at % 8));
      expectRefused(damaged);
      expectRefused(whole.subarray(0, at));
    }
    expectRefused(Buffer.concat([whole, Buffer.of(0)]));
    writeFileSync(file, whole);
    expect(readWeights(file, TWO).games).toBe(30);
  });

  it("is refused when it inflates to too much, or has no possible rate", () => {
    const { file } = written(TWO, 3);
    const whole = readFileSync(file);
    const head = Buffer.from(whole.subarray(0, 32));
    const refusal = (body: Uint8Array) => {
      head.writeUInt32LE(crc32(body, crc32(head.subarray(0, 28))), 28);
      writeFileSync(file, Buffer.concat([head, body]));
      return () => readWeights(file, TWO);
    };
    expect(refusal(deflateRawSync(Buffer.alloc(2 ** 26)))).toThrow(/has weights of other tuples/);
    expect(refusal(Buffer.from("not deflated"))).toThrow(/is damaged/);
    expect(refusal(Buffer.alloc(2 ** 26))).toThrow(/bytes; expected at most/);
    for (const rate of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      head.writeDoubleLE(rate, 16);
      expect(refusal(whole.subarray(32))).toThrow(/is damaged/);
    }
  });

  it("is refused with a sentence that says why", () => {
    const { file } = written(TWO, 3);
    const folder = temporaryFolder();
    const whole = readFileSync(file);
    const changed = (at: number, byte: number) => {
      const bytes = Buffer.from(whole);
      bytes[at] = byte;
      return bytes;
    };
    for (const [bytes, sentence] of [
      [changed(0, 0x50), /x\.weights was not written by gridlock train$/],
      [Buffer.from("Hello, world. ".repeat(10)), /x\.weights was not written by gridlock train$/],
      [changed(7, 2), /x\.weights was written by another version of gridlock train/],
      [changed(40, 1 ^ (whole[40] as number)), /x\.weights is damaged; make it again/],
    ] as const) {
      const bad = join(folder, "x.weights");
      writeFileSync(bad, bytes);
      expect(() => readWeights(bad, TWO)).toThrow(sentence);
    }
    expect(() => readWeights(file, SIX)).toThrow(
      /some\.weights has weights of 2x2; expected weights of 2x3$/,
    );
    mkdirSync(join(folder, "folder"));
    expect(() => readWeights(join(folder, "folder"), TWO)).toThrow(
      /cannot open .*: it is a folder; expected a regular file$/,
    );
    expect(() => readWeights(join(folder, "none"), TWO)).toThrow(
      /none does not exist; gridlock train 2x2, in a clone of .*, makes weights/,
    );
  });

  it("makes the player that is named after it", async () => {
    const { file } = written(TWO, 3);
    const setting = { shape: TWO };
    const player = await makePlayer(`ntuple:${file}`, setting);
    expect(player.name).toBe(`ntuple:${file}`);
    expect(player.choose(Uint8Array.of(0, 0, 1, 0))).toHaveLength(1);
    await expect(makePlayer(`ntuple:${file}.none`, setting)).rejects.toThrow(/does not exist/);
    await expect(makePlayer("ntuple:", setting)).rejects.toThrow(/expected a file after the colon/);
  });
});
