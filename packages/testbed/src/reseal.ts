import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/*
 * Functions that make the checksums of changed files right again, as somebody who forges them
 * would.
 */

/** Computes the digests of a certificate's blocks anew; see `docs/certificate.md`. */
export function resealCertificate(bytes: Buffer): void {
  const [head, digested] = [44, 28];
  for (let at = bytes.indexOf("\n\n") + 2; at >= 2 && at + head <= bytes.length; ) {
    const end = at + head + bytes.readUInt32LE(at + 8);
    if (end > bytes.length) return;
    const hash = createHash("sha256").update(bytes.subarray(at, at + digested));
    const digest = hash.update(bytes.subarray(at + head, end)).digest();
    digest.copy(bytes, at + digested, 0, head - digested);
    at = end;
  }
}

/** Computes the checksum of a file of weights anew; see `players/src/weights-file.ts`. */
export function resealWeights(bytes: Buffer): void {
  if (bytes.length < 32) return;
  const sum = crc32(bytes.subarray(32), crc32(bytes.subarray(0, 28)));
  bytes.writeUInt32LE(sum, 28);
}

/** Computes the checksums of a tabulation's column anew; see `tablebase/src/layer-format.ts`. */
export function resealColumn(bytes: Buffer): void {
  const [fileHead, layerHead, entry] = [24, 32, 16];
  if (bytes.length < fileHead) return;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20)), 20);
  for (let at = fileHead; at + layerHead <= bytes.length; ) {
    const blocks = bytes.readUInt32LE(at + 16);
    const directory = at + layerHead;
    const data = directory + entry * blocks;
    if (data > bytes.length) return;
    let end = data;
    for (let i = directory; i < data; i += entry) {
      const length = bytes.readUInt32LE(i + 8);
      bytes.writeUInt32LE(crc32(bytes.subarray(end, end + length)), i + 12);
      end += length;
    }
    const head = bytes.subarray(at, at + 28);
    bytes.writeUInt32LE(crc32(Buffer.concat([head, bytes.subarray(directory, data)])), at + 28);
    at = end;
  }
}
