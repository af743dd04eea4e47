import { efficiency, type Run, type SimulationOptions, saysYes } from "@gridlock/cluster";
import { formatBoard, formatShape, unpackBoard } from "@gridlock/game";
import { drawChart, formatBytes, formatCount, markdownTable, type Picture } from "@gridlock/report";

/** A run and its options. */
export interface SimulatedRun {
  readonly options: SimulationOptions;
  readonly run: Run;
}

/** Returns the figures of a run, relative to one thread by itself. */
export function figuresOf({ options, run }: SimulatedRun, alone: Run) {
  const { traffic, nodes, machines, threads } = run;
  const each = (count: number) => Number((count / nodes).toFixed(5));
  return {
    method: options.method,
    network: options.network,
    share: options.share ?? null,
    delay: options.delay,
    seed: options.seed,
    machines,
    threads,
    efficiency: Number(efficiency(run, alone).toFixed(4)),
    time: run.time,
    nodes,
    relativeNodes: Number((nodes / alone.time).toFixed(4)),
    boundsPerNode: each(traffic.bounds),
    marksPerNode: each(traffic.marks),
    bytesOutPerNode: each(traffic.bytesOut),
    bytesInPerNode: each(traffic.bytesIn),
    batches: traffic.batches,
    lost: traffic.lost,
    missed: run.missed,
  };
}

/** Returns the question in words: `h >= 192 of 2 2 0 0 0/0 0 0 0 0 on 2x5`. */
export function questionInWords({ game, question }: SimulationOptions): string {
  const board = formatBoard(unpackBoard(game.shape, question.board), question.turn);
  return `h >= ${question.threshold} of ${board} on ${formatShape(game.shape)}`;
}

/** Returns the name of the series of a run: those options, other than machines, in which the runs differ. */
function seriesOf(
  { method, network, share, delay, seed }: SimulationOptions,
  all: readonly SimulatedRun[],
): string {
  const varies = (of: (options: SimulationOptions) => unknown) =>
    new Set(all.map(({ options }) => of(options))).size > 1;
  return [
    varies((options) => options.method) ? method : "",
    varies((options) => options.network) ? network : "",
    varies((options) => options.share) ? `share ${share ?? "off"}` : "",
    varies((options) => options.delay) ? `delay ${formatCount(delay)}` : "",
    varies((options) => options.seed) ? `seed ${seed}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

const HEADINGS = [
  "machines",
  "efficiency",
  "speed-up",
  "nodes ×",
  "bounds / node",
  "marks / 1,000 nodes",
  "bytes out / node",
  "bytes in / node",
  "missed",
];

/** Returns a Markdown table of runs. */
export function tableOf(all: readonly SimulatedRun[], alone: Run): string {
  const named = all.some(({ options }) => seriesOf(options, all) !== "");
  const rows = all.map((one) => {
    const figures = figuresOf(one, alone);
    return [
      ...(named ? [seriesOf(one.options, all)] : []),
      figures.machines,
      figures.efficiency.toFixed(2),
      (figures.efficiency * figures.machines * figures.threads).toFixed(1),
      figures.relativeNodes.toFixed(2),
      figures.boundsPerNode.toFixed(3),
      (1000 * figures.marksPerNode).toFixed(2),
      figures.bytesOutPerNode.toFixed(2),
      figures.bytesInPerNode.toFixed(2),
      figures.missed,
    ];
  });
  const head = [...(named ? ["run"] : []), ...HEADINGS];
  return markdownTable(head, rows, [...head.keys()].slice(named ? 1 : 0));
}

/** Draws efficiency over machines, with one line for each series. */
export function chartOf(name: string, all: readonly SimulatedRun[], alone: Run): Promise<Picture> {
  const [first] = all as readonly [SimulatedRun];
  const counts = [...new Set(all.map(({ run }) => run.machines))].sort((a, b) => a - b);
  const series = [...new Set(all.map(({ options }) => seriesOf(options, all)))];
  return drawChart({
    name,
    title: `Efficiency of machines that search together: ${questionInWords(first.options)}`,
    x: { name: "machines", categories: counts.map(String) },
    y: { name: "efficiency: speed-up / machines" },
    series: series.map((name) => ({
      name: name || "efficiency",
      points: all
        .filter(({ options }) => seriesOf(options, all) === name)
        .map(({ run }) => [counts.indexOf(run.machines), efficiency(run, alone)] as const),
    })),
  });
}

/** Returns the Markdown page of a result: command, answer, table and chart. */
export function pageOf(
  command: string,
  all: readonly SimulatedRun[],
  alone: Run,
  picture: Picture,
): string {
  const [{ options }] = all as readonly [SimulatedRun];
  const { question, reuse, announce, batch, intake, loss, ties, threads, memory } = options;
  const onOff = (on: boolean) => (on ? "on" : "off");
  const shares = [...new Set(all.map(({ options }) => options.share ?? "off"))].join(", ");
  const delays = [...new Set(all.map(({ options }) => formatCount(options.delay)))].join(", ");
  return `${[
    `# Simulated machines: ${questionInWords(options)}`,
    `Made by \`${command}\`. All figures repeat to the digit.`,
    `The answer is ${saysYes(alone.bound, question.threshold) ? "yes" : "no"}; one thread by itself needs ${formatCount(alone.time)} nodes. ` +
      `Machines of ${threads} thread${threads === 1 ? "" : "s"} and ${formatBytes(memory)} each; ` +
      `shared are bounds of so many nodes or more: ${shares}; reuse ${onOff(reuse)}, ` +
      `announcements ${announce === undefined ? "off" : `after ${formatCount(announce)} nodes`}, ` +
      `ties ${onOff(ties)}, batches of ${formatCount(batch)} nodes, delay ${delays} nodes, loss ${loss}, ${intake} nodes of time to take in a record.`,
    tableOf(all, alone),
    `![${picture.title}](${picture.name}.svg)`,
  ].join("\n\n")}\n`;
}
