import { asAsked } from "@gridlock/answers";
import {
  describeGame,
  formatBoard,
  type Game,
  normalShape,
  packBoard,
  starts,
} from "@gridlock/game";
import { formatCount, formatRough, formatSeconds, formatTable } from "@gridlock/report";
import type { SolveGoalOutput } from "@gridlock/schemas";
import { LocalPool, tooDeep } from "@gridlock/solver";
import { EXIT } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { expectTile } from "../options/game.js";
import { showWork } from "../output/display.js";
import { gameAsJson, printJson, printLine, tell } from "../output/print.js";
import type { SolveFlags } from "./solve-flags.js";

/**
 * Finds for each start whether the slider can force a tile, and prints the answers. Databases hold
 * scores, so this uses none.
 */
export async function solveGoal(
  game: Game,
  tile: number,
  tableBytes: number,
  flags: SolveFlags,
): Promise<number> {
  const { workers, json, quiet } = flags;
  expectTile(game, tile);
  await using pool = new LocalPool(game, { workers, memory: tableBytes, goal: tile });
  using watch = watchInterrupts("stopping; nothing is saved");
  watch.signal.addEventListener("abort", () => pool.stop());
  const began = performance.now();
  const answers: { board: string; forced: boolean }[] = [];
  const boards = starts(normalShape(game.shape));
  const look = () => ({
    done: answers.length,
    total: boards.length,
    text: `${formatRough(pool.counts().positions + pool.counts().afterstates)} nodes`,
  });
  const name = `${describeGame(game)}, tile ${tile}`;
  using display = showWork(name, "starts", look, { signal: watch.signal, quiet });
  for (const board of boards) {
    const bound = await pool.ask({ turn: "slider", board: packBoard(board), threshold: 4 });
    if (bound === undefined) {
      if (watch.signal.aborted) return EXIT.interrupted;
      throw tooDeep();
    }
    answers.push({ board: formatBoard(asAsked(game, board)), forced: bound.lo >= 4 });
  }
  display.stop();
  const nodes = pool.counts();
  const seconds = (performance.now() - began) / 1000;
  if (json) {
    const asked = { ...gameAsJson(game), goal: { tile } };
    printJson<SolveGoalOutput>({ ...asked, starts: answers, nodes, seconds });
    return EXIT.ok;
  }
  printLine(
    formatTable(answers, [
      ["start", ({ board }) => board],
      [`a tile of ${tile} can be forced`, ({ forced }) => (forced ? "yes" : "no")],
    ]),
  );
  const forced = answers.filter((answer) => answer.forced).length;
  printLine(`\n${verdict(forced, answers.length, tile)}`);
  tell(
    flags,
    `${formatCount(nodes.positions)} positions and ${formatCount(nodes.afterstates)} afterstates in ${formatSeconds(seconds)}`,
  );
  return EXIT.ok;
}

/** Returns the result as a sentence. */
function verdict(forced: number, all: number, tile: number): string {
  const starts =
    forced === 0 ? "No start" : forced === all ? `All ${all} starts` : `${forced} of ${all} starts`;
  return `${starts} can force ${String(tile).startsWith("8") ? "an" : "a"} ${tile}.`;
}
