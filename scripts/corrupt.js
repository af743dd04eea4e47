/*
 * Falsifies a certificate in a thousand ways, one at a time, and checks that verify catches each false claim and
 * tells a deletion that leaves a gap as what it is: a missing proof.
 *
 *     npm run corrupt -- 2x3 --count 1000 --seed 1
 *
 * A corruption changes the rows of the solution database itself: a lower claim is raised above the value, an
 * upper claim lowered below it, a row's board is changed, or rows are deleted.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  canonical,
  formatBoard,
  packBoard,
  parseShape,
  seededRandom,
  starts,
  unpackBoard,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { Database } from "@gridlock/store";
import { CertificateError, ClaimTable, verify } from "@gridlock/verify";
import Sqlite from "better-sqlite3";

const BIN = fileURLToPath(new URL("../packages/cli/bin/gridlock.js", import.meta.url));

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
  },
});
const shape = parseShape(positionals[0] ?? "2x3");
const name = `${shape.rows}x${shape.cols}`;
const game = { shape, tiles: [2, 4] };
const random = seededRandom(Number(flags.seed));
const pick = (list) => list[Math.floor(random() * list.length)];

const kernel = new Kernel(createTable(game, tableLimits(game, 1).least + 2 ** 26, 1), 0);

/** Whether `lo ≤ h ≤ hi` is true of a board, which need not be canonical. */
function isTrue({ board, lo, hi }) {
  const node = { turn: "slider", board: packBoard(canonical(unpackBoard(shape, board))) };
  if (lo > 0 && kernel.ask(node, lo).lo < lo) return false;
  return hi === Number.POSITIVE_INFINITY || kernel.ask(node, hi + 4).hi <= hi;
}

/** The ways to falsify claims: each returns the rows that it takes away and the rows that it puts in. */
const CORRUPTIONS = {
  "lower claim raised": (claims) => {
    const old = pick(claims.filter(({ lo }) => lo > 0));
    let lo = old.lo;
    do lo += 4 * Math.ceil(4 * random());
    while (isTrue({ ...old, lo, hi: Number.POSITIVE_INFINITY }));
    return { old: [old], fresh: [{ ...old, lo }] };
  },
  "upper claim lowered": (claims) => {
    const old = pick(claims.filter(({ hi }) => hi > 0 && hi < Number.POSITIVE_INFINITY));
    let hi = old.hi;
    do hi -= 4;
    while (isTrue({ ...old, lo: 0, hi }));
    return { old: [old], fresh: [{ ...old, hi }] };
  },
  "board changed": (claims) => {
    const old = pick(claims);
    const taken = new Set(claims.map(({ board }) => board));
    let board = old.board;
    do board = old.board ^ (1n << BigInt(Math.floor(4 * shape.rows * shape.cols * random())));
    while (taken.has(board));
    return { old: [old], fresh: [{ ...old, board }] };
  },
  "rows deleted": (claims) => ({
    old: Array.from({ length: 1 + Math.floor(3 * random()) }, () => pick(claims)),
    fresh: [],
  }),
};

/** What is wrong with a report, as a sentence; nothing if it tells the truth. */
function fault(report, fresh) {
  const falseClaims = fresh.filter((claim) => !isWellFormed(claim) || !isTrue(claim));
  if (report.complete && falseClaims.length > 0) return "a false claim was not caught";
  for (const claim of falseClaims) {
    const told = report.failures.filter((one) => packBoard(one.board) === claim.board);
    for (const side of falseSides(claim)) {
      const isToldOf = (one) => one.kind === "malformed" || one.side === side;
      const kind = told.find(isToldOf)?.kind;
      if (kind !== "unfounded" && kind !== "malformed")
        return `the false claim was told as ${kind}`;
    }
  }
  const others = report.failures.filter(
    ({ board }) => !fresh.some((claim) => claim.board === packBoard(board)),
  );
  if (others.some((failure) => failure.kind !== "missing")) {
    return "a true claim, parts of whose proof are missing, was told as something else";
  }
  if (report.nothingWrong !== report.complete)
    return "all was checked, and the report says otherwise";
  return undefined;
}

/** What is false of a claim: one of its bounds may be true, and then only a part of its proof be missing. */
function falseSides(claim) {
  if (!isWellFormed(claim)) return ["lower"];
  const halves = { lower: { ...claim, hi: Number.POSITIVE_INFINITY }, upper: { ...claim, lo: 0 } };
  return Object.keys(halves).filter((side) => !isTrue(halves[side]));
}

/** Whether a claim is about a canonical board that the game can have. */
function isWellFormed({ board }) {
  const of = unpackBoard(shape, board);
  return packBoard(canonical(of)) === board;
}

const folder = mkdtempSync(join(tmpdir(), "gridlock-corrupt-"));
try {
  const db = join(folder, "gridlock.db");
  for (const command of ["solve", "prove"]) {
    execFileSync(process.execPath, [BIN, command, name, "--db", db], { stdio: "ignore" });
  }
  const database = Database.open(db);
  const stored = database.certificate(game);
  const claims = [...stored.claims()];
  const expected = new Map(
    starts(shape).map((board) => [
      packBoard(board),
      database.bounds(game).of({ board, turn: "slider" }),
    ]),
  );
  const sqlite = new Sqlite(db);
  const remove = sqlite.prepare("DELETE FROM claim WHERE board = ?");
  const insert = sqlite.prepare("INSERT INTO claim SELECT id, ?, ?, ? FROM game");
  const put = ({ board, lo, hi }) =>
    insert.run(BigInt.asIntN(64, board), lo, Number.isFinite(hi) ? hi : null);
  const check = async () =>
    verify(
      {
        game,
        effort: stored.info().effort,
        claims: ClaimTable.from(stored.claims(), stored.count()),
      },
      expected,
      { threads: 2 },
    );

  if (!(await check()).complete) throw new Error("the certificate itself does not hold");
  const tally = {};
  const faults = [];
  for (let i = 0; i < Number(flags.count); i++) {
    const kind = pick(Object.keys(CORRUPTIONS));
    const { old, fresh } = CORRUPTIONS[kind](claims);
    for (const { board } of old) remove.run(BigInt.asIntN(64, board));
    for (const claim of fresh) put(claim);
    const report = await check().catch((error) => {
      if (error instanceof CertificateError) return undefined; // a row that is no claim at all
      throw error;
    });
    const wrong = report && fault(report, fresh);
    if (wrong)
      faults.push(
        `${kind}: ${old.map(({ board }) => formatBoard(unpackBoard(shape, board)))}: ${wrong}`,
      );
    const outcome = !report
      ? "refused"
      : report.complete
        ? "harmless"
        : (report.failures[0]?.kind ?? "start unproven");
    tally[`${kind}: ${outcome}`] = (tally[`${kind}: ${outcome}`] ?? 0) + 1;
    for (const { board } of fresh) remove.run(BigInt.asIntN(64, board));
    for (const claim of new Set(old)) put(claim);
  }
  if (!(await check()).complete) throw new Error("the certificate was not restored");
  sqlite.close();
  database.close();
  console.log(`${name}: ${flags.count} corruptions of ${claims.length} claims`);
  for (const [what, count] of Object.entries(tally).sort()) console.log(`  ${what}: ${count}`);
  for (const one of faults.slice(0, 20)) console.error(`FAILED ${one}`);
  console.log(faults.length === 0 ? "each was told as what it is" : `${faults.length} were not`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
