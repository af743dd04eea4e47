import { formatBoard, type Game, type Shape } from "@gridlock/game";
import type { PaperLowerBoundOutput } from "@gridlock/schemas";
import { ABSENT, KeyIndex } from "../enumeration/key-index.js";
import { enumerate } from "../enumeration/layers.js";
import { type ValuedLayer, valuedStarts, valueLayers } from "../enumeration/values.js";
import { slidesOf } from "./children.js";
import { LBHSV_FORMS, Lbhsv } from "./lbhsv.js";
import { PaperSearch, type RunOptions } from "./search.js";
import { PAPER_BEST } from "./techniques.js";

/** Everything measured about LBHSV on one shape. */
export type BoundReport = PaperLowerBoundOutput["reports"][number];

/** The boards on which LBHSV is examined. */
interface BoundTask {
  readonly shape: Shape;
  /** The approximate size of each of the two samples; smaller sets are searched completely. */
  readonly sample: number;
  /** The seed of both samples. */
  readonly seed: number;
  /** Most nodes that each search of a sample may generate. */
  readonly mostNodes: number;
}

/** Most violations in a report. */
const MOST_VIOLATIONS = 50;

/** A board of the layers with its exact value. */
interface Valued {
  readonly code: number;
  readonly turn: "slider" | "placer";
  readonly value: number;
}

/**
 * Compares every form of LBHSV with the exact value of every afterstate that play from the starts
 * of a shape can reach, and the values that Algorithm 1 finds with the printed form with those of
 * positions.
 */
export function examineBound({ shape, sample, seed, mostNodes }: BoundTask): BoundReport {
  const began = performance.now();
  const game: Game = { shape, tiles: [2, 4] };
  const layers = enumerate(game);
  const { grid, counts } = layers;
  const tallies = LBHSV_FORMS.map((form) => ({
    form,
    lbhsv: new Lbhsv(grid, form),
    equals: 0,
    /** Numbers of afterstates by the points by which the form exceeds their values. */
    excesses: new Map<number, number>(),
  }));
  const violations: BoundReport["violations"][number][] = [];
  const affected: Valued[] = [];
  const sampled: Valued[] = [];
  const startsFound: Valued[] = [];
  const every = Math.max(1, Math.floor(counts.positions / sample));
  let seen = 0;

  const visit = (layer: ValuedLayer) => {
    const { positions, positionValues, afterstates, afterstateValues } = layer;
    for (const start of valuedStarts(grid, layer)) startsFound.push({ ...start, turn: "slider" });
    const wrong = new KeyIndex();
    for (const tally of tallies) {
      afterstates.forEach((code, i) => {
        const value = afterstateValues[i] as number;
        const claimed = tally.lbhsv.hSearch(code);
        if (claimed === value) tally.equals++;
        if (claimed <= value) return;
        tally.excesses.set(claimed - value, (tally.excesses.get(claimed - value) ?? 0) + 1);
        if (tally.form !== "printed") return;
        wrong.add(code);
        violations.push({ board: formatBoard(grid.decode(code), "placer"), value, claimed });
        affected.push({ code, turn: "placer", value });
      });
    }
    positions.forEach((code, i) => {
      const value = positionValues[i] as number;
      if (seen++ % every === seed % every) sampled.push({ code, turn: "slider", value });
      if (wrong.size === 0) return;
      const leadsToWrong = slidesOf(grid, code).some(
        ({ board }) => wrong.find(grid.canonical(board)) !== ABSENT,
      );
      if (leadsToWrong) affected.push({ code, turn: "slider", value });
    });
  };
  valueLayers(layers, { end: () => 0, scored: true, placer: "adversary" }, visit);

  const affectedEvery = Math.max(1, Math.floor(affected.length / sample));
  const someAffected = affected.filter((_, i) => i % affectedEvery === seed % affectedEvery);
  return {
    shape: grid.shape,
    ...counts,
    forms: tallies.map(({ form, equals, excesses }) => {
      const sorted = [...excesses].sort(([a], [b]) => a - b);
      return {
        form,
        exceeds: sorted.reduce((sum, [, count]) => sum + count, 0),
        mostExcess: sorted.at(-1)?.[0] ?? 0,
        excesses: sorted,
        equals,
      };
    }),
    violations: violations.reverse().slice(0, MOST_VIOLATIONS),
    starts: { every: 1, ...searchPrinted(game, startsFound, { keepTable: true }) },
    sample: { every, ...searchPrinted(game, sampled, { mostNodes }) },
    affected: { every: affectedEvery, ...searchPrinted(game, someAffected, { mostNodes }) },
    seconds: (performance.now() - began) / 1000,
  };
}

/** Runs Algorithm 1 with LBHSV as printed on boards of known values. */
function searchPrinted(game: Game, boards: readonly Valued[], options: RunOptions) {
  const search = new PaperSearch(game, { ...PAPER_BEST, ordering: "heuristic" });
  const wrong: { board: string; value: number; found: number }[] = [];
  let unfinished = 0;
  let nodes = 0;
  for (const { code, turn, value } of boards) {
    const board = search.grid.decode(code);
    const result = search.run({ board, turn }, Number.POSITIVE_INFINITY, options);
    nodes += result.nodes.positions + result.nodes.afterstates;
    if (result.value === undefined) unfinished++;
    else if (result.value !== value) {
      wrong.push({ board: formatBoard(board, turn), value, found: result.value });
    }
  }
  return { boards: boards.length, unfinished, wrong, nodes };
}
