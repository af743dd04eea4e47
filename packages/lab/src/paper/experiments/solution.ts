import { starts } from "@gridlock/game";
import { type Column, formatNumber, tableOf } from "@gridlock/report";
import type { PaperSearchResult, PaperSolutionOutput } from "@gridlock/schemas";
import type { Experiment } from "../../experiment.js";
import { PAPER_BEST, type Techniques } from "../techniques.js";
import { GAME_3X3, nodesOf, pointsOf, pruningColumns, roundSeconds, START_3X3 } from "./common.js";
import { ORDERING_NAMES } from "./figure7.js";

/** The ordering that the paper uses where it solves a board to the end. */
const BEST: Techniques = { ...PAPER_BEST, ordering: "heuristic" };

/**
 * The full searches: the best techniques, each left out or changed in turn, and each other
 * ordering.
 */
const SETUPS: readonly { readonly name: string; readonly techniques: Techniques }[] = [
  { name: "all techniques, heuristic ordering", techniques: BEST },
  { name: "sound LBHSV", techniques: { ...BEST, value: "sound" } },
  { name: "score for LBHSV", techniques: { ...BEST, value: "score" } },
  { name: "no lower-bound pruning", techniques: { ...BEST, lowerBound: false } },
  { name: "no symmetry", techniques: { ...BEST, table: "plain" } },
  ...(["fixed", "mixed", "deepening", "table-move", "lbhsv-move"] as const).map((ordering) => ({
    name: `ordering: ${ORDERING_NAMES[ordering]}`,
    techniques: { ...BEST, ordering },
  })),
];

/** Depths before the end of the game. */
const DEPTHS = [10, 20, 30];

/** Searches 3×3 to the end of the game, technique by technique, which the paper could not do. */
export const solution: Experiment<PaperSolutionOutput> = {
  name: "solution",
  title: "The full solution of 3×3, technique by technique",
  summary: "3x3 to the end of the game, nodes by technique",
  settings: ["mostNodes"],
  async measure(bench) {
    const { mostNodes } = bench.settings;
    const runs = await Promise.all(
      SETUPS.map(async ({ name, techniques }) => {
        const results = await bench.run("searchDepths", {
          game: GAME_3X3,
          board: START_3X3,
          techniques,
          depths: [...DEPTHS, Number.POSITIVE_INFINITY],
          mostNodes,
        });
        const finished = results.filter(({ value }) => value !== undefined);
        const full = results.find(({ value, complete }) => value !== undefined && complete);
        return { name, techniques: { ...techniques }, results: finished, full };
      }),
    );
    type Run = (typeof runs)[number];
    const best = runs[0]?.full;
    const starts3x3 = starts(GAME_3X3.shape).length;
    const nodesOrCap = (result: PaperSearchResult | undefined) =>
      result ? formatNumber(nodesOf(result)) : `more than ${formatNumber(mostNodes)}`;
    const text = `
From \`${START_3X3}\` to the end of the game, each search with an empty table at first, and given up once it has generated more
than
${formatNumber(mostNodes)} nodes (\`--most-nodes\`). The paper's techniques are enough to solve 3×3: the heuristic ordering, with which it
solved 3×2, does it in minutes.

${tableOf(runs, [
  ["techniques", ({ name }) => name],
  ["value", ({ full }) => full?.value],
  ["nodes", ({ full }) => nodesOrCap(full)],
  ["entries", ({ full }) => full?.entries],
  ["seconds", ({ full }) => full && roundSeconds(full.seconds)],
  ...pruningColumns<Run>(({ full }) => full),
])}

Nodes by depth on the way there:

${tableOf(runs, [
  ["techniques", ({ name }) => name],
  ...DEPTHS.map(
    (depth, i): Column<Run> => [`depth ${depth}`, ({ results }) => nodesOrCap(results[i])],
  ),
  ["to the end", ({ full }) => nodesOrCap(full)],
])}

${branching(runs[0]?.results ?? [], best)}

(\`gridlock solve 3x3\` finds the values of all ${starts3x3} starts with some hundred thousand nodes: threshold questions in place of one open window,
bounds on afterstates, and an ordering fitted to the placer's side.)`;
    return { text, data: { start: START_3X3, mostNodes, depths: [...DEPTHS, null], runs } };
  },
  draw({ mostNodes, runs }) {
    const byIndex = (_: unknown, index: number) => index;
    const nodes = (result: PaperSearchResult | undefined) => result && nodesOf(result);
    return [
      {
        name: "solution-techniques",
        title: "3×3 to the end of the game",
        kind: "rows",
        x: { name: "techniques", categories: runs.map(({ name }) => name) },
        y: { name: "nodes generated" },
        series: [
          { name: "solved", points: pointsOf(runs, byIndex, ({ full }) => nodes(full)) },
          {
            name: "given up",
            points: pointsOf(runs, byIndex, ({ full }) => (full ? undefined : mostNodes)),
            hatched: true,
          },
        ],
      },
      {
        name: "solution-depth",
        title: "3×3 by depth, to the end of the game",
        x: { name: "depth", categories: [...DEPTHS.map(String), "the end"] },
        y: { name: "nodes generated", log: true },
        series: runs.map(({ name, results, full }) => ({
          name,
          points: pointsOf([...DEPTHS.map((_, i) => results[i]), full], byIndex, nodes),
        })),
      },
    ];
  },
};

/** Compares the paper's estimate of the branching factor with the measured one. */
function branching(
  results: readonly PaperSearchResult[],
  full: PaperSearchResult | undefined,
): string {
  if (full === undefined) return "";
  const steps = results.slice(1).map((result, i) => {
    const before = results[i] as PaperSearchResult;
    const moves = result.deepest - before.deepest;
    const factor = (nodesOf(result) / nodesOf(before)) ** (1 / moves);
    return `${factor.toFixed(3)} from depth ${before.deepest} to ${result.deepest}`;
  });
  const whole = nodesOf(full) ** (1 / full.deepest);
  return `**Branching.** The paper finds an average branching factor of no more than 2 to depth 20, takes the game on 3×3 to be at least 512
moves long if both players work for the largest tile, and calls 3×3 close to solvable. It was closer than that: the factor
falls with the depth (${steps.join(", ")}), since more and more boards have been met before. The search to the end looks at
most ${full.deepest} moves ahead and generates ${formatNumber(nodesOf(full))} boards, ${whole.toFixed(3)} to the power of ${full.deepest}; at 2 a move it would be ${(full.deepest * Math.log10(2)).toFixed(0)} digits.`;
}
