import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { deflateRawSync } from "node:zlib";
import { packedFromBits, starts, unpackBoard } from "@gridlock/game";
import { ascending, encodeCertificate } from "@gridlock/testbed";
import {
  CertificateError,
  type CertificateErrorCode,
  CertificateFile,
  CLAIMS_PER_BLOCK,
  encodeEnd,
  encodeHeader,
  fileIdentity,
  LEAST_MEMORY,
  verifyCertificate,
} from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import {
  blockOfRows,
  ClaimOracle,
  certify,
  columnsOf,
  freshFile,
  gameOf,
  opened,
  partsOf,
  type RawBlock,
  type Row,
  rawBlock,
} from "./certificates.js";

const SMALL = new ClaimOracle(gameOf("2x2"));
const CLAIMS = SMALL.lean();
const OPTIONS = { threads: 1, memory: LEAST_MEMORY };

/** Returns the error that opening or checking a file with these bytes throws. */
async function failureOf(bytes: Uint8Array, file = freshFile()): Promise<CertificateError> {
  writeFileSync(file, bytes);
  try {
    using certificate = CertificateFile.open(file);
    await verifyCertificate(certificate, undefined, OPTIONS);
  } catch (error) {
    expect(error).toBeInstanceOf(CertificateError);
    expect((error as Error).message).toContain(file);
    return error as CertificateError;
  }
  throw new Error("checking the file did not fail");
}

/** Returns a file of 2×3 with these blocks, and an end block that fits, or else `end`. */
function fileOf(blocks: readonly RawBlock[], end?: Uint8Array): Buffer {
  const claims = blocks.reduce((sum, { count }) => sum + count, 0);
  return Buffer.concat([
    encodeHeader(gameOf("2x3")),
    ...blocks.map(rawBlock),
    end ?? encodeEnd(claims, blocks.length),
  ]);
}

/** Claims that a block may hold, whatever their boards are. */
const ROWS: Row[] = [
  [0x11n, 3, 0],
  [0x123n, 0, 0x1234],
  [0x2_0001n, 1, 1],
];
/** As many as a block must hold before another one of the same tile sum. */
const MANY = Array.from({ length: CLAIMS_PER_BLOCK }, (_, i): Row => [BigInt(i + 1), 1, 0]);

describe("the file of a certificate", () => {
  it("has the claims that were written, by tile sum and board", async () => {
    const wide = new ClaimOracle(gameOf("2x3", [2]));
    for (const [game, claims] of [
      [SMALL.game, CLAIMS],
      [wide.game, wide.full()],
      [gameOf("1x2"), []],
    ] as const) {
      const file = await certify(game, claims);
      expect(file.game).toEqual(game);
      expect(file.claims).toBe(claims.length);
      expect(ascending([...file.all()])).toEqual(claims);
      const sums = file.groups.map(({ tileSum }) => tileSum);
      expect(sums).toEqual(sums.toSorted((a, b) => a - b));
      for (const { board, lo, hi } of claims) {
        expect(file.claimed(unpackBoard(game.shape, board))).toEqual({ lo, hi });
      }
    }
  });

  it("of docs/certificate.md is complete", async () => {
    const page = readFileSync(new URL("../../../docs/certificate.md", import.meta.url), "utf8");
    const lines = page.match(/^[0-9a-f]{8} [0-9a-f ]+$/gm) ?? [];
    const blocks = lines.map((line) => Buffer.from(line.replaceAll(" ", ""), "hex"));
    expect(blocks).toHaveLength(5);
    const file = opened(Buffer.concat([encodeHeader(gameOf("1x2")), ...blocks]));
    const report = await verifyCertificate(file, undefined, OPTIONS);
    expect(report).toMatchObject({ claims: 4, lower: 2, upper: 4, complete: true });
    expect(report.starts.map(({ value }) => value)).toEqual([4, 0, 8]);
  });

  it("answers that nothing is claimed of other boards", async () => {
    const gone = new Set(starts(SMALL.game.shape).map((start) => JSON.stringify(start)));
    const rest = CLAIMS.filter(({ board }) => !gone.has(JSON.stringify(SMALL.boardOf(board))));
    const file = await certify(SMALL.game, rest);
    for (const start of starts(SMALL.game.shape)) {
      expect(file.claimed(start)).toEqual({ lo: 0, hi: Number.POSITIVE_INFINITY });
    }
    const huge = { rows: 2, cols: 2, cells: [2 ** 16, 0, 0, 0] };
    expect(file.claimed(huge)).toEqual({ lo: 0, hi: Number.POSITIVE_INFINITY });
  });

  it("may have several blocks of one tile sum", () => {
    const rest: Row[] = [[2n ** 20n, 5, 6]];
    const file = opened(fileOf([blockOfRows(4, MANY), blockOfRows(4, rest)]));
    expect(file.groups).toEqual([{ tileSum: 4, from: 0, to: 2, claims: MANY.length + 1 }]);
    expect(file.at({ block: 0, index: 77 })).toEqual({ board: 78n, lo: 4, hi: Infinity });
    expect(file.at({ block: 1, index: 0 })).toEqual({ board: 2n ** 20n, lo: 20, hi: 20 });
  });

  it("is rejected if truncated anywhere or extended", async () => {
    const bytes = await encodeCertificate(SMALL.game, CLAIMS);
    const file = freshFile();
    const codes = new Set<CertificateErrorCode>();
    for (let length = 0; length < bytes.length; length++) {
      codes.add((await failureOf(bytes.subarray(0, length), file)).code);
    }
    expect(codes).toEqual(new Set(["not-a-certificate", "bad-header", "wrong-length"]));
    for (const more of [1, 44, 60]) {
      const { code } = await failureOf(Buffer.concat([bytes, Buffer.alloc(more)]), file);
      expect(code).toBe("wrong-length");
    }
  });

  it("is rejected with any bit after the header flipped", async () => {
    const file = freshFile();
    const bytes = await encodeCertificate(SMALL.game, CLAIMS);
    const header = encodeHeader(SMALL.game).length;
    const codes = new Set<CertificateErrorCode>();
    for (let bit = 8 * header; bit < 8 * bytes.length; bit += 5) {
      const flipped = Buffer.from(bytes);
      const byte = Math.floor(bit / 8);
      flipped[byte] = (flipped[byte] as number) ^ (1 << (bit % 8));
      codes.add((await failureOf(flipped, file)).code);
    }
    expect(codes).toContain("bad-checksum");
  });

  it("is rejected with a wrong header", async () => {
    const end = encodeEnd(0, 0);
    const header = (lines: Partial<Record<"first" | "shape" | "tiles" | "last", string>>) =>
      Buffer.concat([
        Buffer.from(
          `gridlock certificate ${lines.first ?? 2}\nshape ${lines.shape ?? "2x2"}\ntiles ${lines.tiles ?? "2,4"}\n${lines.last ?? ""}\n`,
        ),
        end,
      ]);
    expect(opened(header({})).claims).toBe(0);
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
      { tiles: "2\r" },
      { last: "claims 7" },
    ]) {
      const { code, message } = await failureOf(header(lines));
      expect(code, JSON.stringify(lines)).toBe("bad-header");
      expect(message).toMatch(/has the header ".*expected lines such as/);
    }
    const old = Buffer.from("gridlock certificate 1\nshape 2x3\ntiles 2,4\neffort 0\nclaims 0\n\n");
    const { code, message } = await failureOf(old);
    expect(code).toBe("other-version");
    expect(message).toMatch(
      /version 1; this program reads version 2: make it again with gridlock prove/,
    );
    expect((await failureOf(header({ first: "one" }))).code).toBe("not-a-certificate");
  });

  it("is rejected with heads out of order or out of range, though their digests match", async () => {
    const block = blockOfRows(4, ROWS);
    expect(opened(fileOf([block])).claims).toBe(3);
    const wrong: [readonly RawBlock[], CertificateErrorCode][] = [
      [[{ ...block, sum: 6 }, block], "disorder"],
      [[block, block], "disorder"],
      [[block, { ...block, first: 2n ** 20n, last: 2n ** 20n + 9n }], "disorder"],
      [[blockOfRows(4, MANY), block], "disorder"],
      [[{ ...block, sum: 5 }], "bad-value"],
      [[{ ...block, sum: 254 }], "bad-value"],
      [[{ ...block, sum: 2 ** 32 - 2 }], "bad-value"],
      [[{ ...block, count: 0 }], "bad-value"],
      [[{ ...block, count: CLAIMS_PER_BLOCK + 1 }], "bad-value"],
      [[{ ...block, count: 2 ** 32 - 1 }], "bad-value"],
      [[{ ...block, last: 2n ** 24n }], "bad-value"],
      [[{ ...block, payload: Buffer.alloc(125) }], "bad-value"],
      [[{ ...block, payload: Buffer.alloc(0) }], "bad-value"],
      [[{ ...block, first: block.last, last: block.first }], "disorder"],
      [[{ ...block, count: 1 }], "disorder"],
      [[{ ...block, last: block.first }], "disorder"],
    ];
    for (const [blocks, code] of wrong) {
      const error = await failureOf(fileOf(blocks));
      expect(error.code, error.message).toBe(code);
    }
  });

  it("is rejected with a wrong end block, though its digest matches", async () => {
    const block = blockOfRows(4, ROWS);
    const end = { sum: 0, count: 0, first: 0n, last: 0n, payload: Buffer.alloc(16) };
    const counts = (claims: bigint, blocks: bigint) => {
      const payload = Buffer.alloc(16);
      payload.writeBigUInt64LE(claims, 0);
      payload.writeBigUInt64LE(blocks, 8);
      return payload;
    };
    expect(opened(fileOf([block], rawBlock({ ...end, payload: counts(3n, 1n) }))).claims).toBe(3);
    for (const [changed, code] of [
      [{ payload: counts(4n, 1n) }, "wrong-length"],
      [{ payload: counts(3n, 2n) }, "wrong-length"],
      [{ payload: counts(2n ** 60n, 2n ** 60n) }, "wrong-length"],
      [{ payload: Buffer.alloc(15) }, "wrong-length"],
      [{ payload: Buffer.alloc(17) }, "bad-value"],
      [{ payload: counts(3n, 1n), count: 1 }, "bad-value"],
      [{ payload: counts(3n, 1n), first: 1n }, "bad-value"],
      [{ payload: counts(3n, 1n), last: 1n }, "bad-value"],
    ] as const) {
      const error = await failureOf(fileOf([block], rawBlock({ ...end, ...changed })));
      expect(error.code, error.message).toBe(code);
    }
  });

  it("is rejected with columns that do not fit the head, though the digest matches", async () => {
    const block = blockOfRows(4, ROWS);
    const columns = columnsOf(ROWS);
    const payload = (bytes: readonly number[]) => deflateRawSync(Buffer.from(bytes));
    const at = columns.indexOf(3); // the first lower value
    const five = [0xff, 0xff, 0xff, 0xff];
    const wrong: [Partial<RawBlock>, CertificateErrorCode][] = [
      [{ payload: Buffer.from([0xff]) }, "bad-value"],
      [{ payload: block.payload.subarray(0, -1) }, "bad-value"],
      [{ payload: Buffer.concat([block.payload, Buffer.of(0)]) }, "bad-value"],
      [{ payload: payload([...columns, 0]) }, "bad-value"],
      [{ payload: payload(columns.slice(0, -1)) }, "bad-value"],
      [{ payload: payload(columns.with(at, 0x83)) }, "bad-value"],
      [
        { payload: payload([...columns.slice(0, at), 0x83, 0, ...columns.slice(at + 1)]) },
        "bad-value",
      ],
      [
        { payload: payload([...columns.slice(0, at), ...five, 0x10, ...columns.slice(at + 1)]) },
        "bad-value",
      ],
      [
        { payload: payload([...columns.slice(0, at), ...five, 0x80, 1, ...columns.slice(at + 1)]) },
        "bad-value",
      ],
      [{ payload: payload([0, ...columns.slice(2)]) }, "disorder"],
      [blockOfRows(4, [...ROWS.slice(0, 1), ...ROWS]), "disorder"],
      [{ payload: payload([...new Array(9).fill(0xff), 2, ...columns.slice(2)]) }, "bad-value"],
      [{ payload: payload([...new Array(9).fill(0xff), 1, ...columns.slice(2)]) }, "bad-value"],
      [{ payload: payload(new Array(61).fill(1)) }, "bad-value"],
      [{ payload: payload(new Array(60).fill(1)) }, "bad-value"],
      [{ payload: payload(new Array(50_000).fill(0)) }, "bad-value"],
      [{ first: 0x12n }, "disorder"],
      [{ last: 0x2_0002n }, "disorder"],
      [{ first: 0n }, "bad-value"],
      [{ count: 2 }, "bad-value"],
      [{ count: 4 }, "bad-value"],
    ];
    for (const [changed, code] of wrong) {
      const error = await failureOf(fileOf([{ ...block, ...changed }]));
      expect(error.code, error.message).toBe(code);
    }
    // The longest numbers that are allowed.
    const largest = [...columns.slice(0, at), ...five, 0x0f, ...columns.slice(at + 1)];
    const file = opened(fileOf([{ ...block, payload: payload(largest) }]));
    expect(file.at({ block: 0, index: 0 }).lo).toBe(4 * (2 ** 32 - 1));
  });

  it("is rejected with a board whose first eight cells are empty", async () => {
    const board = packedFromBits(2n ** 32n);
    const header = encodeHeader(gameOf("3x3"));
    const block = rawBlock(blockOfRows(2, [[board, 1, 1]]));
    const error = await failureOf(Buffer.concat([header, block, encodeEnd(1, 1)]));
    expect(error.message).toMatch(/empty or not canonical/);
  });

  it("is rejected if a block is moved, left out or repeated", async () => {
    const [header, ...blocks] = partsOf(await encodeCertificate(SMALL.game, CLAIMS)) as [
      Buffer,
      ...Buffer[],
    ];
    const end = blocks.pop() as Buffer;
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i] as Buffer;
      for (const changed of [
        blocks.toSpliced(i, 1),
        blocks.toSpliced(i, 0, block),
        [...blocks.toSpliced(i, 1), ...(i === blocks.length - 1 ? [block, block] : [block])],
      ]) {
        const { code } = await failureOf(Buffer.concat([header, ...changed, end]));
        expect(["disorder", "wrong-length"]).toContain(code);
      }
    }
  });

  it("is rejected if it changes while it is read", async () => {
    const bytes = await encodeCertificate(SMALL.game, CLAIMS);
    for (const change of [
      (file: string) => appendFileSync(file, Buffer.alloc(1)),
      (file: string) => writeFileSync(file, bytes),
      (file: string) => utimesSync(file, 1, 1),
    ]) {
      const file = freshFile();
      const certificate = opened(bytes, file);
      // A change within one tick of the file system's clock would go unnoticed.
      do change(file);
      while (fileIdentity(file) === certificate.identity);
      await expect(verifyCertificate(certificate, undefined, OPTIONS)).rejects.toThrow(
        /changed while/,
      );
    }
    // Blocks that change between the heads and their reading are found at once.
    const file = freshFile();
    const certificate = opened(bytes, file);
    writeFileSync(file, Buffer.alloc(bytes.length));
    await expect(verifyCertificate(certificate, undefined, OPTIONS)).rejects.toThrow(/SHA-256/);
    writeFileSync(file, Buffer.alloc(10));
    const again = verifyCertificate(certificate, undefined, OPTIONS);
    await expect(again).rejects.toThrow(CertificateError);
  });

  it("is rejected if it is missing, or no certificate", async () => {
    const file = freshFile();
    const open = (path: string) => () => CertificateFile.open(path);
    expect(open(file)).toThrow(expect.objectContaining({ code: "missing" }));
    expect(open(dirname(file))).toThrow(expect.objectContaining({ code: "unreadable" }));
    expect((await failureOf(Buffer.from("SQLite format 3\0"))).code).toBe("not-a-certificate");
  });

  it("is rejected at once if it is a named pipe", () => {
    const file = freshFile();
    execFileSync("mkfifo", [file]);
    // In a separate process: opening the pipe would block this one for ever.
    const script = `
      import { CertificateFile } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)};
      try { CertificateFile.open(${JSON.stringify(file)}); } catch (error) { console.log(error.message); }`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stdout).toBe(`cannot read ${file}: it is not a regular file\n`);
  });
});
