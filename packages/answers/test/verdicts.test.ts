import { join } from "node:path";
import { type Node, parseShape, unpackBoard } from "@gridlock/game";
import { json, Oracle, temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it } from "vitest";
import type { Library } from "../src/index.js";
import { freshFile, openLibrary, tabulateBeside } from "./setup.js";

const GAME = { shape: parseShape("2x3"), tiles: [2, 4] } as const;
const ORACLE = new Oracle(GAME).valueAll();
/** A third of all nodes. */
const NODES = [...ORACLE.nodes()]
  .filter((_, i) => i % 3 === 0)
  .map(({ turn, board }): Node => ({ turn, board: unpackBoard(GAME.shape, board) }));

function oracleValue({ board, turn }: Node): number {
  return turn === "slider" ? ORACLE.position(board) : ORACLE.afterstate(board);
}

/** Checks the verdicts on a node's moves by plain minimax; returns the number of open ones. */
function openOf(library: Library, node: Node, budget: number): number {
  const { moves } = library.answer({ ...node, tiles: GAME.tiles, budget });
  const value = oracleValue(node);
  const candidates: number[] = [];
  let open = 0;
  for (const { move, score, to, verdict } of moves) {
    const worth = score + oracleValue(to);
    const lost = Math.abs(worth - value);
    const told = `${JSON.stringify(node)}, ${move.name}: ${JSON.stringify(verdict)}`;
    if (verdict.verdict === "best" && lost > 0) throw new Error(told);
    if (verdict.verdict === "worse" && lost < verdict.by) throw new Error(told);
    if (verdict.verdict === "open") open++;
    if (verdict.verdict === "best" || verdict.verdict === "open") candidates.push(worth);
  }
  // Whoever chooses among them loses nothing.
  if (moves.length > 0 && !candidates.includes(value)) throw new Error(JSON.stringify(node));
  return open;
}

function openOfAll(library: Library, budget: number, nodes: readonly Node[] = NODES): number {
  return nodes.reduce((sum, node) => sum + openOf(library, node, budget), 0);
}

describe("verdicts on the moves of positions and afterstates of 2×3", () => {
  const searchless = { tableBytes: () => undefined, published: true };

  it("are true with an empty database", () => {
    const library = openLibrary(freshFile(), searchless);
    expect(NODES.length).toBeGreaterThan(2000);
    expect(openOfAll(library, 0)).toBeGreaterThan(1000);
  });

  it("are true, and fewer are open, the more the database knows", async () => {
    const db = join(temporaryFolder(), "test.db");
    await json(temporaryFolder(), ["solve", "2x3", "--db", db, "--json"]);
    const solved = openOfAll(openLibrary(db, searchless), 0);
    expect(solved).toBeGreaterThan(0);
    const searching = openLibrary(db);
    openOfAll(
      searching,
      100,
      NODES.filter((_, i) => i % 2 === 0),
    );
    searching.save();
    expect(openOfAll(openLibrary(db, searchless), 0)).toBeLessThan(solved / 2);
  });

  it("are all known after a search", () => {
    const some = NODES.filter((_, i) => i % 4 === 0);
    expect(openOfAll(openLibrary(freshFile()), 100, some)).toBe(0);
  });

  it("are all known beside a tabulation", async () => {
    const db = freshFile();
    await tabulateBeside(db, "0 0 0/0 0 0");
    expect(openOfAll(openLibrary(db, searchless), 0)).toBe(0);
  });
});
