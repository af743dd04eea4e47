import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Eight bits each of red, green and blue. */
const TRUE_COLOUR = [8, 2, 0, 0, 0];

/**
 * Encodes opaque pixels as PNG. The rasterizer's own encoder takes twice as long as its drawing.
 *
 * @param pixels four bytes each, of which the last, the opacity, is left out
 */
export function encodePng(
  pixels: Uint8Array,
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  // Each row begins with its filter: 0, none.
  const rows = Buffer.alloc(height * (1 + 3 * width));
  let to = 0;
  for (let i = 0; i < 4 * width * height; i += 4) {
    if (i % (4 * width) === 0) to++;
    rows[to++] = pixels[i] as number;
    rows[to++] = pixels[i + 1] as number;
    rows[to++] = pixels[i + 2] as number;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(TRUE_COLOUR, 8);
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(rows)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}
