import { writeFileSync } from "node:fs";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { seededRandom } from "@gridlock/game";
import { encodeCertificate } from "@gridlock/testbed";
import {
  CertificateError,
  CertificateFile,
  encodeEnd,
  LEAST_MEMORY,
  verifyCertificate,
} from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { ClaimOracle, freshFile, gameOf, partsOf, rawBlock } from "./certificates.js";
import { plainCheck } from "./plain-check.js";

const ORACLE = new ClaimOracle(gameOf("2x2"));

type Random = (below: number) => number;
/** Changes the parts of a file: its header, blocks and end block. */
type Mutation = (parts: Buffer[], random: Random) => Buffer[];

/** Returns a block with another head or payload, and a digest that fits. */
function resealed(block: Buffer, change: (head: Buffer, payload: Buffer) => Buffer): Buffer {
  const head = Buffer.from(block.subarray(0, 28));
  const payload = change(head, Buffer.from(block.subarray(44)));
  const [sum, count] = [head.readUInt32LE(0), head.readUInt32LE(4)];
  const [first, last] = [head.readBigUInt64LE(12), head.readBigUInt64LE(20)];
  return rawBlock({ sum, count, first, last, payload });
}

function flip(bytes: Buffer, random: Random): void {
  const byte = random(bytes.length);
  bytes[byte] = (bytes[byte] as number) ^ (1 << random(8));
}

/** Changes one block of a file, neither the header nor the end block. */
function oneBlock(change: (block: Buffer, random: Random) => Buffer[]): Mutation {
  return (parts, random) => {
    const at = 1 + random(parts.length - 2);
    return [...parts.slice(0, at), ...change(parts[at] as Buffer, random), ...parts.slice(at + 1)];
  };
}

/** Changes the inflated columns of a block. */
function columns(change: (bytes: Buffer, random: Random) => Buffer): Mutation {
  return oneBlock((block, random) => [
    resealed(block, (_, payload) => deflateRawSync(change(inflateRawSync(payload), random))),
  ]);
}

/** Writes an end block that fits the blocks before it. */
const fitEnd: Mutation = (parts) => {
  const blocks = parts.slice(1, -1);
  const claims = blocks.reduce((sum, block) => sum + block.readUInt32LE(4), 0);
  return [...parts.slice(0, -1), Buffer.from(encodeEnd(claims, blocks.length))];
};

const MUTATIONS: Record<string, Mutation> = {
  "a bit of the file": (parts, random) => {
    const bytes = Buffer.concat(parts);
    flip(bytes, random);
    return [bytes];
  },
  "a bit of the columns": columns((bytes, random) => {
    flip(bytes, random);
    return bytes;
  }),
  "a byte of the columns": columns((bytes, random) => {
    bytes[random(bytes.length)] = random(256);
    return bytes;
  }),
  "longer or shorter columns": columns((bytes, random) => {
    const at = random(bytes.length + 1);
    const more = Buffer.from(Array.from({ length: random(3) }, () => random(256)));
    return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + random(3))]);
  }),
  "columns without end": columns((bytes) => Buffer.concat([bytes, Buffer.alloc(2 ** 20)])),
  "a bit of the payload": oneBlock((block, random) => [
    resealed(block, (_, payload) => {
      flip(payload, random);
      return payload;
    }),
  ]),
  "a padded payload": oneBlock((block, random) => [
    resealed(block, (_, payload) => Buffer.concat([payload, Buffer.alloc(1 + random(9))])),
  ]),
  "a bit of a head": oneBlock((block, random) => [
    resealed(block, (head, payload) => {
      flip(head, random);
      return payload;
    }),
  ]),
  "another tile sum": oneBlock((block, random) => [
    resealed(block, (head, payload) => {
      head.writeUInt32LE(2 * random(20), 0);
      return payload;
    }),
  ]),
  "a huge count": oneBlock((block, random) => [
    resealed(block, (head, payload) => {
      head.writeUInt32LE([2 ** 32 - 1, 2 ** 31, 16_384, 16_385][random(4)] as number, 4);
      return payload;
    }),
  ]),
  "a block left out": (parts, random) => fitEnd(oneBlock(() => [])(parts, random), random),
  "a block twice": (parts, random) =>
    fitEnd(oneBlock((block) => [block, block])(parts, random), random),
  "blocks swapped": (parts, random) => {
    const [a, b] = [1 + random(parts.length - 2), 1 + random(parts.length - 2)];
    return parts.with(a, parts[b] as Buffer).with(b, parts[a] as Buffer);
  },
  "a file cut short": (parts, random) => {
    const bytes = Buffer.concat(parts);
    return [bytes.subarray(0, random(bytes.length))];
  },
  "a padded file": (parts, random) => [...parts, Buffer.alloc(1 + random(100), random(256))],
  "huge numbers at the end": (parts, random) => [
    ...parts.slice(0, -1),
    Buffer.from(encodeEnd(random(2) ? 2n ** 60n : 2n ** 64n - 1n, 2 ** 52)),
  ],
};

/** Returns whether a plain check refuses a file, or finds that a claim does not follow. */
function plainlyFails(bytes: Buffer): boolean {
  try {
    return plainCheck(bytes).failed > 0;
  } catch {
    return true;
  }
}

describe("a mutated certificate", () => {
  it("is accepted only if it is well-formed and all its claims follow", {
    timeout: 300_000,
  }, async () => {
    const { game } = ORACLE;
    const original = partsOf(await encodeCertificate(game, ORACLE.lean()));
    const file = freshFile();
    const seeded = seededRandom(1);
    const random = (below: number) => Math.floor(below * seeded());
    const outcomes = { refused: 0, failed: 0, holds: 0 };
    for (let i = 0; i < 1_000; i++) {
      const names = Object.keys(MUTATIONS);
      const name = names[i % names.length] as string;
      const bytes = Buffer.concat((MUTATIONS[name] as Mutation)(original, random));
      writeFileSync(file, bytes);
      try {
        using certificate = CertificateFile.open(file);
        const options = { threads: 1, memory: LEAST_MEMORY };
        const { lower, upper, failed } = await verifyCertificate(certificate, undefined, options);
        expect({ lower, upper, failed }, name).toEqual(plainCheck(bytes));
        outcomes[failed > 0 ? "failed" : "holds"]++;
        if (failed > 0) continue;
        for (const claim of certificate.all()) expect(ORACLE.isTrue(claim), name).toBe(true);
      } catch (error) {
        if (!(error instanceof CertificateError)) throw error;
        expect(plainlyFails(bytes), `${name}: ${error.message}`).toBe(true);
        outcomes.refused++;
      }
    }
    for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(10);
  });
});
