import { z } from "zod";
import {
  BoardSchema,
  count,
  game,
  output,
  outputs,
  points,
  ShapeSchema,
  seconds,
  type TypeOf,
} from "./common.js";

const bound = { lo: points(), hi: points() };

/** The bounds of the database beside what was checked; null if they were not compared. */
const database = z
  .strictObject({
    bounds: count().describe("Bounds in the database."),
    implied: count().describe("Bounds that follow from the certificate by one step at most."),
    notCovered: count().describe(
      "Bounds about which the certificate says too little: not checked.",
    ),
    contradicting: count().describe("Bounds that the certificate shows to be false."),
    contradictions: z
      .array(
        z.strictObject({
          board: BoardSchema,
          turn: z.enum(["slider", "placer"]),
          ...bound,
          proven: z.strictObject(bound).describe("The bound that follows from the certificate."),
        }),
      )
      .describe("The first 20 contradictions."),
  })
  .nullable()
  .describe(
    "The database's bounds compared with the certificate; null for a certificate that is not beside a database, and for one that does not hold.",
  );

export const ProveOutput = output("gridlock prove SHAPE --json", {
  ...game,
  file: z.string().describe("The certificate."),
  bytes: count(),
  claims: count().describe("Boards with a claim."),
  lower: count(),
  upper: count(),
  nodes: count().describe("Nodes that had to be searched again."),
  seconds: seconds(),
});
export type ProveOutput = TypeOf<typeof ProveOutput>;

/** The report of `gridlock verify --json` on a certificate. */
const CertificateReportSchema = z.strictObject({
  ...game,
  file: z.string().describe("The certificate."),
  bytes: count(),
  claims: count().describe("Boards with claims."),
  lower: count().describe("Lower claims that follow."),
  upper: count().describe("Upper claims that follow."),
  largestTileSum: count().describe("The largest tile sum of a claim."),
  starts: z.array(
    z.strictObject({
      board: BoardSchema,
      lo: points(),
      hi: points().nullable().describe("Null if there is no upper bound."),
      value: points().nullable().describe("Null unless both bounds meet."),
      follows: z
        .boolean()
        .describe("True if the value is proven and equals the value in the database."),
      why: z.string().optional().describe("The reason if it does not follow."),
    }),
  ),
  failures: z
    .array(
      z.strictObject({
        board: BoardSchema,
        side: z.enum(["lower", "upper", "board"]),
        value: z.int().nullable().describe("The points claimed; null if the board is wrong."),
        kind: z.enum(["unfounded", "malformed"]),
        text: z.string().describe("The claim, and why it does not follow, for people."),
      }),
    )
    .describe("The first 20 failures."),
  failed: count().describe("All failures."),
  database,
  complete: z.boolean().describe("Whether the value of every start is proven."),
  lowerBound: points().describe(
    "Points that every start is proven to be worth at least; 0 if a claim does not follow.",
  ),
  seconds: seconds(),
});

/** The report of `gridlock verify --json` on a game without a certificate. */
const NothingToVerifySchema = z.strictObject({
  ...game,
  complete: z.literal(false),
  found: z.string().describe("What is there instead."),
});

/** The report on one game. */
export const VerifyOutput = z
  .union([CertificateReportSchema, NothingToVerifySchema])
  .register(outputs, { command: "gridlock verify --json", lines: true });
export type VerifyOutput = TypeOf<typeof VerifyOutput>;

export const CertificateOutput = output("python3 examples/python/gridlock.py certificate FILE", {
  shape: ShapeSchema,
  tiles: game.tiles,
  claims: z
    .array(
      z.strictObject({
        board: BoardSchema,
        lower: points().optional().describe("The slider can force so many points."),
        upper: points().optional().describe("The slider cannot force more."),
      }),
    )
    .describe("Claims about canonical positions, by tile sum and packed number."),
});
export type CertificateOutput = TypeOf<typeof CertificateOutput>;
