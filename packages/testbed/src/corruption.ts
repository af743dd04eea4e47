import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Bound,
  canonical,
  formatBoard,
  type Game,
  type PackedBoard,
  packBoard,
  packedFromBits,
  parseShape,
  seededRandom,
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
  type Failure,
  LEAST_MEMORY,
  type Report,
  verifyCertificate,
} from "@gridlock/verify";
import { encodeCertificate } from "./certificate-bytes.js";
import { runGridlock } from "./command.js";
import { TemporaryFolder } from "./folder.js";

/** Bytes of the table for judging claims, beyond the minimum. */
const TABLE_BYTES = 2 ** 26;

/** A change to a certificate: the claims that it removes and adds. */
interface Corruption {
  readonly old: readonly Claim[];
  readonly fresh: readonly Claim[];
}

/** Judges claims by search, and makes false ones. */
class Corruptor {
  readonly #game: Game;
  readonly #kernel: Kernel;
  readonly #random: () => number;

  constructor(game: Game, seed: number) {
    this.#game = game;
    this.#kernel = new Kernel(createTable(game, tableLimits(game, 1).least + TABLE_BYTES, 1), 0);
    this.#random = seededRandom(seed);
  }

  /** The ways to falsify claims. */
  readonly kinds: Readonly<Record<string, (claims: readonly Claim[]) => Corruption>> = {
    "lower claim raised": (claims) => {
      const old = this.pick(claims.filter(({ lo }) => lo > 0));
      let { lo } = old;
      do lo += 4 * Math.ceil(4 * this.#random());
      while (this.isTrue({ ...old, lo, hi: Number.POSITIVE_INFINITY }));
      return { old: [old], fresh: [{ ...old, lo }] };
    },
    "upper claim lowered": (claims) => {
      const old = this.pick(claims.filter(({ hi }) => hi > 0 && Number.isFinite(hi)));
      let { hi } = old;
      do hi -= 4;
      while (this.isTrue({ ...old, lo: 0, hi }));
      return { old: [old], fresh: [{ ...old, hi }] };
    },
    "board changed": (claims) => {
      const old = this.pick(claims);
      const taken = new Set(claims.map(({ board }) => board));
      const bits = 4 * this.#game.shape.rows * this.#game.shape.cols;
      let { board } = old;
      do board = packedFromBits(old.board ^ (1n << BigInt(Math.floor(bits * this.#random()))));
      while (taken.has(board));
      return { old: [old], fresh: [{ ...old, board }] };
    },
    "claims deleted": (claims) => ({
      old: Array.from({ length: 1 + Math.floor(3 * this.#random()) }, () => this.pick(claims)),
      fresh: [],
    }),
  };

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  /** Returns whether `lo ≤ h ≤ hi` is true of a board, which need not be canonical. */
  isTrue({ board, lo, hi }: Claim): boolean {
    const form = packBoard(canonical(unpackBoard(this.#game.shape, board)));
    const answer = (threshold: number): Bound => {
      const bound = this.#kernel.ask({ turn: "slider", board: form }, threshold);
      if (bound === undefined) throw new Error("the search went deeper than the stack allows");
      return bound;
    };
    if (lo > 0 && answer(lo).lo < lo) return false;
    return hi === Number.POSITIVE_INFINITY || answer(hi + 4).hi <= hi;
  }

  /**
   * Returns the fault of a report on a certificate with `fresh` claims as a sentence, or
   * `undefined`.
   */
  fault(report: Report, fresh: readonly Claim[]): string | undefined {
    const falseClaims = fresh.filter((claim) => !this.#isWellFormed(claim) || !this.isTrue(claim));
    if (report.complete && falseClaims.length > 0) return "a false claim was not caught";
    for (const claim of falseClaims) {
      const reported = report.failures.filter((one) => packBoard(one.board) === claim.board);
      for (const side of this.#falseSides(claim)) {
        const isMeant = (one: Failure) => one.kind === "malformed" || one.side === side;
        const kind = reported.find(isMeant)?.kind;
        if (kind !== "unfounded" && kind !== "malformed") {
          return `the false claim was reported as ${kind}`;
        }
      }
    }
    const others = report.failures.filter(
      ({ board }) => !fresh.some((claim) => claim.board === packBoard(board)),
    );
    if (others.some(({ kind }) => kind !== "missing")) {
      return "a true claim, parts of whose proof are missing, was reported as something else";
    }
    return undefined;
  }

  /**
   * Lists the false bounds of a claim: one of the two may be true, with only part of its proof
   * missing.
   */
  #falseSides(claim: Claim): ("lower" | "upper")[] {
    if (!this.#isWellFormed(claim)) return ["lower"];
    const sides: ("lower" | "upper")[] = [];
    if (!this.isTrue({ ...claim, hi: Number.POSITIVE_INFINITY })) sides.push("lower");
    if (!this.isTrue({ ...claim, lo: 0 })) sides.push("upper");
    return sides;
  }

  /** Returns whether a claim is about a canonical board. */
  #isWellFormed({ board }: Claim): boolean {
    return packBoard(canonical(unpackBoard(this.#game.shape, board))) === board;
  }
}

/**
 * Solves and proves a game, and falsifies the certificate many times, one change at a time: a lower claim
 * is raised above the value, an upper claim lowered below it, a claim's board is changed, or claims are
 * deleted. Checks that verify catches each false claim, and reports a deletion that leaves a gap as a
 * missing proof.
 *
 * @param shape the game's shape as the command takes it, for example 2x3
 * @returns the number of claims, that of corruptions by kind and outcome, and those that verify did not
 *   report correctly, as sentences
 */
export async function corruptCertificate(shape: string, count: number, seed: number) {
  const game: Game = { shape: parseShape(shape), tiles: [2, 4] };
  using folder = new TemporaryFolder();
  const db = join(folder.path, "gridlock.db");
  runGridlock(folder.path, "solve", shape, "--db", db, "--quiet", "--json");
  runGridlock(folder.path, "prove", shape, "--db", db, "--json");
  using database = Database.open(db, { readOnly: true });
  const expected = new Map<PackedBoard, Bound>(
    starts(game.shape).map((board) => [
      packBoard(board),
      database.bounds(game).of({ board, turn: "slider" }),
    ]),
  );
  using certificate = CertificateFile.open(certificateFileOf(db, game));
  const claims = [...certificate.all()];
  const corruptor = new Corruptor(game, seed);
  const check = (some: readonly Claim[]) => checkOf(game, some, expected, folder.path);
  if (!(await check(claims)).complete) throw new Error("the certificate itself does not hold");
  const outcomes = new Map<string, number>();
  const faults: string[] = [];
  for (let i = 0; i < count; i++) {
    const kind = corruptor.pick(Object.keys(corruptor.kinds));
    const { old, fresh } = (corruptor.kinds[kind] as (typeof corruptor.kinds)[string])(claims);
    let report: Report | undefined;
    try {
      report = await check([...claims.filter((claim) => !old.includes(claim)), ...fresh]);
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error; // that is for claims that no file has
    }
    const wrong = report && corruptor.fault(report, fresh);
    if (wrong !== undefined) {
      const boards = old.map(({ board }) => formatBoard(unpackBoard(game.shape, board)));
      faults.push(`${kind}: ${boards}: ${wrong}`);
    }
    const outcome = `${kind}: ${describe(report)}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return { claims: claims.length, outcomes, faults };
}

/** Checks claims as those of a certificate. */
async function checkOf(
  game: Game,
  claims: readonly Claim[],
  expected: ReadonlyMap<PackedBoard, Bound>,
  folder: string,
): Promise<Report> {
  const file = join(folder, "changed.certificate");
  writeFileSync(file, await encodeCertificate(game, claims));
  using certificate = CertificateFile.open(file);
  return await verifyCertificate(certificate, expected, { threads: 2, memory: LEAST_MEMORY });
}

function describe(report: Report | undefined): string {
  if (report === undefined) return "refused";
  if (report.complete) return "harmless";
  return report.failures[0]?.kind ?? "start unproven";
}
