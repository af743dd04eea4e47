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
import { Database } from "@gridlock/store";
import {
  CertificateError,
  type Claim,
  ClaimTable,
  type Failure,
  type Report,
  verify,
} from "@gridlock/verify";
import Sqlite from "better-sqlite3";
import { runGridlock } from "./command.js";
import { TemporaryFolder } from "./folder.js";

/** Bytes of the table for judging claims, beyond the minimum. */
const TABLE_BYTES = 2 ** 26;

/** A change to a certificate: the rows that it removes and adds. */
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
    "rows deleted": (claims) => ({
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
    if (report.nothingWrong !== report.complete) {
      return "all was checked, and the report says otherwise";
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
 * Solves and proves a game, and falsifies the certificate many times, one change at a time, in the
 * rows of the database: a lower claim is raised above the value, an upper claim lowered below it, a
 * row's board is changed, or rows are deleted. Checks that verify catches each false claim, and
 * reports a deletion that leaves a gap as a missing proof.
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
  using database = Database.open(db);
  const sqlite = new Sqlite(db);
  try {
    return await corruptRows(game, database, sqlite, new Corruptor(game, seed), count);
  } finally {
    sqlite.close();
  }
}

async function corruptRows(
  game: Game,
  database: Database,
  sqlite: Sqlite.Database,
  corruptor: Corruptor,
  count: number,
) {
  const stored = database.certificate(game);
  const claims = [...stored.claims()];
  const expected = new Map<PackedBoard, Bound>(
    starts(game.shape).map((board) => [
      packBoard(board),
      database.bounds(game).of({ board, turn: "slider" }),
    ]),
  );
  const removal = sqlite.prepare("DELETE FROM claim WHERE board = ?");
  const insertion = sqlite.prepare("INSERT INTO claim SELECT id, ?, ?, ? FROM game");
  const remove = ({ board }: Claim) => removal.run(BigInt.asIntN(64, board));
  const insert = ({ board, lo, hi }: Claim) =>
    insertion.run(BigInt.asIntN(64, board), lo, Number.isFinite(hi) ? hi : null);
  const check = () => {
    const table = ClaimTable.from(stored.claims(), stored.count());
    const effort = stored.info()?.effort ?? 0;
    return verify({ game, effort, claims: table }, expected, { threads: 2 });
  };

  if (!(await check()).complete) throw new Error("the certificate itself does not hold");
  const outcomes = new Map<string, number>();
  const faults: string[] = [];
  for (let i = 0; i < count; i++) {
    const kind = corruptor.pick(Object.keys(corruptor.kinds));
    const { old, fresh } = (corruptor.kinds[kind] as (typeof corruptor.kinds)[string])(claims);
    old.forEach(remove);
    fresh.forEach(insert);
    let report: Report | undefined;
    try {
      report = await check();
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error; // that is for rows that no certificate has
    }
    const wrong = report && corruptor.fault(report, fresh);
    if (wrong !== undefined) {
      const boards = old.map(({ board }) => formatBoard(unpackBoard(game.shape, board)));
      faults.push(`${kind}: ${boards}: ${wrong}`);
    }
    const outcome = `${kind}: ${describe(report)}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    fresh.forEach(remove);
    new Set(old).forEach(insert);
  }
  if (!(await check()).complete) throw new Error("the certificate was not restored");
  return { claims: claims.length, outcomes, faults };
}

function describe(report: Report | undefined): string {
  if (report === undefined) return "refused";
  if (report.complete) return "harmless";
  return report.failures[0]?.kind ?? "start unproven";
}
