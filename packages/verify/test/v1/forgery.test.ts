import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "@gridlock/game";
import { gridlock, json, temporaryFolder } from "@gridlock/testbed";
import {
  type Certificate,
  CertificateError,
  encodeCertificate,
  type Report,
  readCertificate,
  verify,
} from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { ClaimOracle, certify, freshFile, gameOf } from "./claim-oracle.js";
import { plainCheck } from "./plain-check.js";

/** Bytes of the SHA-256 at the end of a file. */
const CHECKSUM_BYTES = 32;

function bytesOf(certificate: Certificate): Buffer {
  return Buffer.concat([...encodeCertificate(certificate)]);
}

/** Writes a matching checksum at the end of a file's bytes. */
function seal(bytes: Buffer): void {
  const content = bytes.subarray(0, -CHECKSUM_BYTES);
  createHash("sha256").update(content).digest().copy(bytes, content.length);
}

/** Returns the certificate of a file with these bytes, `undefined` if it cannot be read. */
function readBytes(file: string, bytes: Buffer): Certificate | undefined {
  writeFileSync(file, bytes);
  try {
    return readCertificate(file);
  } catch (error) {
    expect(error).toBeInstanceOf(CertificateError);
    return undefined;
  }
}

/** Returns the part of a report that {@link plainCheck} finds too. */
function countsOf({ bySteps, bySearch, expanded, failed, deepestLayer }: Report) {
  return { bySteps, bySearch, expanded, failed, deepestLayer };
}

describe("a certificate with a flipped bit and a matching checksum", () => {
  it("is rejected, or fails as a plain check finds, or all its claims are true", async () => {
    const file = freshFile();
    const oracle = new ClaimOracle(gameOf("2x2"));
    for (const [effort, step] of [
      [20, 3], // two or three bits of every byte
      [0, 27], // a bit of nearly every third byte
    ] as const) {
      const original = certify(oracle.game, oracle.lean(effort), effort);
      const bytes = bytesOf(original);
      const header = bytes.indexOf("\n\n") + 2;
      let accepted = 0;
      for (let bit = 8 * header; bit < 8 * (bytes.length - CHECKSUM_BYTES); bit += step) {
        const flipped = Buffer.from(bytes);
        const byte = Math.floor(bit / 8);
        flipped[byte] = (flipped[byte] as number) ^ (1 << (bit % 8));
        seal(flipped);
        const certificate = readBytes(file, flipped);
        if (certificate === undefined) continue;
        const report = await verify(certificate, undefined, { threads: 1 });
        expect(countsOf(report), `bit ${bit}`).toEqual(plainCheck(certificate));
        if (report.failed > 0) continue;
        accepted++;
        for (let i = 0; i < certificate.claims.size; i++) {
          expect(oracle.isTrue(certificate.claims.at(i)), `bit ${bit}`).toBe(true);
        }
      }
      expect(accepted).toBeGreaterThan(0);
    }
  });
});

describe("the check of a certificate that prove made", () => {
  it("counts as a plain check does, before and after many claims are changed", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "test.certificate");
    const random = seededRandom(1);
    await json(folder, ["solve", "2x3", "--quiet", "--json"]);
    for (const [effort, changes] of [
      [20, 20],
      [0, 200],
    ] as const) {
      await json(folder, ["prove", "2x3", "--json", "--proof-effort", String(effort)]);
      await gridlock(folder, ["export", "2x3", "--format", "certificate", "--output", file]);
      const certificate = readCertificate(file);
      const sound = await verify(certificate, undefined, { threads: 2 });
      expect(sound.complete).toBe(true);
      expect(countsOf(sound)).toEqual(plainCheck(certificate));

      const claims = Array.from({ length: certificate.claims.size }, (_, i) =>
        certificate.claims.at(i),
      );
      for (let i = 0; i < changes; i++) {
        const index = Math.floor(random() * claims.length);
        const claim = claims[index] as (typeof claims)[number];
        const by = 4 * Math.floor(5 * random() - 2);
        claims[index] = {
          ...claim,
          lo: Math.max(0, claim.lo + by),
          hi: Math.max(0, claim.hi + by),
        };
      }
      const changed = certify(certificate.game, claims, effort);
      const report = await verify(changed, undefined, { threads: 2 });
      expect(report.failed).toBeGreaterThan(changes / 10);
      expect(countsOf(report)).toEqual(plainCheck(changed));
    }
  });
});
