import { describeGame, formatBoard, formatPlacement } from "@gridlock/game";
import {
  drawChart,
  formatCount,
  formatPercent,
  markdownTable,
  type Picture,
} from "@gridlock/report";
import { EXPECTED_STEP, type SlideCount, type Survey, type Tabulation } from "@gridlock/tablebase";

/** Most lines of best play in a report. */
const LINES = 5;
/** Approximate number of points of a curve. */
const POINTS = 128;
/** Approximate number of rows of the table of values. */
const VALUE_ROWS = 16;

/** Draws the charts of a survey; `name` begins the names of their files. */
export async function chartsOf(
  name: string,
  { layers, game }: Tabulation,
  { byValue, byExpected }: Survey,
): Promise<Picture[]> {
  const of = describeGame(game);
  const every = Math.ceil(layers.length / POINTS);
  const some = layers.filter((_, i) => i % every === 0);
  const perLayer = (count: (layer: (typeof layers)[number]) => number) =>
    some.map((layer) => [layer.sum, count(layer)] as const);
  return Promise.all([
    drawChart({
      name: `${name}-layers`,
      title: `${of}: boards by tile sum`,
      x: { name: every === 1 ? "sum of the tiles" : `sum of the tiles (one layer in ${every})` },
      y: { name: "boards" },
      series: [
        { name: "positions", points: perLayer(({ positions }) => positions) },
        { name: "afterstates", points: perLayer(({ afterstates }) => afterstates) },
        { name: "terminal positions", points: perLayer(({ terminals }) => terminals) },
      ],
    }),
    drawChart({
      name: `${name}-values`,
      title: `${of}: positions by the score that can be forced`,
      x: { name: "points" },
      y: { name: "positions", log: true },
      series: [{ name: "positions", points: [...byValue] }],
    }),
    drawChart({
      name: `${name}-expected`,
      title: `${of}: positions by the score to be expected against chance`,
      kind: "bars",
      x: { name: "points, from", categories: [...byExpected.keys()].map(String) },
      y: { name: "positions", log: true },
      series: [
        { name: "positions", points: [...byExpected.values()].map((count, i) => [i, count]) },
      ],
    }),
  ]);
}

/** Returns the main results of a survey as lines for a terminal. */
export function summaryOf(tabulation: Tabulation, { byValue, longest, lines }: Survey): string {
  const most = Math.max(...byValue.keys());
  return [
    `${describeGame(tabulation.game)}: ${countsOf(tabulation)}.`,
    `From any position the slider can force at most ${formatCount(most)} points; best play lasts at most ${formatCount(longest.slides)} slides, and ${formatCount(lines[0]?.slides ?? 0)} from a start.`,
  ].join("\n");
}

/** Counts positions, terminal positions and afterstates in words. */
function countsOf(tabulation: Tabulation): string {
  const { positions, terminal, afterstates } = tabulation.counts();
  return `${formatCount(positions)} positions, ${formatCount(terminal)} of them without a slide (${share(terminal, positions)}), and ${formatCount(afterstates)} afterstates`;
}

function share(count: number, all: number): string {
  return all === 0 ? "–" : formatPercent(count / all);
}

/** Returns the Markdown page of a survey. */
export function reportOf(
  command: string,
  tabulation: Tabulation,
  found: Survey,
  pictures: readonly Picture[],
): string {
  const { game } = tabulation;
  const { positions } = tabulation.counts();
  const largest = tabulation.layers.reduce((a, b) => (b.positions > a.positions ? b : a));
  const [layersPicture, valuesPicture, expectedPicture] = pictures.map(
    ({ name, title }) => `![${title}](${name}.svg)`,
  );
  return `# The positions of ${describeGame(game)}

Made by \`${command}\`. Boards that are images of each other count as one.

${countsOf(tabulation)},
in ${formatCount(tabulation.layers.length)} layers of equal tile sum; the largest, of sum ${largest.sum}, has ${formatCount(largest.positions)} positions.

${layersPicture}

${markdownTable(
  ["largest tile", "positions"],
  [...found.byLargestTile].map(([tile, count]) => [String(tile), count]),
)}

## Values

Against the placer, the score still to come:

${markdownTable(["points", "positions", "share"], valueRows(found.byValue, positions), [2])}

${valuesPicture}

Against chance, in steps of ${EXPECTED_STEP} points:

${expectedPicture}

## The longest lines of best play

Both players make best moves and, among them, those that make the game last longest. From any position, the longest line has
${formatCount(found.longest.slides)} slides, from
\`${formatBoard(found.longest.start)}\` to \`${formatBoard(found.longest.end)}\`. From the starts:

${markdownTable(
  ["start", "slides", "ends at"],
  found.lines
    .slice(0, LINES)
    .map(({ start, slides, end }) => [
      `\`${formatBoard(start)}\``,
      slides,
      `\`${formatBoard(end)}\``,
    ]),
)}

The positions by the largest number of slides in best play:

${markdownTable(
  ["slides", "positions"],
  [...found.bySlides].map(([slides, count]) => [String(slides), count]),
)}

## Slides and placements

How often each slide is a best one where it is legal, on canonical boards, whose large tiles lie up and left. Against chance,
differences of less than 0.0001 points are ignored:

${markdownTable(
  [
    "slide",
    "legal",
    "best against the placer",
    "the only best",
    "best against chance",
    "the only best",
  ],
  found.againstPlacer.map((count, i) => {
    const chance = found.againstChance[i] as SlideCount;
    return [
      count.direction,
      count.legal,
      share(count.best, count.legal),
      share(count.only, count.legal),
      share(chance.best, chance.legal),
      share(chance.only, chance.legal),
    ];
  }),
  [2, 3, 4, 5],
)}

Of the ${formatCount(found.worstPlacements)} worst placements on afterstates of best slides, ${share(found.worstFours, found.worstPlacements)} are 4s.
The hardest, by the difference from the kindest placement:

${markdownTable(
  ["afterstate", "placement", "leaves", "the kindest"],
  found.hardest.map(({ board, tile, cell, worst, kindest }) => [
    `\`${formatBoard(board)}\``,
    formatPlacement(board, { tile, cell }),
    worst,
    kindest,
  ]),
)}
`;
}

/** Returns rows of equal ranges of values: range, positions, share. */
function valueRows(byValue: ReadonlyMap<number, number>, positions: number) {
  const most = Math.max(...byValue.keys());
  const width = Math.max(4, 4 * Math.ceil((most + 4) / 4 / VALUE_ROWS));
  const rows = new Map<number, number>();
  for (const [value, count] of byValue) {
    const from = value === 0 ? -1 : Math.floor(value / width) * width;
    rows.set(from, (rows.get(from) ?? 0) + count);
  }
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([from, count]) => [
      from < 0 ? "0" : `${Math.max(from, 4)} … ${from + width - 4}`,
      count,
      formatPercent(count / positions),
    ]);
}
