import { type Board, describeGame, formatBoard, formatPlacement } from "@gridlock/game";
import { drawChart, formatCount, formatPercent, type Picture, tableOf } from "@gridlock/report";
import type { AnalyzeOutput } from "@gridlock/schemas";
import {
  EXPECTED_STEP,
  type PerfectPlay,
  type SlideCount,
  type Survey,
  type Tabulation,
} from "@gridlock/tablebase";
import { gameAsJson } from "./print.js";

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

/** Formats a board as code of Markdown. */
function codeOf(board: Board): string {
  return `\`${formatBoard(board)}\``;
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
  const chance = (i: number) => found.againstChance[i] as SlideCount;
  const largest = tabulation.layers.reduce((a, b) => (b.positions > a.positions ? b : a));
  const [layersPicture, valuesPicture, expectedPicture] = pictures.map(
    ({ name, title }) => `![${title}](${name}.svg)`,
  );
  return `# The positions of ${describeGame(game)}

Made by \`${command}\`. Boards that are images of each other count as one.

${countsOf(tabulation)},
in ${formatCount(tabulation.layers.length)} layers of equal tile sum; the largest, of sum ${largest.sum}, has ${formatCount(largest.positions)} positions.

${layersPicture}

${tableOf(
  [...found.byLargestTile],
  [
    ["largest tile", ([tile]) => String(tile)],
    ["positions", ([, count]) => count],
  ],
)}

## Values

Against the placer, the score still to come:

${valueTable(found.byValue, positions)}

${valuesPicture}

Against chance, in steps of ${EXPECTED_STEP} points:

${expectedPicture}

## The longest lines of best play

Both players make best moves and, among them, those that make the game last longest. From any position, the longest line has
${formatCount(found.longest.slides)} slides, from
${codeOf(found.longest.start)} to ${codeOf(found.longest.end)}. From the starts:

${tableOf(found.lines.slice(0, LINES), [
  ["start", ({ start }) => codeOf(start)],
  ["slides", ({ slides }) => slides],
  ["ends at", ({ end }) => codeOf(end)],
])}

The positions by the largest number of slides in best play:

${tableOf(
  [...found.bySlides],
  [
    ["slides", ([slides]) => String(slides)],
    ["positions", ([, count]) => count],
  ],
)}

${perfectOf(found)}

${habitsOf(found)}

## Slides and placements

How often each slide is a best one where it is legal, on canonical boards, whose large tiles lie up and left. Against chance,
differences of less than 0.0001 points are ignored:

${tableOf(found.againstPlacer, [
  ["slide", ({ direction }) => direction],
  ["legal", ({ legal }) => legal],
  ["best against the placer", ({ best, legal }) => share(best, legal), "right"],
  ["the only best", ({ only, legal }) => share(only, legal), "right"],
  ["best against chance", ({ legal }, i) => share(chance(i).best, legal), "right"],
  ["the only best", ({ legal }, i) => share(chance(i).only, legal), "right"],
])}

Of the ${formatCount(found.worstPlacements)} worst placements on afterstates of best slides, ${share(found.worstFours, found.worstPlacements)} are 4s.
The hardest, by the difference from the kindest placement:

${tableOf(found.hardest, [
  ["afterstate", ({ board }) => codeOf(board)],
  ["placement", ({ board, tile, cell }) => formatPlacement(board, { tile, cell })],
  ["leaves", ({ worst }) => worst],
  ["the kindest", ({ kindest }) => kindest],
])}
`;
}

/** Returns a share with its numerator and denominator. */
function shareOf(count: number, all: number): string {
  return `${share(count, all)} (${formatCount(count)} of ${formatCount(all)})`;
}

function perfectOf({ perfect, perfectFrom }: Survey): string {
  const { corner, edge, centre } = perfect.endsBy;
  return `## Where perfect play ends

In perfect play, both players make only best moves. From all starts together it visits ${formatCount(perfect.positions)} positions and
${formatCount(perfect.afterstates)} afterstates, and ends on ${formatCount(perfect.ends)} boards. The largest tile lies in a corner on ${formatCount(corner)} of them, on an edge on
${formatCount(edge)} and inside on ${formatCount(centre)}. From each start:

${tableOf(perfectFrom, [
  ["start", ({ start }) => codeOf(start)],
  ["positions", ({ positions }) => positions],
  ["afterstates", ({ afterstates }) => afterstates],
  ["end boards", ({ ends }) => ends],
  ["corner", ({ endsBy }) => endsBy.corner],
  ["edge", ({ endsBy }) => endsBy.edge],
  ["inside", ({ endsBy }) => endsBy.centre],
])}`;
}

function habitsOf({ habits, removals, byLargest, byEqual, ...found }: Survey): string {
  const zugzwangs = [
    { name: "the smallest tile sum", found: found.smallestZugzwang },
    { name: "the largest loss", found: found.largestLoss },
  ];
  return `## Mutual zugzwang

Some boards occur with either side to move. On ${shareOf(habits.zugzwangs, habits.either)} of them
whoever has to move loses by it: the slider can force less when it moves first than when the placer does.

${tableOf(
  zugzwangs.flatMap(({ name, found }) => (found ? [{ name, ...found }] : [])),
  [
    ["", ({ name }) => name],
    ["board", ({ board }) => codeOf(board)],
    ["slider first", ({ sliderFirst }) => sliderFirst],
    ["placer first", ({ placerFirst }) => placerFirst],
  ],
)}

## Habits of best play

- Quiet slides: of the positions in which a slide merges, no best slide merges in ${shareOf(habits.quiet, habits.mergeable)};
  of those in which a slide that merges nothing is legal too, in ${shareOf(habits.quiet, habits.choice)}.
- Corners: of the positions in which a largest tile could stay in its corner, every best slide moves it in
  ${shareOf(habits.cornerLeft, habits.couldStay)}; where it is the only one of its kind, in
  ${shareOf(habits.loneLeft, habits.loneCouldStay)}.
- Greed: a slide that earns most is a best one in ${shareOf(habits.greedySome, habits.slidable)} of the positions with
  a slide, and in ${shareOf(habits.mergingSome, habits.mergeable)} of those with a merge. Each such slide is a best one in
  ${shareOf(habits.greedyAll, habits.slidable)} and ${shareOf(habits.mergingAll, habits.mergeable)}.
- Placements: on ${shareOf(habits.decided, habits.afterstates)} of the afterstates, placements differ in value. The best
  of them are all of one tile on ${shareOf(habits.onlyTwos + habits.onlyFours, habits.decided)}: a 2 on ${formatCount(habits.onlyTwos)}, a 4 on ${formatCount(habits.onlyFours)}.
${
  removals === undefined
    ? "- Removals of tiles were not counted: there are too many positions."
    : `- Removals: taking a tile off the board lowers the value in ${shareOf(removals.lower, removals.valued)} of the pairs of a
  position and a tile on it. It leaves another ${formatCount(removals.unreachable)} boards that play cannot reach; they are not counted.`
}

How often a placement is a best one, by its distance along rows and columns to the nearest largest tile:

${placementTable(byLargest)}

By its distance to the nearest equal tile:

${placementTable(byEqual)}`;
}

function placementTable(counts: Survey["byLargest"]): string {
  return tableOf(counts, [
    ["placed", ({ tile }) => String(tile)],
    ["distance", ({ distance }) => (distance === 0 ? "no such tile" : String(distance))],
    ["placements", ({ placements }) => placements],
    ["best", ({ worst }) => worst],
    ["share", ({ worst, placements }) => share(worst, placements), "right"],
  ]);
}

/** Returns a table of the positions in equal ranges of values. */
function valueTable(byValue: ReadonlyMap<number, number>, positions: number): string {
  const most = Math.max(...byValue.keys());
  const width = Math.max(4, 4 * Math.ceil((most + 4) / 4 / VALUE_ROWS));
  const rows = new Map<number, number>();
  for (const [value, count] of byValue) {
    const from = value === 0 ? -1 : Math.floor(value / width) * width;
    rows.set(from, (rows.get(from) ?? 0) + count);
  }
  const sorted = [...rows].sort(([a], [b]) => a - b);
  return tableOf(sorted, [
    ["points", ([from]) => (from < 0 ? "0" : `${Math.max(from, 4)} … ${from + width - 4}`)],
    ["positions", ([, count]) => count],
    ["share", ([, count]) => formatPercent(count / positions), "right"],
  ]);
}

/** Returns the counts of a survey for JSON. */
export function surveyAsJson(tabulation: Tabulation, found: Survey): AnalyzeOutput {
  const { positions, terminal, afterstates } = tabulation.counts();
  return {
    ...gameAsJson(tabulation.game),
    positions,
    terminal,
    afterstates,
    perfect: perfectAsJson(found.perfect),
    perfectFrom: found.perfectFrom.map(({ start, ...perfect }) => ({
      board: formatBoard(start),
      ...perfectAsJson(perfect),
    })),
    habits: found.habits,
    zugzwang: {
      largest: zugzwangAsJson(found.largestLoss),
      smallest: zugzwangAsJson(found.smallestZugzwang),
    },
    removals: found.removals ?? null,
    placements: { byLargest: found.byLargest, byEqual: found.byEqual },
  };
}

/** Returns perfect play for JSON, without its first board. */
export function perfectAsJson({ endsByTile, ...counts }: PerfectPlay) {
  return {
    ...counts,
    endsByTile: [...endsByTile].map(([tile, by]) => ({ tile, ...by })),
  };
}

function zugzwangAsJson(zugzwang: Survey["largestLoss"]) {
  return zugzwang === undefined ? null : { ...zugzwang, board: formatBoard(zugzwang.board) };
}
