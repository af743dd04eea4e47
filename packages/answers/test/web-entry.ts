import { answerAsJson, answerOfAnalysis, answerWithPublished } from "@gridlock/answers/json";
import { parseBoard } from "@gridlock/game";
import { createTable, Kernel, kernelFiles } from "@gridlock/kernel/web";
import { Analyst, NOTHING_STORED } from "@gridlock/solver/analyst";

/**
 * Answers a query as a web worker does: with files of the kernel that were fetched before, and
 * without shared memory.
 *
 * @returns the answer as JSON, and each warning
 */
export function answer(
  files: Iterable<readonly [string, Uint8Array<ArrayBuffer>]>,
  text: string,
): { readonly json: string; readonly warnings: readonly string[] } {
  kernelFiles.provide(files);
  const node = parseBoard(text);
  const game = { shape: node.board, tiles: [2, 4] } as const;
  const kernel = new Kernel(createTable(game, 32 << 20, 1, { shared: false }), 0);
  const analysis = new Analyst(game, NOTHING_STORED, kernel).analyse(
    node,
    Number.POSITIVE_INFINITY,
  );
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(sentence);
  const found = answerWithPublished(answerOfAnalysis(analysis), game.tiles, warn);
  return { json: JSON.stringify(answerAsJson(found)), warnings };
}
