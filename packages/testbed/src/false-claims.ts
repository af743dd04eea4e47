import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Bound,
  canonical,
  cellCount,
  formatBoard,
  type Game,
  type PackedBoard,
  packBoard,
  packedFromBits,
  parseShape,
  type Shape,
  starts,
  unpackBoard,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { certificateFileOf } from "@gridlock/solver";
import { Database } from "@gridlock/store";
import {
  CertificateError,
  CertificateFile,
  type Claim,
  LEAST_MEMORY,
  type Report,
  verifyCertificate,
} from "@gridlock/verify";
import { encodeCertificate } from "./certificate-bytes.js";
import { runGridlock } from "./command.js";
import type { FaultKind, FaultRun } from "./fault-kind.js";

/*
 * A certificate is falsified, one change at a time. `verify` must catch each false claim, and report
 * a deletion that leaves a gap as a missing proof.
 */

/** Bytes of the table for judging claims, beyond the minimum. */
const TABLE_BYTES = 2 ** 26;
const NONE = Number.POSITIVE_INFINITY;

/** Judges claims of a shape. */
interface Judge {
  readonly shape: Shape;
  /** Returns whether `lo ≤ h ≤ hi` is true of a board, which need not be canonical. */
  isTrue(claim: Claim): boolean;
}

/** A change to a certificate: the claims that it removes and adds. */
interface Change {
  readonly old: readonly Claim[];
  readonly fresh: readonly Claim[];
}

/** The certificate of a shape, its judge, and a function that checks claims as those of a file. */
interface Certified {
  readonly claims: readonly Claim[];
  readonly judge: Judge;
  check(claims: readonly Claim[], file: string): Promise<Report>;
}

/** The certificates by shape. */
const certified = new Map<string, Promise<Certified>>();

/** Solves and proves a shape in an empty folder. */
async function certify(shape: string, folder: string): Promise<Certified> {
  const game: Game = { shape: parseShape(shape), tiles: [2, 4] };
  const db = join(folder, "gridlock.db");
  runGridlock(folder, "solve", shape, "--db", db, "--quiet", "--json");
  runGridlock(folder, "prove", shape, "--db", db, "--json");
  const expected = boundsIn(db, game);
  using certificate = CertificateFile.open(certificateFileOf(db, game));
  const claims = [...certificate.all()];
  const check = async (some: readonly Claim[], file: string) => {
    writeFileSync(file, await encodeCertificate(game, some));
    using changed = CertificateFile.open(file);
    return await verifyCertificate(changed, expected, { threads: 2, memory: LEAST_MEMORY });
  };
  const whole = await check(claims, join(folder, "whole.certificate"));
  if (!whole.complete) throw new Error("the certificate itself does not hold");
  return { claims, judge: judgeOf(game), check };
}

/** Makes a kind that changes claims of the certificate of 2×3, or of another shape that is asked for. */
function falsified(
  what: string,
  change: (claims: readonly Claim[], run: FaultRun, judge: Judge) => Change,
): FaultKind {
  const prepare: FaultKind["prepare"] = async ({ shape = "2x3" }, folder) => {
    const certificate = certified.get(shape) ?? certify(shape, folder);
    certified.set(shape, certificate);
    const { claims, judge, check } = await certificate;
    return async (run) => {
      const { old, fresh } = change(claims, run, judge);
      const some = [...claims.filter((claim) => !old.includes(claim)), ...fresh];
      let report: Report;
      try {
        report = await check(some, join(run.folder, "changed.certificate"));
      } catch (error) {
        if (!(error instanceof CertificateError)) throw error;
        return { outcome: "refused", failures: [] }; // that is for claims that no file has
      }
      const { complete, failures } = report;
      const wrong = failureOf(report, fresh, judge);
      const boards = old.map(({ board }) => formatBoard(unpackBoard(judge.shape, board)));
      return {
        outcome: complete ? "harmless" : (failures[0]?.kind ?? "start unproven"),
        failures: wrong === undefined ? [] : [`${boards}: ${wrong}`],
      };
    };
  };
  return { what, times: 250, prepare };
}

function boundsIn(db: string, game: Game): Map<PackedBoard, Bound> {
  using database = Database.open(db, { readOnly: true });
  const bounds = database.bounds(game);
  return new Map(
    starts(game.shape).map((board) => [packBoard(board), bounds.of({ board, turn: "slider" })]),
  );
}

/** Judges claims by search. */
function judgeOf(game: Game): Judge {
  const { shape } = game;
  const kernel = new Kernel(createTable(game, tableLimits(game, 1).least + TABLE_BYTES, 1), 0);
  const isTrue = ({ board, lo, hi }: Claim) => {
    const form = packBoard(canonical(unpackBoard(shape, board)));
    const answer = (threshold: number): Bound => {
      const bound = kernel.ask({ turn: "slider", board: form }, threshold);
      if (bound === undefined) throw new Error("the search went deeper than the stack allows");
      return bound;
    };
    if (lo > 0 && answer(lo).lo < lo) return false;
    return hi === NONE || answer(hi + 4).hi <= hi;
  };
  return { shape, isTrue };
}

/** Returns what is wrong with a report on a certificate with `fresh` claims, as a sentence, or `undefined`. */
function failureOf(
  report: Report,
  fresh: readonly Claim[],
  { shape, isTrue }: Judge,
): string | undefined {
  const isCanonical = ({ board }: Claim) =>
    packBoard(canonical(unpackBoard(shape, board))) === board;
  for (const claim of fresh) {
    const isFormed = isCanonical(claim);
    const wrong = [
      isFormed && isTrue({ ...claim, hi: NONE }) ? [] : ["lower"],
      !isFormed || isTrue({ ...claim, lo: 0 }) ? [] : ["upper"],
    ].flat();
    if (wrong.length > 0 && report.complete) return "a false claim was not caught";
    const reported = report.failures.filter((one) => packBoard(one.board) === claim.board);
    for (const side of wrong) {
      const kind = reported.find((one) => one.kind === "malformed" || one.side === side)?.kind;
      if (kind !== "unfounded" && kind !== "malformed") {
        return `the false claim was reported as ${kind}`;
      }
    }
  }
  const isOther = ({ board }: Report["failures"][number]) =>
    !fresh.some((claim) => claim.board === packBoard(board));
  return report.failures.filter(isOther).some(({ kind }) => kind !== "missing")
    ? "a true claim, parts of whose proof are missing, was reported as something else"
    : undefined;
}

/** Kinds of false certificates, by name. */
export const FALSE_CLAIMS: Readonly<Record<string, FaultKind>> = {
  "claim-raised": falsified(
    "a certificate's lower claim is raised above the value",
    (claims, { random, pick }, { isTrue }) => {
      const old = pick(claims.filter(({ lo }) => lo > 0));
      let { lo } = old;
      do lo += 4 * Math.ceil(4 * random());
      while (isTrue({ ...old, lo, hi: NONE }));
      return { old: [old], fresh: [{ ...old, lo }] };
    },
  ),
  "claim-lowered": falsified(
    "a certificate's upper claim is lowered below the value",
    (claims, { pick }, { isTrue }) => {
      const old = pick(claims.filter(({ hi }) => hi > 0 && hi < NONE));
      let { hi } = old;
      do hi -= 4;
      while (isTrue({ ...old, lo: 0, hi }));
      return { old: [old], fresh: [{ ...old, hi }] };
    },
  ),
  "claim-moved": falsified(
    "a bit of a claim's board is changed",
    (claims, { random, pick }, { shape }) => {
      const old = pick(claims);
      const taken = new Set(claims.map(({ board }) => board));
      let { board } = old;
      do {
        const bit = BigInt(Math.floor(4 * cellCount(shape) * random()));
        board = packedFromBits(old.board ^ (1n << bit));
      } while (taken.has(board));
      return { old: [old], fresh: [{ ...old, board }] };
    },
  ),
  "claims-deleted": falsified("one to three claims are deleted", (claims, { random, pick }) => ({
    old: Array.from({ length: 1 + Math.floor(3 * random()) }, () => pick(claims)),
    fresh: [],
  })),
};
