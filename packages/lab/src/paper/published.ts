/*
 * The results that the paper prints, by table and figure, to be shown beside ours; nothing is
 * computed from them. Y. Qiu, Pruning Techniques of Minimax Algorithm on Adversarial 2048 Game.
 * Figures 7 and 8 show curves without numbers.
 */

/** Table 1: tiles with their N_lo and N_up. */
export const TABLE_1: readonly (readonly [tile: number, least: number, most: number])[] = [
  [2, 0, 0],
  [4, 0, 4],
  [8, 8, 16],
  [16, 32, 48],
  [32, 96, 128],
  [64, 256, 320],
  [128, 640, 768],
  [256, 1536, 1792],
];

/**
 * Table 2: starts of 2×2 with end state, value and nodes, and those of the baseline, Bill's
 * program.
 */
export const TABLE_2 = (
  [
    ["2 2/0 0", "2 4/8 2", 12, 32, "4 2/8 4", 1261],
    ["2 4/0 0", "8 2/2 4", 8, 15, "4 2/2 8", 518],
    ["4 4/0 0", "4 2/8 4", 8, 16, "2 4/8 2", 592],
    ["2 0/0 2", "8 4/4 2", 12, 34, "4 2/8 4", 1061],
    ["2 0/0 4", "2 4/8 2", 8, 35, "4 2/2 8", 514],
    ["4 0/0 4", "8 4/4 2", 8, 15, "2 4/8 2", 435],
  ] as const
).map(([board, end, value, nodes, baselineEnd, baseline]) => ({
  board,
  end,
  baselineEnd,
  value,
  nodes,
  baseline,
}));

/** Table 3: nodes and seconds by depth from 6 on, and those of the baseline. */
export const TABLE_3 = {
  firstDepth: 6,
  nodes: [181, 233, 385, 489, 1722],
  baseline: [3838, 8287, 53601, 114576, 681833],
  seconds: [0.288, 0.348, 0.638, 0.717, 2.535],
  baselineSeconds: [0.496, 2.19, 7.445, 30.809, 98.063],
} as const;

/** Table 4: nodes and seconds by depth from 11 on. */
export const TABLE_4 = {
  firstDepth: 11,
  nodes: [1910, 3858, 4276, 10031, 11534, 13465, 15205, 31121, 35465, 81136],
  seconds: [2.93, 5.856, 6.525, 16.745, 20.596, 22.454, 25.118, 42.514, 51.217, 124.22],
} as const;

/** Printed results of a search to the end of the game. */
type Printed = readonly [end: string, value: number, nodes: number];

/** Makes a start of Figure 9: with 2s and 4s, then with 2s only. */
function row(board: string, both: Printed, twos: Printed) {
  const published = ([end, value, nodes]: Printed) => ({ end, value, nodes });
  return { board, both: published(both), twos: published(twos) };
}

/**
 * Figure 9: the starts of 3×2. The paper shows `0 0/2 0/4 0` twice, with values of 44 and 40, and
 * omits one start; its second row, of value 40, is taken to be that start.
 */
export const FIGURE_9 = [
  row("2 2/0 0/0 0", ["4 2/8 4/16 2", 44, 8780], ["4 2/32 8/64 16", 516, 17161]),
  row("0 0/2 0/4 0", ["2 4/8 2/2 16", 44, 10714], ["4 2/32 8/64 16", 512, 17508]),
  row("2 4/0 0/0 0", ["2 4/8 2/2 16", 40, 9455], ["4 2/8 16/32 64", 512, 14592]),
  row("0 0/2 2/0 0", ["4 16/2 8/4 2", 44, 11557], ["4 2/32 8/64 16", 516, 17611]),
  row("4 4/0 0/0 0", ["16 4/8 2/2 4", 40, 7473], ["4 2/32 8/64 16", 508, 16888]),
  row("0 0/2 4/0 0", ["2 4/8 2/2 16", 40, 9456], ["4 2/8 16/32 64", 512, 14593]),
  row("2 0/0 2/0 0", ["2 4/8 2/2 16", 44, 16330], ["4 2/8 16/32 64", 516, 14961]),
  row("0 0/4 4/0 0", ["2 4/8 2/2 16", 40, 9323], ["4 2/32 8/64 16", 508, 16672]),
  row("2 0/0 4/0 0", ["16 2/8 4/4 2", 44, 10880], ["4 2/32 8/64 16", 512, 17092]),
  row("2 0/0 0/0 2", ["16 2/8 4/4 2", 44, 11763], ["4 2/32 8/64 16", 516, 16983]),
  row("4 0/0 2/0 0", ["2 4/8 2/2 16", 40, 9818], ["4 2/32 8/64 16", 512, 17381]),
  row("2 0/0 0/0 4", ["2 4/8 2/16 4", 44, 7925], ["4 2/32 8/64 16", 512, 17307]),
  row("4 0/0 4/0 0", ["4 2/2 8/16 2", 40, 8898], ["4 2/32 8/64 16", 508, 16765]),
  row("4 0/0 0/0 4", ["8 2/16 4/4 2", 40, 7849], ["4 2/8 16/32 64", 508, 14206]),
  row("2 0/2 0/0 0", ["2 4/8 2/2 16", 44, 12441], ["4 2/32 8/64 16", 516, 17648]),
  row("2 0/0 0/2 0", ["2 4/8 2/2 16", 44, 14435], ["4 2/32 8/64 16", 516, 17658]),
  row("2 0/4 0/0 0", ["2 4/8 2/2 16", 44, 10696], ["4 2/32 8/64 16", 512, 17375]),
  row("2 0/0 0/4 0", ["2 4/8 2/16 4", 44, 11443], ["4 2/32 8/64 16", 512, 17396]),
  row("4 0/4 0/0 0", ["2 4/8 2/2 16", 40, 8853], ["4 2/32 8/64 16", 508, 16280]),
  row("4 0/0 0/4 0", ["2 4/8 2/2 16", 40, 9335], ["4 2/32 8/64 16", 508, 16248]),
];
