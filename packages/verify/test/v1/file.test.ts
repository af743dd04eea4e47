import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { packedFromBits } from "@gridlock/game";
import {
  type Certificate,
  CertificateError,
  type CertificateErrorCode,
  encodeCertificate,
  readCertificate,
} from "@gridlock/verify";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClaimOracle, certify, freshFile, gameOf } from "./claim-oracle.js";

const SMALL = new ClaimOracle(gameOf("2x2"));
const CERTIFICATE = certify(SMALL.game, SMALL.lean(20), 20);

function bytesOf(certificate: Certificate): Buffer {
  return Buffer.concat([...encodeCertificate(certificate)]);
}

/** Returns any bytes with a matching checksum at their end. */
function sealed(...parts: (string | Uint8Array)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([content, createHash("sha256").update(content).digest()]);
}

/** Returns the error that reading a file, or these bytes in it, throws. */
function failureOf(file: string, bytes?: Uint8Array): CertificateError {
  if (bytes) writeFileSync(file, bytes);
  try {
    readCertificate(file);
  } catch (error) {
    expect(error).toBeInstanceOf(CertificateError);
    expect((error as Error).message).toContain(file);
    return error as CertificateError;
  }
  throw new Error("reading the file did not fail");
}

function contentOf({ game, effort, claims }: Certificate) {
  return { game, effort, claims: Array.from({ length: claims.size }, (_, i) => claims.at(i)) };
}

describe("the file of a certificate", () => {
  it("survives being written and read, for any game, empty or of several chunks", () => {
    const file = freshFile();
    const wide = new ClaimOracle(gameOf("2x3", [2]));
    const many = Array.from({ length: 100_000 }, (_, i) => ({
      board: packedFromBits(BigInt(i)),
      lo: i,
      hi: i,
    }));
    for (const certificate of [
      CERTIFICATE,
      certify(wide.game, wide.full(), 1_000_000),
      certify(gameOf("1x2"), []),
      certify(gameOf("4x4"), many, 1),
    ]) {
      const pieces = [...encodeCertificate(certificate)];
      writeFileSync(file, Buffer.concat(pieces));
      expect(contentOf(readCertificate(file))).toEqual(contentOf(certificate));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2 ** 20);
    }
  });

  it("has the bytes that docs/certificate.md describes", () => {
    const claims = [
      { board: packedFromBits(0x11n), lo: 12, hi: Number.POSITIVE_INFINITY },
      { board: packedFromBits(0x123n), lo: 0, hi: 0x1234 },
    ];
    const header = "gridlock certificate 1\nshape 2x3\ntiles 2,4\neffort 7\nclaims 2\n\n";
    const records =
      "1100000000000000" + "0c000000" + "ffffffff" + "2301000000000000" + "00000000" + "34120000";
    for (const shape of ["2x3", "3x2"]) {
      const bytes = bytesOf(certify(gameOf(shape), claims, 7));
      expect(bytes).toEqual(sealed(header, Buffer.from(records, "hex")));
    }
  });

  it("is rejected if truncated anywhere or extended", () => {
    const file = freshFile();
    const bytes = bytesOf(CERTIFICATE);
    const codes = new Set<CertificateErrorCode>();
    for (let length = 0; length < bytes.length; length++) {
      codes.add(failureOf(file, bytes.subarray(0, length)).code);
    }
    expect(codes).toEqual(new Set(["not-a-certificate", "bad-header", "wrong-length"]));
    for (const more of [1, 16, 32]) {
      const { code } = failureOf(file, Buffer.concat([bytes, Buffer.alloc(more)]));
      expect(code).toBe("wrong-length");
    }
  });

  it("is rejected with any bit flipped", () => {
    const file = freshFile();
    const bytes = bytesOf(CERTIFICATE);
    const header = bytes.indexOf("\n\n") + 2;
    fc.assert(
      fc.property(fc.nat(8 * bytes.length - 1), (bit) => {
        const flipped = Buffer.from(bytes);
        const byte = Math.floor(bit / 8);
        flipped[byte] = (flipped[byte] as number) ^ (1 << (bit % 8));
        const { code } = failureOf(file, flipped);
        if (byte >= header) expect(code).toBe("bad-checksum");
      }),
      { numRuns: 400 },
    );
  });

  it("is rejected with a wrong header, even if the checksum matches", () => {
    const file = freshFile();
    const header = (
      lines: Partial<Record<"first" | "shape" | "tiles" | "effort" | "claims", string>>,
    ) =>
      `gridlock certificate ${lines.first ?? 1}\nshape ${lines.shape ?? "2x2"}\ntiles ${lines.tiles ?? "2,4"}\neffort ${lines.effort ?? 0}\nclaims ${lines.claims ?? 0}\n\n`;
    writeFileSync(file, sealed(header({})));
    expect(readCertificate(file).claims.size).toBe(0);
    for (const lines of [
      { shape: "3x2" },
      { shape: "1x1" },
      { shape: "4x5" },
      { shape: "0x4" },
      { shape: "02x2" },
      { shape: "2×2" },
      { tiles: "4" },
      { tiles: "2, 4" },
      { tiles: "4,2" },
      { effort: "-1" },
      { effort: "01" },
      { effort: "1e3" },
      { effort: "" },
      { claims: "0x0" },
      { claims: " 0" },
      { claims: "99999999999999999999" },
      { claims: "0\r" },
      { claims: "0\nmore 1" },
    ]) {
      const { code, message } = failureOf(file, sealed(header(lines)));
      expect(code, JSON.stringify(lines)).toBe("bad-header");
      expect(message).toMatch(/line \d .*expected/);
    }
    expect(failureOf(file, sealed(header({ first: "2" }))).code).toBe("other-version");
    expect(failureOf(file, sealed(header({ first: "one" }))).code).toBe("not-a-certificate");
    expect(failureOf(file, sealed(header({ claims: "1" }))).code).toBe("wrong-length");
  });

  it("is rejected with claims out of order, but read with values that no position has", () => {
    const file = freshFile();
    const header = "gridlock certificate 1\nshape 2x2\ntiles 2,4\neffort 0\nclaims 2\n\n";
    const record = (board: number, lo: number) => {
      const bytes = Buffer.alloc(16);
      bytes.writeUInt32LE(board, 0);
      bytes.writeUInt32LE(lo, 8);
      return bytes;
    };
    expect(failureOf(file, sealed(header, record(2, 1), record(1, 1))).code).toBe("disorder");
    expect(failureOf(file, sealed(header, record(1, 1), record(1, 1))).code).toBe("disorder");
    writeFileSync(file, sealed(header, record(1, 3), record(2, 5)));
    expect(readCertificate(file).claims.at(1)).toEqual({ board: 2n, lo: 5, hi: 0 });
  });

  it("is rejected if it is missing", () => {
    const file = freshFile();
    expect(failureOf(file).code).toBe("missing");
    expect(failureOf(dirname(file)).code).toBe("unreadable");
    expect(failureOf(file, Buffer.from("SQLite format 3\0")).code).toBe("not-a-certificate");
  });

  it("is rejected at once if it is a named pipe", () => {
    const file = freshFile();
    execFileSync("mkfifo", [file]);
    // In a separate process: opening the pipe would block this one for ever.
    const script = `
      import { readCertificate } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)};
      try { readCertificate(${JSON.stringify(file)}); } catch (error) { console.log(error.message); }`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stdout).toBe(`cannot read ${file}: it is not a regular file\n`);
  });
});
