import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  canonical,
  type Game,
  type Node,
  type PackedBoard,
  packedFromBits,
  packNode,
} from "@gridlock/game";
import { createTable, Kernel, tableLimits } from "@gridlock/kernel";
import { Prover } from "@gridlock/solver";
import { randomGames, temporaryFolder } from "@gridlock/testbed";
import {
  type Certificate,
  type Claim,
  ClaimTable,
  encodeCertificate,
  readCertificate,
  verify,
} from "@gridlock/verify";
import { describe, expect, it } from "vitest";
import { gameOf } from "./setup.js";

/** Nodes that the kernel may search for one threshold of a position. */
const MOST_NODES = 1000;

/**
 * Creates a kernel with nearly the smallest table of a game. Memory is used only once it is written
 * to.
 */
function smallKernel(game: Game): Kernel {
  return new Kernel(createTable(game, tableLimits(game, 1).least + 2 ** 20, 1), 0);
}

/** Returns a position's value, or `undefined` if a search takes too many nodes. */
function solvedValue(kernel: Kernel, { board, turn }: Node): number | undefined {
  const node = packNode({ turn, board: canonical(board) });
  for (let threshold = 4; ; threshold += 4) {
    const bound = kernel.ask(node, threshold, MOST_NODES);
    if (bound === undefined) return undefined;
    if (bound.hi < threshold) return bound.hi;
  }
}

/** Finds the earliest quickly solved position of each of several random games, with its value. */
function solvedPositions(game: Game, games: number) {
  const kernel = smallKernel(game);
  const solved = [];
  for (const nodes of randomGames(game, 2048)) {
    if (solved.length === games) break;
    let earliest: { board: Node["board"]; value: number } | undefined;
    for (const node of nodes.reverse().filter(({ turn }) => turn === "slider")) {
      const value = solvedValue(kernel, node);
      if (value === undefined) break;
      earliest = { board: node.board, value };
    }
    if (earliest && earliest.value > 0) solved.push(earliest);
  }
  return solved;
}

function certify(game: Game, effort: number, claims: readonly Claim[]): Certificate {
  const ascending = [...claims].sort((a, b) => (a.board < b.board ? -1 : 1));
  return { game, effort, claims: ClaimTable.from(ascending, ascending.length) };
}

/** Writes a certificate to a file and reads it back. */
function throughFile(certificate: Certificate): Certificate {
  const file = join(temporaryFolder(), "test.certificate");
  writeFileSync(file, Buffer.concat([...encodeCertificate(certificate)]));
  return readCertificate(file);
}

function fitsDouble(board: PackedBoard): boolean {
  return BigInt.asUintN(64, BigInt(Number(board as bigint))) === board;
}

describe("a proof of positions of 14 cells and more", () => {
  it.each([
    ["2x7", 10],
    ["3x5", 0],
    ["2x8", 0],
    ["4x4", 0],
  ] as const)(
    "is valid on %s with effort %i, and fails if boards are rounded",
    async (shape, effort) => {
      const game = gameOf(shape);
      const positions = solvedPositions(game, 6);
      const { claims } = new Prover(game, smallKernel(game), effort).prove(positions);
      // This test is about boards that a double cannot hold.
      const wide = claims.filter(({ board }) => !fitsDouble(board));
      expect(wide.length).toBeGreaterThan(20);
      const certificate = throughFile(certify(game, effort, claims));
      const report = await verify(certificate, undefined, { threads: 1 });
      expect(report).toMatchObject({ checked: claims.length, failures: [] });

      const exact = new Set(claims.map(({ board }) => board));
      const rounded = claims.flatMap((claim) => {
        if (fitsDouble(claim.board)) return [claim];
        const board = packedFromBits(BigInt(Number(claim.board as bigint)));
        return exact.has(board) ? [] : [{ ...claim, board }];
      });
      const distinct = new Map(rounded.map((claim) => [claim.board, claim]));
      const wrong = throughFile(certify(game, effort, [...distinct.values()]));
      expect((await verify(wrong, undefined, { threads: 1 })).failed).toBeGreaterThan(0);
    },
  );
});
