import { formatBoard, formatShape, isExact, parseShape, type Shape } from "@gridlock/game";
import { type Column, formatCount, tableOf } from "@gridlock/report";
import type { Bench } from "../bench.js";
import { type Experiment, inTurn } from "../experiment.js";

/** Shapes, with the values of their starts against the placer as docs/reach.md has them. */
const SHAPES: readonly (readonly [shape: Shape, values: string])[] = [
  [parseShape("3x3"), "The starts are worth 164 to 184 points."],
  [parseShape("3x4"), "The starts are worth 540 to 552 points."],
  [parseShape("4x4"), "The starts are worth at least 488 points each."],
];

/** Games against each heuristic placer. */
const GAMES = 20;
const PLACERS = ["evil:2", "evil:4"];

/** Numbers of positions that the searches for a low score keep after each slide. */
const WIDTHS = [30, 300, 3000];
/** Positions that an exact search may look at. */
const POSITIONS = 2_000_000;

interface Measured {
  readonly player: string;
  readonly widths: readonly number[];
  /** True if it scores so little that an exact search ends soon. */
  readonly isSearched?: true;
}

const PLAYERS: readonly Measured[] = [
  { player: "greedy", widths: WIDTHS, isSearched: true },
  { player: "ntuple", widths: WIDTHS, isSearched: true },
  { player: "emr", widths: WIDTHS, isSearched: true },
  { player: "gradient:2", widths: WIDTHS },
  { player: "zaky-minimax:4", widths: WIDTHS },
  { player: "zaky-expectimax:2", widths: WIDTHS },
  { player: "estimate", widths: WIDTHS.slice(0, 2) },
];

/** A player's measurements on a shape. */
type Row = Awaited<ReturnType<typeof measure>>;

/**
 * Bounds of the scores to which players are held where there are too many positions for a sweep.
 */
export const held: Experiment = {
  name: "held",
  title: "What a placer holds players to on larger boards",
  settings: ["seed", "mostGames"],
  async measure(bench) {
    const shapes = await inTurn(SHAPES, async ([shape, values]) => {
      const rows = await inTurn(PLAYERS, async (one) =>
        (await bench.has(one.player, shape)) ? [await measure(bench, one, shape)] : [],
      );
      const sorted = rows.flat().sort((a, b) => a.low.score - b.low.score);
      return { shape: formatShape(shape), values, rows: sorted };
    });
    const games = shapes[0]?.rows[0]?.evil[0]?.games;
    const text = `
Most of these players cannot be measured exactly on these shapes. *Least score* is the lowest score found by a placer that knows
the player, decides its random ties, tries out all placements and follows the most promising ones. It is an upper bound of the
score to which the player is held from the start of that game, if ties go against it. *Worst tie* is exact: the lowest and
highest score over the starts, proven by a search of all such games, which ends only for players that are easily held to little. The last columns are the least and the mean score of ${games} games against the placer \`evil\`, which does not
know the player.

${shapes.map(section).join("\n\n")}`;
    return { text, data: { shapes: shapes.map(({ values: _, ...measured }) => measured) } };
  },
};

async function measure(bench: Bench, { player, widths, isSearched }: Measured, shape: Shape) {
  const low = await bench.findLowScore(player, shape, widths);
  const evil = await inTurn(PLACERS, async (placer) => {
    const { games, min, mean } = await bench.play(player, GAMES, { shape, placer });
    return { placer, games, min, mean };
  });
  const worstTie = isSearched ? await prove(bench, player, shape) : null;
  return { player, low: { ...low, end: formatBoard(low.end) }, worstTie, evil };
}

/** Returns the least and the largest worst tie of the starts, or null unless all are found. */
async function prove(bench: Bench, player: string, shape: Shape) {
  const found = await bench.searchStarts(player, shape, POSITIONS);
  const ties = found.map(({ heldToWorstTie }) => heldToWorstTie);
  if (!ties.every(isExact)) return null;
  const scores = ties.map(({ lo }) => lo);
  return { least: Math.min(...scores), most: Math.max(...scores) };
}

function section({ shape, values, rows }: { shape: string; values: string; rows: Row[] }): string {
  return `
## ${shape}

${values}

${tableOf(rows, [
  ["player", ({ player }) => player],
  ["least score", ({ low }) => low.score],
  ["slides", ({ low }) => low.slides],
  ["end of that game", ({ low }) => `\`${low.end}\``],
  [
    "worst tie",
    ({ worstTie: tie }) =>
      tie ? (tie.least === tie.most ? `${tie.least}` : `${tie.least} to ${tie.most}`) : undefined,
  ],
  ...PLACERS.flatMap((placer, i): Column<Row>[] => [
    [`least against ${placer}`, ({ evil }) => evil[i]?.min],
    ["mean", ({ evil }) => formatCount(evil[i]?.mean ?? 0), "right"],
  ]),
])}`.trim();
}
