/*
 * The scores that the papers print of their players.
 */

/** The number of games of each strategy in the publication. */
export const STRATEGY_GAMES = 1000;

/** A row of Tables 1 and 2 of Kohler, Migler and Khosmood 2019: scores of 1,000 games on 4×4. */
export type StrategyRow = ReturnType<typeof row>;

function row(player: string, mean: number, deviation: number, median: number, max: number) {
  return { player, mean, deviation, median, max } as const;
}

/** Table 1: each evaluator by itself, its ties broken at random. */
export const TABLE_1: readonly StrategyRow[] = [
  row("mr", 3177.17, 1196.25, 3218, 7636),
  row("ur", 1079.36, 516.63, 1038, 2996),
  row("er", 1948.13, 878.63, 1652, 6336),
  row("gr", 1090.64, 530.21, 1044, 3088),
  row("r", 1093.87, 539.75, 1058, 4348),
];

/** Table 2: the ten strategies with the largest means. */
export const TABLE_2: readonly StrategyRow[] = [
  row("emr", 3947.83, 1883.28, 3442, 12488),
  row("gemr", 3946.13, 1857.78, 3444, 12248),
  row("emugr", 3944.4, 1861.71, 3480, 12688),
  row("gemur", 3930.66, 1824.02, 3510, 12872),
  row("geumr", 3925.01, 1821.8, 3458, 12264),
  row("eumr", 3924.29, 1820.37, 3516, 13248),
  row("uegmr", 3904.23, 1836.62, 3462, 12292),
  row("guemr", 3895.64, 1833.61, 3444, 12220),
  row("emgur", 3883.58, 1820.29, 3448, 12376),
  row("eugmr", 3879.13, 1812.96, 3474, 12356),
];

/** A table of Zaky 2014: how many of some games on 4×4 ended with which largest tile. */
export interface TileTable {
  readonly table: number;
  readonly player: string;
  readonly games: number;
  /** The mean score, where it is known: of Table 1 from the program's repository. */
  readonly mean?: number;
  /** Games by largest tile. */
  readonly tiles: Readonly<Record<string, number>>;
}

/**
 * Zaky's Tables 1 to 4. The numbers of games behind Tables 2 and 4 are not printed. Table 2's
 * percentages come to a hundred games; Table 4's are multiples of 5 like those of Table 3's 20
 * runs, and taken to be of as many.
 */
export const TILE_TABLES: readonly TileTable[] = [
  {
    table: 1,
    player: "zaky-minimax:4",
    games: 100,
    mean: 21_738,
    tiles: { 256: 1, 512: 17, 1024: 45, 2048: 33, 4096: 4 },
  },
  {
    table: 2,
    player: "zaky-expectimax:2",
    games: 100,
    tiles: { 256: 5, 512: 8, 1024: 31, 2048: 53, 4096: 3 },
  },
  {
    table: 3,
    player: "zaky-minimax:8",
    games: 20,
    tiles: { 512: 1, 1024: 5, 2048: 11, 4096: 3 },
  },
  {
    table: 4,
    player: "zaky-expectimax:3",
    games: 20,
    mean: 39_163,
    tiles: { 1024: 4, 2048: 8, 4096: 8 },
  },
];
