import { asAsked } from "@gridlock/answers";
import {
  applySymmetry,
  type Board,
  canonical,
  formatBoard,
  formatShape,
  normalShape,
  type PackedBoard,
  packBoard,
  parseShape,
  type Shape,
  starts,
  symmetriesOf,
  symmetryToCanonical,
  tileSum,
} from "@gridlock/game";
import {
  formatBytes,
  formatEstimate,
  formatRough,
  formatSeconds,
  type Picture,
} from "@gridlock/report";
import type { VariantsOutput } from "@gridlock/schemas";
import {
  canSolveVariants,
  KINDS,
  MAX_VARIANT_CELLS,
  parseVariant,
  parseVariantTiles,
  type Reach,
  type StepOptions,
  USUAL,
  type Variant,
  VariantError,
  VariantSweep,
} from "@gridlock/tablebase";
import { Command, Option } from "commander";
import { EXIT, UsageError } from "../exit.js";
import { watchInterrupts } from "../interrupt.js";
import { positionOf } from "../options/boards.js";
import { sweepMemory } from "../options/memory.js";
import { jsonOption, sweepMemoryOption, workersOption } from "../options/options.js";
import { asArgument } from "../options/parse.js";
import { folderOption } from "../options/paths.js";
import { type Standing, showWork } from "../output/display.js";
import { printError, printJson, printLine, tell } from "../output/print.js";
import { makeOutFolder, requireCharts, writeResult } from "../output/result-files.js";
import { positionsExpected } from "../output/standings.js";
import {
  ordinaryTiles,
  reportFiles,
  type SolvedVariant,
  textOf,
  type VariantsReport,
  variantsAsJson,
} from "../output/variants-report.js";

interface VariantsFlags {
  readonly tiles: readonly number[];
  readonly board?: readonly string[];
  readonly workers: number;
  readonly memory?: number;
  readonly out?: string;
  readonly quiet?: true;
  readonly json?: true;
}

/** Width of the usages in the help. */
const USAGE_WIDTH = Math.max(...KINDS.map(({ usage }) => usage.length)) + 2;

/** Makes the command `gridlock variants`. */
export function variantsCommand(): Command {
  return new Command("variants")
    .description("solve the game under changed rules, exactly, on all positions of a shape")
    .argument("<shape>", `rows x columns, of at most ${MAX_VARIANT_CELLS} cells, e.g. 3x3`)
    .argument("[variants...]", "the variants to solve (default: the usual ones)")
    .addOption(
      new Option("--tiles <tiles>", "tiles that the placer may place, from 2, 4, 8 and 16")
        .default([2, 4], "2,4")
        .argParser(asArgument(parseVariantTiles)),
    )
    .option(
      "--board <board...>",
      "report the values of these positions, slider to move (default: all starts)",
    )
    .addOption(workersOption())
    .addOption(sweepMemoryOption())
    .addOption(folderOption("--out <folder>", "also write a report with charts to this folder"))
    .option("--quiet", "hide progress")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Variants:
${KINDS.map(({ usage, summary }) => `  ${usage.padEnd(USAGE_WIDTH)}${summary}`).join("\n")}

The usual ones are ${USUAL.join(", ")}.
Where chance takes part, values are expected scores; chance places nine 2s to a 4. When stopped, the command
keeps the variants that are solved.

Examples:
  $ gridlock variants 3x3 4s=17             at most 0, 1, … 17 4s: a minute
  $ gridlock variants 2x3 game --tiles 2,4,8
  $ gridlock variants 2x4 --out .           all the usual variants; writes 2x4.md into this folder`,
    )
    .action(async (shape: string, names: string[], flags: VariantsFlags) => {
      process.exitCode = await runVariants(shape, names, flags);
    });
}

/** A position whose values are asked for. */
interface Asked {
  readonly asked: Board;
  /** Its canonical form. */
  readonly board: PackedBoard;
  readonly sum: number;
}

async function runVariants(
  text: string,
  names: readonly string[],
  flags: VariantsFlags,
): Promise<number> {
  const began = performance.now();
  const shape = shapeOf(text);
  const variants = variantsOf(names, flags.tiles);
  const asked = askedOf(shape, flags.board);
  const { out } = flags;
  if (out !== undefined) {
    requireCharts();
    makeOutFolder(out);
  }
  using watch = watchInterrupts("stopping after this layer; Ctrl-C again stops at once");
  const memory = sweepMemory(flags.memory);
  const options = { threads: flags.workers, memory };
  await using sweep = new VariantSweep(normalShape(shape), flags.tiles, options);
  const solve = shownSolver(shape, sweep, asked, flags, watch.signal);
  const solved: SolvedVariant[] = [];
  const pictures = new Map<Variant, Picture>();
  const report = (): VariantsReport => ({
    shape,
    tiles: flags.tiles,
    variants: names,
    solved,
    boards: asked.map((one) => one.asked),
    areStarts: flags.board === undefined,
    seconds: (performance.now() - began) / 1000,
  });
  for (const variant of variants) {
    const one = await solve(variant);
    if (one === undefined) break;
    solved.push(one);
    if (!flags.json) printLine(`${solved.length > 1 ? "\n" : ""}${textOf(report(), one)}`);
    if (out === undefined) continue;
    for (const { path, contents } of await reportFiles(out, report(), pictures)) {
      writeResult("--out", path, contents);
    }
  }
  if (flags.json) printJson<VariantsOutput>(variantsAsJson(report()));
  if (watch.signal.aborted) {
    printError(`stopped; ${solved.length} of ${variants.length} variants are solved`);
    return EXIT.interrupted;
  }
  tell(flags, `done in ${formatSeconds((performance.now() - began) / 1000)}`);
  return EXIT.ok;
}

/** Returns a function that solves variants, with progress; it returns `undefined` when stopped. */
function shownSolver(
  shape: Shape,
  sweep: VariantSweep,
  asked: readonly Asked[],
  flags: VariantsFlags,
  signal: AbortSignal,
) {
  /** The positions, by whether the slider can pass, and the seconds that finding them took. */
  const reaches = new Map<boolean, { readonly reach: Reach; readonly seconds: number }>();

  /** Runs some work on layers, and displays its progress; the numbers are those to expect. */
  async function shown<T>(
    name: string,
    layers: number | undefined,
    positions: number | undefined,
    work: (options: StepOptions) => Promise<T>,
  ): Promise<T> {
    const standing = (done: number, valued: number): Standing => ({
      done,
      total: layers ?? done,
      text: `${formatRough(valued)} positions`,
      part: positions === undefined ? undefined : Math.min(0.99, valued / positions),
    });
    const of = `${formatShape(shape)} ${name}`;
    const options = { signal, quiet: flags.quiet };
    using display = showWork(of, "layers", standing(0, 0), options);
    return await work({ signal, onProgress: (done, count) => display.show(standing(done, count)) });
  }

  async function reachOf(passes: boolean) {
    const known = reaches.get(passes);
    if (known !== undefined) return known;
    const began = performance.now();
    const tiles = ordinaryTiles(flags.tiles);
    const expected = tiles && positionsExpected({ shape, tiles });
    const reach = await shown("positions", undefined, expected, (options) =>
      sweep.reach(passes, options),
    );
    if (reach === undefined) return undefined;
    const seconds = (performance.now() - began) / 1000;
    const layers = reach.layers.filter((layer) => layer.positions > 0).length;
    tell(
      flags,
      `${formatRough(reach.positions)} positions in ${layers} layers, found in ${formatSeconds(seconds)}`,
    );
    const found = { reach, seconds };
    reaches.set(passes, found);
    return found;
  }

  return async (variant: Variant): Promise<SolvedVariant | undefined> => {
    const found = await reachOf(variant.states.some(({ pass }) => pass !== undefined));
    if (found === undefined) return undefined;
    const { reach } = found;
    const expected = found.seconds * (0.8 + 0.1 * variant.states.length); // measured on 3×3
    if (expected >= 1) {
      const bytes = formatBytes(sweep.bytesFor(reach, variant));
      tell(flags, `${variant.name}: ${bytes} of memory, about ${formatEstimate(expected)}`);
    }
    const began = performance.now();
    const { layers, positions } = reach;
    // Starts that are images of each other are listed once, unless the rules tell them apart.
    const isEachAsked = flags.board !== undefined || variant.image === undefined;
    const boards = isEachAsked ? asked : asked.flatMap(imagesOf);
    const values = await shown(variant.name, layers.length, positions, (options) =>
      sweep.value(reach, variant, boards, options),
    );
    if (values === undefined) return undefined;
    return {
      variant,
      positions,
      boards: boards.map((one) => one.asked),
      seconds: (performance.now() - began) / 1000,
      values: boards.map((one, i) => inFrame(one, values[i], variant)),
    };
  };
}

/** Lists the images of a start in its own shape, each once, itself first. */
function imagesOf({ asked, board, sum }: Asked): Asked[] {
  const images = symmetriesOf(asked).map((symmetry) => applySymmetry(asked, symmetry));
  const distinct = new Map(images.map((image) => [formatBoard(image), image]));
  return [...distinct.values()].map((image) => ({ asked: image, board, sum }));
}

/** Returns a board's values, which are those of its canonical form in the images of the states. */
function inFrame(
  { asked, board }: Asked,
  values: Float64Array | undefined,
  { states, image }: Variant,
): number[] {
  if (values === undefined) {
    throw new UsageError(`play from the starts cannot reach ${formatBoard(asked)}`);
  }
  if (image === undefined) return [...values];
  const symmetry = symmetryToCanonical(asked, board);
  return states.map((_, i) => values[image(i, symmetry)] as number);
}

/** Returns the shape that a text names, if it is small enough. */
function shapeOf(text: string): Shape {
  const shape = parseShape(text);
  if (canSolveVariants(shape)) return shape;
  const positions = positionsExpected({ shape, tiles: [2, 4] });
  throw new UsageError(
    `${formatShape(shape)} has ${shape.rows * shape.cols} cells and some ${formatRough(positions)} positions, too many for variants; expected a shape of at most ${MAX_VARIANT_CELLS} cells`,
  );
}

/** Returns the named variants or, without names, the usual ones that make sense with the tiles. */
function variantsOf(names: readonly string[], tiles: readonly number[]): Variant[] {
  const isUsual = names.length === 0;
  return [...new Set(isUsual ? USUAL : names)].flatMap((name) => {
    try {
      return [parseVariant(name, tiles)];
    } catch (error) {
      if (!(error instanceof VariantError)) throw error;
      if (isUsual) return [];
      throw new UsageError(error.message);
    }
  });
}

/** Returns the positions that the user names, or all starts. */
function askedOf(shape: Shape, texts: readonly string[] | undefined): Asked[] {
  const game = { shape, tiles: [2, 4] as const };
  const boards = texts?.map((text) => positionOf(shape, text)) ?? starts(shape);
  return boards.map((board) => ({
    asked: texts === undefined ? asAsked(game, board) : board,
    board: packBoard(canonical(board)),
    sum: tileSum(board),
  }));
}
