/* The types of the JSON in docs/schemas; written by npm run generate -- schemas. */

/**
 * A board's value, those of its moves, and a line of best play.
 */
export type Answer =
  | {
      /**
       * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
       */
      board: string;
      /**
       * The slider is to move.
       */
      turn: "slider";
      /**
       * For tabulated games only: whether play from a start leads to the board.
       */
      reachable?: boolean;
      /**
       * A proven lower bound of the value, in points.
       */
      lo: number;
      /**
       * A proven upper bound of the value, in points.
       */
      hi: number;
      /**
       * The value; null while lo < hi.
       */
      value: number | null;
      /**
       * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
       */
      expected?: number | null;
      /**
       * The source of lo and hi: the tabulation, the database, the files of a proof by layers, a checked certificate, the published values, the rules alone, or a search just made.
       */
      source: "tabulation" | "database" | "layers" | "certificate" | "published" | "rules" | "search";
      /**
       * If source is published: the run that found the values, and what confirms them.
       */
      published?: {
        /**
         * The file in the repository with the values.
         */
        source: string;
        /**
         * The commands that found them.
         */
        madeBy: string;
        version: string | null;
        confirmations: {
          kind: "certificate" | "proof-by-layers" | "second-search" | "tabulation";
          /**
           * A sentence that says what was done.
           */
          says: string;
          command: string;
          source: string;
          date: string | null;
        }[];
      };
      /**
       * A lower bound that somebody else has published. It is not checked here, and not part of lo.
       */
      literature?: {
        /**
         * Points that the slider can force, if the cited proof is right.
         */
        bound: number;
        citation: string;
        /**
         * The cited result.
         */
        says: string;
        checked: false;
      };
      /**
       * A line of best play; empty while the value or the line is not known.
       */
      line: (("up" | "left" | "down" | "right") | string)[];
      /**
       * The board at the end of the line; null without a line.
       */
      end: string | null;
      /**
       * All legal slides; none at the end of the game.
       *
       * Items: A slide, the points that it earns, and the value of the board that it leads to.
       */
      moves: {
        move: "up" | "left" | "down" | "right";
        /**
         * Points that the move earns; the move is worth score plus value.
         */
        score: number;
        /**
         * A proven lower bound of the value, in points.
         */
        lo: number;
        /**
         * A proven upper bound of the value, in points.
         */
        hi: number;
        /**
         * The value; null while lo < hi.
         */
        value: number | null;
        /**
         * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
         */
        expected?: number | null;
        /**
         * best: no move is better. as good: another move is at least as good; this one may be worse. worse: it gives points away. open: it may be better than all others.
         */
        verdict: "best" | "as good" | "worse" | "open";
        /**
         * If it is worse: the fewest points that it gives away.
         */
        by?: number;
      }[];
      /**
       * A player's choices, and what they give away; null if that is not known.
       */
      player?: {
        name: string;
        choices: {
          move: "up" | "left" | "down" | "right";
          probability: number;
        }[];
        /**
         * Points given away against the placer.
         */
        cost: number | null;
        /**
         * Points given away in the ordinary game.
         */
        expectedCost: number | null;
      };
    }
  | {
      /**
       * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
       */
      board: string;
      /**
       * The placer is to move.
       */
      turn: "placer";
      /**
       * For tabulated games only: whether play from a start leads to the board.
       */
      reachable?: boolean;
      /**
       * A proven lower bound of the value, in points.
       */
      lo: number;
      /**
       * A proven upper bound of the value, in points.
       */
      hi: number;
      /**
       * The value; null while lo < hi.
       */
      value: number | null;
      /**
       * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
       */
      expected?: number | null;
      /**
       * The source of lo and hi: the tabulation, the database, the files of a proof by layers, a checked certificate, the published values, the rules alone, or a search just made.
       */
      source: "tabulation" | "database" | "layers" | "certificate" | "published" | "rules" | "search";
      /**
       * If source is published: the run that found the values, and what confirms them.
       */
      published?: {
        /**
         * The file in the repository with the values.
         */
        source: string;
        /**
         * The commands that found them.
         */
        madeBy: string;
        version: string | null;
        confirmations: {
          kind: "certificate" | "proof-by-layers" | "second-search" | "tabulation";
          /**
           * A sentence that says what was done.
           */
          says: string;
          command: string;
          source: string;
          date: string | null;
        }[];
      };
      /**
       * A lower bound that somebody else has published. It is not checked here, and not part of lo.
       */
      literature?: {
        /**
         * Points that the slider can force, if the cited proof is right.
         */
        bound: number;
        citation: string;
        /**
         * The cited result.
         */
        says: string;
        checked: false;
      };
      /**
       * A line of best play; empty while the value or the line is not known.
       */
      line: (("up" | "left" | "down" | "right") | string)[];
      /**
       * The board at the end of the line; null without a line.
       */
      end: string | null;
      /**
       * All placements.
       *
       * Items: A placement, which earns nothing, and the value of the board that it leads to.
       */
      moves: {
        /**
         * A tile, then its row and column, counted from 1: 4@1,3.
         */
        place: string;
        /**
         * Points that the move earns; the move is worth score plus value.
         */
        score: number;
        /**
         * A proven lower bound of the value, in points.
         */
        lo: number;
        /**
         * A proven upper bound of the value, in points.
         */
        hi: number;
        /**
         * The value; null while lo < hi.
         */
        value: number | null;
        /**
         * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
         */
        expected?: number | null;
        /**
         * best: no move is better. as good: another move is at least as good; this one may be worse. worse: it gives points away. open: it may be better than all others.
         */
        verdict: "best" | "as good" | "worse" | "open";
        /**
         * If it is worse: the fewest points that it gives away.
         */
        by?: number;
      }[];
    };

/**
 * The output of `gridlock solve SHAPE --json`.
 */
export interface SolveOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * Items: A start and what is proven of it.
   */
  starts: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    board: string;
    /**
     * The score that the slider can force; null while lo < hi.
     */
    value: number | null;
    /**
     * Points that the slider is proven to be able to force.
     */
    lo: number;
    /**
     * Points that the slider is proven not to exceed.
     */
    hi: number;
    /**
     * A line of best play; empty while none is known.
     *
     * Items: A direction, or a placement: 4@1,3 is a 4 in row 1, column 3.
     */
    line: string[];
    /**
     * The board at the end of the line; null without a line.
     */
    end: string | null;
  }[];
  /**
   * Boards searched: those with the slider to move, and those with the placer to move.
   */
  nodes: {
    positions: number;
    afterstates: number;
  };
  /**
   * Seconds that it took.
   */
  seconds: number;
}

/**
 * The output of `gridlock solve SHAPE --goal tile:N --json`.
 */
export interface SolveGoalOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  goal: {
    tile: number;
  };
  starts: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    board: string;
    /**
     * True if the slider can force the tile.
     */
    forced: boolean;
  }[];
  /**
   * Boards searched: those with the slider to move, and those with the placer to move.
   */
  nodes: {
    positions: number;
    afterstates: number;
  };
  /**
   * Seconds that it took.
   */
  seconds: number;
}

/**
 * A line of the output of `gridlock query --json`.
 */
export type QueryOutput =
  | {
      /**
       * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
       */
      board: string;
      /**
       * The slider is to move.
       */
      turn: "slider";
      /**
       * For tabulated games only: whether play from a start leads to the board.
       */
      reachable?: boolean;
      /**
       * A proven lower bound of the value, in points.
       */
      lo: number;
      /**
       * A proven upper bound of the value, in points.
       */
      hi: number;
      /**
       * The value; null while lo < hi.
       */
      value: number | null;
      /**
       * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
       */
      expected?: number | null;
      /**
       * The source of lo and hi: the tabulation, the database, the files of a proof by layers, a checked certificate, the published values, the rules alone, or a search just made.
       */
      source: "tabulation" | "database" | "layers" | "certificate" | "published" | "rules" | "search";
      /**
       * If source is published: the run that found the values, and what confirms them.
       */
      published?: {
        /**
         * The file in the repository with the values.
         */
        source: string;
        /**
         * The commands that found them.
         */
        madeBy: string;
        version: string | null;
        confirmations: {
          kind: "certificate" | "proof-by-layers" | "second-search" | "tabulation";
          /**
           * A sentence that says what was done.
           */
          says: string;
          command: string;
          source: string;
          date: string | null;
        }[];
      };
      /**
       * A lower bound that somebody else has published. It is not checked here, and not part of lo.
       */
      literature?: {
        /**
         * Points that the slider can force, if the cited proof is right.
         */
        bound: number;
        citation: string;
        /**
         * The cited result.
         */
        says: string;
        checked: false;
      };
      /**
       * A line of best play; empty while the value or the line is not known.
       */
      line: (("up" | "left" | "down" | "right") | string)[];
      /**
       * The board at the end of the line; null without a line.
       */
      end: string | null;
      /**
       * All legal slides; none at the end of the game.
       *
       * Items: A slide, the points that it earns, and the value of the board that it leads to.
       */
      moves: {
        move: "up" | "left" | "down" | "right";
        /**
         * Points that the move earns; the move is worth score plus value.
         */
        score: number;
        /**
         * A proven lower bound of the value, in points.
         */
        lo: number;
        /**
         * A proven upper bound of the value, in points.
         */
        hi: number;
        /**
         * The value; null while lo < hi.
         */
        value: number | null;
        /**
         * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
         */
        expected?: number | null;
        /**
         * best: no move is better. as good: another move is at least as good; this one may be worse. worse: it gives points away. open: it may be better than all others.
         */
        verdict: "best" | "as good" | "worse" | "open";
        /**
         * If it is worse: the fewest points that it gives away.
         */
        by?: number;
      }[];
      /**
       * A player's choices, and what they give away; null if that is not known.
       */
      player?: {
        name: string;
        choices: {
          move: "up" | "left" | "down" | "right";
          probability: number;
        }[];
        /**
         * Points given away against the placer.
         */
        cost: number | null;
        /**
         * Points given away in the ordinary game.
         */
        expectedCost: number | null;
      };
      [k: string]: unknown;
    }
  | {
      /**
       * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
       */
      board: string;
      /**
       * The placer is to move.
       */
      turn: "placer";
      /**
       * For tabulated games only: whether play from a start leads to the board.
       */
      reachable?: boolean;
      /**
       * A proven lower bound of the value, in points.
       */
      lo: number;
      /**
       * A proven upper bound of the value, in points.
       */
      hi: number;
      /**
       * The value; null while lo < hi.
       */
      value: number | null;
      /**
       * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
       */
      expected?: number | null;
      /**
       * The source of lo and hi: the tabulation, the database, the files of a proof by layers, a checked certificate, the published values, the rules alone, or a search just made.
       */
      source: "tabulation" | "database" | "layers" | "certificate" | "published" | "rules" | "search";
      /**
       * If source is published: the run that found the values, and what confirms them.
       */
      published?: {
        /**
         * The file in the repository with the values.
         */
        source: string;
        /**
         * The commands that found them.
         */
        madeBy: string;
        version: string | null;
        confirmations: {
          kind: "certificate" | "proof-by-layers" | "second-search" | "tabulation";
          /**
           * A sentence that says what was done.
           */
          says: string;
          command: string;
          source: string;
          date: string | null;
        }[];
      };
      /**
       * A lower bound that somebody else has published. It is not checked here, and not part of lo.
       */
      literature?: {
        /**
         * Points that the slider can force, if the cited proof is right.
         */
        bound: number;
        citation: string;
        /**
         * The cited result.
         */
        says: string;
        checked: false;
      };
      /**
       * A line of best play; empty while the value or the line is not known.
       */
      line: (("up" | "left" | "down" | "right") | string)[];
      /**
       * The board at the end of the line; null without a line.
       */
      end: string | null;
      /**
       * All placements.
       *
       * Items: A placement, which earns nothing, and the value of the board that it leads to.
       */
      moves: {
        /**
         * A tile, then its row and column, counted from 1: 4@1,3.
         */
        place: string;
        /**
         * Points that the move earns; the move is worth score plus value.
         */
        score: number;
        /**
         * A proven lower bound of the value, in points.
         */
        lo: number;
        /**
         * A proven upper bound of the value, in points.
         */
        hi: number;
        /**
         * The value; null while lo < hi.
         */
        value: number | null;
        /**
         * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
         */
        expected?: number | null;
        /**
         * best: no move is better. as good: another move is at least as good; this one may be worse. worse: it gives points away. open: it may be better than all others.
         */
        verdict: "best" | "as good" | "worse" | "open";
        /**
         * If it is worse: the fewest points that it gives away.
         */
        by?: number;
      }[];
      [k: string]: unknown;
    }
  | {
      /**
       * The board as it was given.
       */
      board: string;
      /**
       * The reason, in several lines: the last ones show the place.
       */
      error: string;
      /**
       * The reason for programs, such as ragged-board.
       */
      code?: string;
      [k: string]: unknown;
    };

/**
 * A line of the output of `gridlock query --values --json`.
 */
export type QueryValuesOutput =
  | {
      /**
       * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
       */
      board: string;
      /**
       * The player to move.
       */
      turn: "slider" | "placer";
      /**
       * For tabulated games only: whether play from a start leads to the board.
       */
      reachable?: boolean;
      /**
       * A proven lower bound of the value, in points.
       */
      lo: number;
      /**
       * A proven upper bound of the value, in points.
       */
      hi: number;
      /**
       * The value; null while lo < hi.
       */
      value: number | null;
      /**
       * For tabulated games only: points expected in the ordinary game; null if no play from a start leads to the board.
       */
      expected?: number | null;
      /**
       * The source of lo and hi: the tabulation, the database, the files of a proof by layers, a checked certificate, the published values, the rules alone, or a search just made.
       */
      source: "tabulation" | "database" | "layers" | "certificate" | "published" | "rules" | "search";
      /**
       * If source is published: the run that found the values, and what confirms them.
       */
      published?: {
        /**
         * The file in the repository with the values.
         */
        source: string;
        /**
         * The commands that found them.
         */
        madeBy: string;
        version: string | null;
        confirmations: {
          kind: "certificate" | "proof-by-layers" | "second-search" | "tabulation";
          /**
           * A sentence that says what was done.
           */
          says: string;
          command: string;
          source: string;
          date: string | null;
        }[];
      };
      /**
       * A lower bound that somebody else has published. It is not checked here, and not part of lo.
       */
      literature?: {
        /**
         * Points that the slider can force, if the cited proof is right.
         */
        bound: number;
        citation: string;
        /**
         * The cited result.
         */
        says: string;
        checked: false;
      };
      [k: string]: unknown;
    }
  | {
      /**
       * The board as it was given.
       */
      board: string;
      /**
       * The reason, in several lines: the last ones show the place.
       */
      error: string;
      /**
       * The reason for programs, such as ragged-board.
       */
      code?: string;
      [k: string]: unknown;
    };

/**
 * The output of `gridlock tabulate SHAPE --json`.
 */
export interface TabulateOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * Positions that play can reach, up to symmetry.
   */
  positions: number;
  /**
   * Positions without a slide.
   */
  terminal: number;
  afterstates: number;
  /**
   * Seconds that it took.
   */
  seconds: number;
  /**
   * Bytes of all files.
   */
  bytes: number;
  /**
   * Points expected in the ordinary game from two random tiles, by the best play.
   */
  expected: number;
  /**
   * With --reach: the chance of making the tile, from two random tiles.
   */
  reach?: {
    tile: number;
    chance: number;
  };
  starts: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    board: string;
    /**
     * The score that the slider can force.
     */
    value: number;
    /**
     * Points expected in the ordinary game.
     */
    expected: number;
    /**
     * With --reach only.
     */
    chance?: number;
  }[];
}

/**
 * The output of `gridlock variants SHAPE --json`.
 */
export interface VariantsOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: number[];
  /**
   * The positions whose values are given: all starts.
   *
   * Items: A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
   */
  boards: string[];
  /**
   * The variants that were solved: fewer than asked for if the command was stopped.
   */
  variants: {
    /**
     * The variant as it was asked for, such as 4s=17.
     */
    variant: string;
    /**
     * Positions, up to symmetry, that play can reach.
     */
    positions: number;
    /**
     * States beside the board: values of each position.
     */
    states: number;
    /**
     * Seconds that it took.
     */
    seconds: number;
    series: {
      name: string;
      /**
       * Points of each board, in the order of `boards`.
       */
      values: number[];
      /**
       * The mean for a random start of the ordinary game, if chance takes part.
       */
      mean?: number;
    }[];
  }[];
  /**
   * Seconds that it took.
   */
  seconds: number;
}

/**
 * The output of `gridlock analyze SHAPE --json`.
 */
export interface AnalyzeOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * Positions that play can reach, up to symmetry.
   */
  positions: number;
  /**
   * Positions without a slide.
   */
  terminal: number;
  afterstates: number;
  /**
   * Lines of only best moves, from all starts.
   */
  perfect: {
    /**
     * Boards of perfect play with the slider to move, up to symmetry.
     */
    positions: number;
    afterstates: number;
    /**
     * Those without a slide.
     */
    ends: number;
    /**
     * End boards by the place of their largest tile; of several, the one nearest to a corner.
     */
    endsBy: {
      corner: number;
      edge: number;
      centre: number;
    };
    endsByTile: {
      corner: number;
      edge: number;
      centre: number;
      tile: number;
    }[];
  };
  perfectFrom: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    board: string;
    /**
     * Boards of perfect play with the slider to move, up to symmetry.
     */
    positions: number;
    afterstates: number;
    /**
     * Those without a slide.
     */
    ends: number;
    /**
     * End boards by the place of their largest tile; of several, the one nearest to a corner.
     */
    endsBy: {
      corner: number;
      edge: number;
      centre: number;
    };
    endsByTile: {
      corner: number;
      edge: number;
      centre: number;
      tile: number;
    }[];
  }[];
  habits: {
    /**
     * Positions with a slide.
     */
    slidable: number;
    /**
     * Positions in which some slide merges.
     */
    mergeable: number;
    /**
     * Of those, the ones in which some slide merges nothing.
     */
    choice: number;
    /**
     * Of those, the ones in which no best slide merges.
     */
    quiet: number;
    /**
     * Positions in which a slide that earns most is a best one.
     */
    greedySome: number;
    /**
     * Positions in which each slide that earns most is a best one.
     */
    greedyAll: number;
    /**
     * The first of these, of the mergeable positions.
     */
    mergingSome: number;
    /**
     * The second, of the mergeable positions.
     */
    mergingAll: number;
    /**
     * Positions with a slide and a largest tile in a corner.
     */
    cornered: number;
    /**
     * Of those, the ones in which some slide leaves it there.
     */
    couldStay: number;
    /**
     * Of those, the ones in which no best slide does.
     */
    cornerLeft: number;
    /**
     * Those of couldStay with a single largest tile.
     */
    loneCouldStay: number;
    /**
     * Of those, the ones in which no best slide leaves it there.
     */
    loneLeft: number;
    /**
     * Boards that play reaches with either side to move.
     */
    either: number;
    /**
     * Of those, the ones worth less with the slider to move.
     */
    zugzwangs: number;
    afterstates: number;
    /**
     * Afterstates on which placements differ in value.
     */
    decided: number;
    /**
     * Afterstates on which only 2s are best for the placer.
     */
    onlyTwos: number;
    /**
     * Afterstates on which only 4s are best for the placer.
     */
    onlyFours: number;
  };
  zugzwang: {
    /**
     * A board, and its values with the slider and with the placer to move; null if no board qualifies.
     */
    largest: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      sliderFirst: number;
      placerFirst: number;
    } | null;
    /**
     * A board, and its values with the slider and with the placer to move; null if no board qualifies.
     */
    smallest: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      sliderFirst: number;
      placerFirst: number;
    } | null;
  };
  /**
   * Null if there are too many positions to keep in memory.
   */
  removals: {
    /**
     * Pairs of a position and a tile on it without which it is one too.
     */
    valued: number;
    /**
     * Of those, the ones in which the value is lower without the tile.
     */
    lower: number;
    same: number;
    /**
     * Pairs in which play does not reach the board without the tile.
     */
    unreachable: number;
  } | null;
  placements: {
    byLargest: {
      tile: number;
      /**
       * Steps along rows and columns; 0 if no tile is there.
       */
      distance: number;
      placements: number;
      /**
       * Those that are best for the placer.
       */
      worst: number;
    }[];
    byEqual: {
      tile: number;
      /**
       * Steps along rows and columns; 0 if no tile is there.
       */
      distance: number;
      placements: number;
      /**
       * Those that are best for the placer.
       */
      worst: number;
    }[];
  };
}

/**
 * The output of `gridlock analyze SHAPE --board BOARD --json`.
 */
export interface AnalyzeBoardOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
   */
  board: string;
  /**
   * Boards of perfect play with the slider to move, up to symmetry.
   */
  positions: number;
  afterstates: number;
  /**
   * Those without a slide.
   */
  ends: number;
  /**
   * End boards by the place of their largest tile; of several, the one nearest to a corner.
   */
  endsBy: {
    corner: number;
    edge: number;
    centre: number;
  };
  endsByTile: {
    corner: number;
    edge: number;
    centre: number;
    tile: number;
  }[];
}

/**
 * The output of `gridlock prove SHAPE --json`.
 */
export interface ProveOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * Positions that a checker's search for a claim may expand.
   */
  effort: number;
  /**
   * Boards with a claim.
   */
  claims: number;
  lower: number;
  upper: number;
  /**
   * Claims that follow by a checker's search only.
   */
  bySearch: number;
  /**
   * Nodes that had to be searched again.
   */
  nodes: number;
  /**
   * Seconds that it took.
   */
  seconds: number;
}

/**
 * A line of the output of `gridlock verify --json`.
 */
export type VerifyOutput =
  | {
      /**
       * Rows x columns, such as 3x3.
       */
      shape: string;
      /**
       * The tiles that the placer has.
       */
      tiles: [2, 4] | [2];
      method: "certificate";
      /**
       * Boards with claims.
       */
      claims: number;
      /**
       * Boards whose claims were checked.
       */
      checked: number;
      /**
       * Bounds that follow by one step.
       */
      bySteps: number;
      /**
       * Bounds that follow by search.
       */
      bySearch: number;
      /**
       * Positions expanded.
       */
      expanded: number;
      /**
       * The largest tile sum of a claim that was checked.
       */
      deepestLayer: number;
      starts: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        lo: number;
        /**
         * Null if there is no upper bound.
         */
        hi: number | null;
        /**
         * Null unless both bounds meet.
         */
        value: number | null;
        /**
         * True if the value is proven and equals the value in the database.
         */
        follows: boolean;
        /**
         * The reason if it does not follow.
         */
        why?: string;
      }[];
      /**
       * The first 20 failures.
       */
      failures: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        side: "lower" | "upper" | "board";
        /**
         * The points claimed; null if the board is wrong.
         */
        value: number | null;
        kind: "missing" | "unfounded" | "malformed";
        /**
         * The claim, and why it does not follow, for people.
         */
        text: string;
      }[];
      /**
       * All failures.
       */
      failed: number;
      /**
       * Whether everything that was checked is right.
       */
      nothingWrong: boolean;
      /**
       * The database's bounds compared with the proof; null for an exported certificate, and for a proof that does not hold.
       */
      database: {
        /**
         * Bounds in the database.
         */
        bounds: number;
        /**
         * Bounds that follow from the proof by one step at most.
         */
        implied: number;
        /**
         * Bounds about which the proof says too little: not checked.
         */
        notCovered: number;
        /**
         * Bounds that the proof shows to be false.
         */
        contradicting: number;
        /**
         * The first 20 contradictions.
         */
        contradictions: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          board: string;
          turn: "slider" | "placer";
          lo: number;
          hi: number;
          /**
           * The bound that follows from the proof.
           */
          proven: {
            lo: number;
            hi: number;
          };
        }[];
      } | null;
      /**
       * Whether the value of every start is proven.
       */
      complete: boolean;
      /**
       * Whether only a part was checked, which proves nothing.
       */
      sampled: boolean;
      /**
       * Seconds that it took.
       */
      seconds: number;
    }
  | {
      /**
       * Rows x columns, such as 3x3.
       */
      shape: string;
      /**
       * The tiles that the placer has.
       */
      tiles: [2, 4] | [2];
      method: "layers";
      blocks: number;
      bytes: number;
      boards: number;
      lower: number;
      upper: number;
      /**
       * Boards of which other blocks have bounds, once for each block.
       */
      guests: number;
      /**
       * Boards whose lower bound was found by playing on.
       */
      played: number;
      /**
       * Bounds that do not follow.
       */
      failed: number;
      failures: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        file: string;
        side: "lower" | "upper";
        value: number;
        /**
         * Whether another block has to show the bound.
         */
        isGuest: boolean;
      }[];
      unproven: {
        file: string;
        bounds: number;
      }[];
      damaged: string[];
      starts: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        lo: number;
        /**
         * Null if there is no upper bound.
         */
        hi: number | null;
        /**
         * Null unless both bounds meet.
         */
        value: number | null;
        /**
         * True if the value is proven and equals the value in the database.
         */
        follows: boolean;
        /**
         * The reason if it does not follow.
         */
        why?: string;
      }[];
      /**
       * Starts whose values are proven.
       */
      proven: number;
      /**
       * The database's bounds compared with the proof; null for an exported certificate, and for a proof that does not hold.
       */
      database: {
        /**
         * Bounds in the database.
         */
        bounds: number;
        /**
         * Bounds that follow from the proof by one step at most.
         */
        implied: number;
        /**
         * Bounds about which the proof says too little: not checked.
         */
        notCovered: number;
        /**
         * Bounds that the proof shows to be false.
         */
        contradicting: number;
        /**
         * The first 20 contradictions.
         */
        contradictions: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          board: string;
          turn: "slider" | "placer";
          lo: number;
          hi: number;
          /**
           * The bound that follows from the proof.
           */
          proven: {
            lo: number;
            hi: number;
          };
        }[];
      } | null;
      /**
       * Whether the value of every start is proven.
       */
      complete: boolean;
      /**
       * Seconds that it took.
       */
      seconds: number;
    }
  | {
      /**
       * Rows x columns, such as 3x3.
       */
      shape: string;
      /**
       * The tiles that the placer has.
       */
      tiles: [2, 4] | [2];
      method?: "layers";
      complete: false;
      /**
       * What is there instead.
       */
      found: string;
    };

/**
 * The output of `gridlock status --json`.
 */
export interface StatusOutput {
  file: string;
  bytes: number;
  /**
   * The version of the database's schema.
   */
  schema: number;
  games: {
    /**
     * Rows x columns, such as 3x3.
     */
    shape: string;
    /**
     * The tiles that the placer has.
     */
    tiles: [2, 4] | [2];
    starts: number;
    /**
     * Starts whose values are known.
     */
    solved: number;
    /**
     * Boards with a bound in the database.
     */
    bounds: number;
    /**
     * Boards with a value in the database.
     */
    exact: number;
    certificate: {
      effort: number;
      made: string;
      seconds: number;
      claims: number;
    } | null;
    snapshot: {
      file: string;
      entries?: number;
      bytes?: number;
      batches?: number;
      written?: string;
      /**
       * Why it cannot be used.
       */
      error?: string;
    } | null;
    tabulation: {
      /**
       * The file of the positions.
       */
      file: string;
      columns: string[];
      positions: number;
      complete: boolean;
      /**
       * Bytes of all files.
       */
      bytes: number;
      /**
       * Why it cannot be used.
       */
      error?: string;
    } | null;
    /**
     * A proof by layers.
     */
    layers: {
      folder: string;
      bytes: number;
      state?: "running" | "done" | "stopped";
      round?: number;
      expanded?: number;
      seconds?: number;
      blocks?: number;
      boards?: number;
      live?: number;
      /**
       * Why it cannot be used.
       */
      error?: string;
    } | null;
  }[];
  /**
   * Solves, the latest first.
   */
  runs: {
    id: number;
    /**
     * Rows x columns, such as 3x3.
     */
    shape: string;
    /**
     * The tiles that the placer has.
     */
    tiles: [2, 4] | [2];
    started: string;
    version: string;
    machine: string;
    options: {
      [k: string]: unknown;
    };
    /**
     * `unfinished` if its process has ended without a word.
     */
    outcome: "running" | "unfinished" | "solved" | "stopped" | "failed";
    positions: number;
    afterstates: number;
    seconds: number;
  }[];
  /**
   * Games with published values that the database has not solved.
   */
  published: {
    /**
     * Rows x columns, such as 3x3.
     */
    shape: string;
    /**
     * The tiles that the placer has.
     */
    tiles: [2, 4] | [2];
    starts: number;
    solved: number;
    /**
     * The least of the lower bounds of all starts, in points.
     */
    lo: number;
    /**
     * The largest of their upper bounds, in points.
     */
    hi: number;
    /**
     * The file in the repository with the values.
     */
    source: string;
  }[];
}

/**
 * The output of `gridlock status --redis URL --json`.
 */
export interface StatusRedisOutput {
  /**
   * Null while there is no coordinator.
   */
  run: {
    protocol: number;
    run: string;
    host: string;
    pid: number;
    shape: string;
    tiles: string;
    kernel?: string;
    began: string;
    check: boolean;
    question: {
      id: string;
      board: string;
      threshold: number;
    } | null;
    /**
     * @maxItems 2
     */
    groups:
      | []
      | [
          {
            id: string;
            /**
             * @maxItems 10000
             */
            workers: string[];
            answered: boolean;
          }
        ]
      | [
          {
            id: string;
            /**
             * @maxItems 10000
             */
            workers: string[];
            answered: boolean;
          },
          {
            id: string;
            /**
             * @maxItems 10000
             */
            workers: string[];
            answered: boolean;
          }
        ];
    /**
     * @maxItems 10000
     */
    starts: {
      board: string;
      bound: {
        lo: number;
        hi: number | null;
      };
    }[];
    questions: number;
    counts: {
      positions: number;
      afterstates: number;
    };
    /**
     * @maxItems 1000
     */
    shutOut: string[];
  } | null;
  workers: {
    protocol: number;
    worker: string;
    host: string;
    pid: number;
    version: string;
    threads: number;
    memory: number;
    state: "idle" | "working";
    question: string | null;
    run: string | null;
    counts: {
      positions: number;
      afterstates: number;
    };
    nodesPerSecond: number;
    shared: {
      sent: number;
      received: number;
      bytesSent: number;
      bytesReceived: number;
      refused: number;
      table: number;
    };
  }[];
}

/**
 * The output of `gridlock clean --json`.
 */
export interface CleanOutput {
  /**
   * Bytes freed or, if nothing was removed, to be freed with --yes.
   */
  bytes: number;
  files: {
    kind: "snapshots" | "workers" | "tabulations";
    /**
     * Null for the files of a worker.
     */
    shape: string | null;
    tiles: ([2, 4] | [2]) | null;
    files: string[];
    bytes: number;
    /**
     * `unfinished`: a solve would resume from it, so it needs --unfinished.
     */
    state: "removed" | "removable" | "unfinished" | "in use";
  }[];
}

/**
 * The output of `gridlock export SHAPE --format json`.
 */
export interface ExportOutput {
  /**
   * The commands that make this file.
   */
  madeBy: string;
  /**
   * The runs that searched; null if there was none.
   */
  solvedBy: string | null;
  /**
   * The version of Gridlock.
   */
  version: string;
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * Items: A start and what is proven of it.
   */
  starts: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    board: string;
    /**
     * The score that the slider can force; null while lo < hi.
     */
    value: number | null;
    /**
     * Points that the slider is proven to be able to force.
     */
    lo: number;
    /**
     * Points that the slider is proven not to exceed.
     */
    hi: number;
    /**
     * A line of best play; empty while none is known.
     *
     * Items: A direction, or a placement: 4@1,3 is a 4 in row 1, column 3.
     */
    line: string[];
    /**
     * The board at the end of the line; null without a line.
     */
    end: string | null;
  }[];
}

/**
 * The output of `python3 examples/python/gridlock.py certificate FILE`.
 */
export interface CertificateOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * Positions that a checker's search for a claim may expand.
   */
  effort: number;
  /**
   * Claims about canonical positions, ascending by their packed numbers.
   */
  claims: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    board: string;
    /**
     * The slider can force so many points.
     */
    lower?: number;
    /**
     * The slider cannot force more.
     */
    upper?: number;
  }[];
}

/**
 * The output of `gridlock simulate --json`.
 */
export interface SimulateOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
   */
  board: string;
  /**
   * The score asked about.
   */
  threshold: number;
  /**
   * Whether the slider can force it.
   */
  answer: boolean;
  /**
   * Nodes by one thread alone.
   */
  alone: number;
  options: {
    /**
     * Bytes of each machine's table.
     */
    memory: number;
    /**
     * Nodes of time between two exchanges.
     */
    every: number;
    /**
     * Nodes of time that a batch is under way.
     */
    delay: number;
    /**
     * Bytes a machine may send in a node of time; null: any.
     */
    rate: number | null;
    /**
     * Least nodes of the bounds that are passed on.
     */
    effort: number;
    /**
     * Nodes of time for each bound taken in.
     */
    intake: number;
    /**
     * Nodes of time for each bound sent.
     */
    pack: number;
    /**
     * Part of the batches that are lost.
     */
    loss: number;
    /**
     * Whether machines announce the nodes that they search.
     */
    announce: boolean;
  };
  results: {
    machines: number;
    /**
     * Threads of each machine.
     */
    threads: number;
    /**
     * That of the run of median time.
     */
    efficiency: number;
    runs: {
      seed: number;
      /**
       * Nodes of time until the first machine has the answer.
       */
      time: number;
      /**
       * Nodes that all threads have expanded by then.
       */
      nodes: number;
      /**
       * Nodes alone over the time and number of all threads.
       */
      efficiency: number;
      /**
       * Bounds sent, each counted once.
       */
      bounds: number;
      /**
       * Bytes sent, each counted once.
       */
      bytesOut: number;
      /**
       * Bytes that reached a machine, counted at each.
       */
      bytesIn: number;
      /**
       * Bounds held back by the rate.
       */
      held: number;
      /**
       * Batches lost, counted at each machine that they were for.
       */
      lost: number;
      /**
       * Bounds for which a journal had no room.
       */
      missed: number;
    }[];
  }[];
}

/**
 * The output of `gridlock players --json`.
 */
export type PlayersOutput = {
  names: string[];
  /**
   * The publication that describes the players.
   */
  source: string | null;
  summary: string;
  depth: {
    unit: string;
    byDefault: number;
    most: number;
  } | null;
  /**
   * What each variant changes, by name.
   */
  variants: {
    [k: string]: string;
  };
  /**
   * What the player's file holds, if it is made from one.
   */
  file: string | null;
}[];

/**
 * The output of `gridlock play SHAPE --player NAME --json`.
 */
export interface PlayOutput {
  player: string;
  placer: string;
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  seed: number;
  /**
   * The board of --start, with the player to move.
   */
  start?: string;
  games: number;
  /**
   * Mean score.
   */
  mean: number;
  /**
   * Standard deviation of a score; null of one game.
   */
  deviation: number | null;
  /**
   * Standard error of the mean; null of one game.
   */
  error: number | null;
  median: number;
  min: number;
  max: number;
  /**
   * For each largest tile the share of the games that ended with it.
   */
  tiles: {
    [k: string]: number;
  };
  /**
   * Mean number of slides of a game.
   */
  moves: number;
  /**
   * Mean seconds of a game, on one thread.
   */
  seconds: number;
}

/**
 * A line of the output of `gridlock assess SHAPE --player NAME --json`.
 */
export interface AssessOutput {
  player: string;
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  /**
   * The tiles that the placer has.
   */
  tiles: [2, 4] | [2];
  /**
   * Expected score of the ordinary game from two random tiles; null if not known.
   */
  expected: number | null;
  /**
   * The same of perfect play.
   */
  optimum: number | null;
  starts: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    board: string;
    /**
     * The score that a perfect slider can force.
     */
    value: number | null;
    /**
     * The least score that a placer can hold the player to, its random ties averaged.
     */
    heldTo: number | null;
    /**
     * The same if the placer decides the player's ties too.
     */
    heldToWorstTie: number | null;
    /**
     * What is known if `heldTo` is not.
     */
    atLeast?: number;
    /**
     * Expected score of the ordinary game.
     */
    expected: number | null;
  }[];
  /**
   * With --moves only.
   */
  moves?: {
    positions: number;
    againstPlacer: {
      /**
       * Share of the positions in which the slide is best.
       */
      best: number;
      /**
       * Points that a slide costs, on average.
       */
      meanCost: number;
      maxCost: number;
      /**
       * A position in which the slide costs most.
       */
      costliest: string | null;
    };
    againstChance: {
      /**
       * Share of the positions in which the slide is best.
       */
      best: number;
      /**
       * Points that a slide costs, on average.
       */
      meanCost: number;
      maxCost: number;
      /**
       * A position in which the slide costs most.
       */
      costliest: string | null;
    };
  };
}

/**
 * The output of `gridlock train SHAPE --json`.
 */
export interface TrainOutput {
  /**
   * Rows x columns, such as 3x3.
   */
  shape: string;
  seed: number;
  /**
   * The learning rate.
   */
  rate: number;
  /**
   * The file of the weights.
   */
  output: string;
  /**
   * Games learned from, those of earlier runs included.
   */
  games: number;
  /**
   * Games of this run.
   */
  played: number;
  moves: number;
  /**
   * Mean score of the last 1,000 games; null without games.
   */
  mean: number | null;
  largestTile: number;
  /**
   * Seconds that it took.
   */
  seconds: number;
}

/**
 * The output of `gridlock paper all --json`.
 */
export interface PaperAllOutput {
  table1: {
    rows: {
      tile: number;
      least: number;
      most: number;
      paper: {
        least: number;
        most: number;
      };
    }[];
  };
  table2: {
    rows: {
      paper: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        end: string;
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        baselineEnd: string;
        value: number;
        nodes: number;
        baseline: number;
      };
      ours: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        end: string;
      };
      alphaBeta: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        end: string;
      };
      alphaBetaWithTable: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        end: string;
      };
    }[];
  };
  table3: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    start: string;
    rows: {
      depth: number;
      /**
       * A search, and its cost.
       */
      ours: {
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
      };
      /**
       * A search, and its cost.
       */
      alphaBeta: {
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
      };
      /**
       * A search, and its cost.
       */
      minimax?: {
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
      };
      paper: {
        nodes: number;
        baseline: number;
        seconds: number;
        baselineSeconds: number;
      };
      allOrders: {
        ours: {
          depth: number;
          fewest: number;
          most: number;
        };
        alphaBeta?: {
          depth: number;
          fewest: number;
          most: number;
        };
      };
    }[];
  };
  table4: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    start: string;
    averageBranching: number;
    rows: {
      depth: number;
      /**
       * A search, and its cost.
       */
      ours: {
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
      };
      branching: number;
      paper?: {
        nodes: number;
        seconds: number;
      };
    }[];
  };
  figure1: {
    both: {
      game: {
        shape: {
          rows: number;
          cols: number;
        };
        tiles: number[];
      };
      positions: number;
      afterstates: number;
      /**
       * The scores that the slider can force, over all starts.
       */
      score: {
        least: number;
        most: number;
      };
      /**
       * The largest tiles that the slider can force.
       */
      tile: {
        least: number;
        most: number;
      };
      /**
       * The scores that both reach together.
       */
      helpedScore?: {
        least: number;
        most: number;
      };
    }[];
    twos: {
      game: {
        shape: {
          rows: number;
          cols: number;
        };
        tiles: number[];
      };
      positions: number;
      afterstates: number;
      /**
       * The scores that the slider can force, over all starts.
       */
      score: {
        least: number;
        most: number;
      };
      /**
       * The largest tiles that the slider can force.
       */
      tile: {
        least: number;
        most: number;
      };
      /**
       * The scores that both reach together.
       */
      helpedScore?: {
        least: number;
        most: number;
      };
    }[];
  };
  figure7: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    start: string;
    curves: {
      name: string;
      depths: number[];
      /**
       * Items: A search, and its cost.
       */
      results: {
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
      }[];
    }[];
  };
  figure8: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    start: string;
    curves: {
      name: string;
      depths: number[];
      /**
       * Items: A search, and its cost.
       */
      results: {
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
      }[];
    }[];
  };
  figure9: {
    rows: {
      both: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        ours: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          board: string;
          /**
           * The value found; missing if the search was given up.
           */
          value?: number;
          /**
           * Boards searched: those with the slider to move, and those with the placer to move.
           */
          nodes: {
            positions: number;
            afterstates: number;
          };
          prunings: {
            alphaBeta: number;
            immediate: number;
            shallow: number;
            deep: number;
            table: number;
          };
          /**
           * The greatest number of moves from the root.
           */
          deepest: number;
          /**
           * Entries of the table at the end.
           */
          entries: number;
          /**
           * Whether the depth cut off nothing.
           */
          complete: boolean;
          seconds: number;
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          end: string;
        };
        paper: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          end: string;
          value: number;
          nodes: number;
        };
      };
      twos: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        ours: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          board: string;
          /**
           * The value found; missing if the search was given up.
           */
          value?: number;
          /**
           * Boards searched: those with the slider to move, and those with the placer to move.
           */
          nodes: {
            positions: number;
            afterstates: number;
          };
          prunings: {
            alphaBeta: number;
            immediate: number;
            shallow: number;
            deep: number;
            table: number;
          };
          /**
           * The greatest number of moves from the root.
           */
          deepest: number;
          /**
           * Entries of the table at the end.
           */
          entries: number;
          /**
           * Whether the depth cut off nothing.
           */
          complete: boolean;
          seconds: number;
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          end: string;
        };
        paper: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          end: string;
          value: number;
          nodes: number;
        };
      };
    }[];
  };
  "lower-bound": {
    counterexample?: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      value: number;
      claimed: number;
    };
    reports: {
      shape: {
        rows: number;
        cols: number;
      };
      positions: number;
      afterstates: number;
      forms: {
        form: string;
        exceeds: number;
        mostExcess: number;
        excesses: [number, number][];
        equals: number;
      }[];
      violations: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        value: number;
        claimed: number;
      }[];
      starts: {
        every: number;
        boards: number;
        unfinished: number;
        wrong: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          board: string;
          value: number;
          found: number;
        }[];
        nodes: number;
      };
      sample: {
        every: number;
        boards: number;
        unfinished: number;
        wrong: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          board: string;
          value: number;
          found: number;
        }[];
        nodes: number;
      };
      affected: {
        every: number;
        boards: number;
        unfinished: number;
        wrong: {
          /**
           * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
           */
          board: string;
          value: number;
          found: number;
        }[];
        nodes: number;
      };
      seconds: number;
    }[];
    footnotes: {
      value: string;
      pairs: number;
      decreases: number;
      example?: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        values: number[];
      };
    }[];
  };
  solution: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    start: string;
    mostNodes: number;
    /**
     * Null for the end of the game.
     */
    depths: (number | null)[];
    runs: {
      name: string;
      techniques: {
        [k: string]: unknown;
      };
      /**
       * Items: A search, and its cost.
       */
      results: {
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
      }[];
      /**
       * The search to the end, unless it was given up.
       */
      full?: {
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
      };
    }[];
  };
}

/**
 * The output of `gridlock paper table1 --json`.
 */
export interface PaperTable1Output {
  rows: {
    tile: number;
    least: number;
    most: number;
    paper: {
      least: number;
      most: number;
    };
  }[];
}

/**
 * The output of `gridlock paper table2 --json`.
 */
export interface PaperTable2Output {
  rows: {
    paper: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      end: string;
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      baselineEnd: string;
      value: number;
      nodes: number;
      baseline: number;
    };
    ours: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      end: string;
    };
    alphaBeta: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      end: string;
    };
    alphaBetaWithTable: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      end: string;
    };
  }[];
}

/**
 * The output of `gridlock paper table3 --json`.
 */
export interface PaperTable3Output {
  /**
   * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
   */
  start: string;
  rows: {
    depth: number;
    /**
     * A search, and its cost.
     */
    ours: {
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
    };
    /**
     * A search, and its cost.
     */
    alphaBeta: {
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
    };
    /**
     * A search, and its cost.
     */
    minimax?: {
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
    };
    paper: {
      nodes: number;
      baseline: number;
      seconds: number;
      baselineSeconds: number;
    };
    allOrders: {
      ours: {
        depth: number;
        fewest: number;
        most: number;
      };
      alphaBeta?: {
        depth: number;
        fewest: number;
        most: number;
      };
    };
  }[];
}

/**
 * The output of `gridlock paper table4 --json`.
 */
export interface PaperTable4Output {
  /**
   * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
   */
  start: string;
  averageBranching: number;
  rows: {
    depth: number;
    /**
     * A search, and its cost.
     */
    ours: {
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
    };
    branching: number;
    paper?: {
      nodes: number;
      seconds: number;
    };
  }[];
}

/**
 * The output of `gridlock paper figure1 --json`.
 */
export interface PaperFigure1Output {
  both: {
    game: {
      shape: {
        rows: number;
        cols: number;
      };
      tiles: number[];
    };
    positions: number;
    afterstates: number;
    /**
     * The scores that the slider can force, over all starts.
     */
    score: {
      least: number;
      most: number;
    };
    /**
     * The largest tiles that the slider can force.
     */
    tile: {
      least: number;
      most: number;
    };
    /**
     * The scores that both reach together.
     */
    helpedScore?: {
      least: number;
      most: number;
    };
  }[];
  twos: {
    game: {
      shape: {
        rows: number;
        cols: number;
      };
      tiles: number[];
    };
    positions: number;
    afterstates: number;
    /**
     * The scores that the slider can force, over all starts.
     */
    score: {
      least: number;
      most: number;
    };
    /**
     * The largest tiles that the slider can force.
     */
    tile: {
      least: number;
      most: number;
    };
    /**
     * The scores that both reach together.
     */
    helpedScore?: {
      least: number;
      most: number;
    };
  }[];
}

/**
 * The output of `gridlock paper figure7 --json`.
 */
export interface PaperFigure7Output {
  /**
   * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
   */
  start: string;
  curves: {
    name: string;
    depths: number[];
    /**
     * Items: A search, and its cost.
     */
    results: {
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
    }[];
  }[];
}

/**
 * The output of `gridlock paper figure8 --json`.
 */
export interface PaperFigure8Output {
  /**
   * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
   */
  start: string;
  curves: {
    name: string;
    depths: number[];
    /**
     * Items: A search, and its cost.
     */
    results: {
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
    }[];
  }[];
}

/**
 * The output of `gridlock paper figure9 --json`.
 */
export interface PaperFigure9Output {
  rows: {
    both: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      ours: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        end: string;
      };
      paper: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        end: string;
        value: number;
        nodes: number;
      };
    };
    twos: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      ours: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        /**
         * The value found; missing if the search was given up.
         */
        value?: number;
        /**
         * Boards searched: those with the slider to move, and those with the placer to move.
         */
        nodes: {
          positions: number;
          afterstates: number;
        };
        prunings: {
          alphaBeta: number;
          immediate: number;
          shallow: number;
          deep: number;
          table: number;
        };
        /**
         * The greatest number of moves from the root.
         */
        deepest: number;
        /**
         * Entries of the table at the end.
         */
        entries: number;
        /**
         * Whether the depth cut off nothing.
         */
        complete: boolean;
        seconds: number;
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        end: string;
      };
      paper: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        end: string;
        value: number;
        nodes: number;
      };
    };
  }[];
}

/**
 * The output of `gridlock paper lower-bound --json`.
 */
export interface PaperLowerBoundOutput {
  counterexample?: {
    /**
     * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
     */
    board: string;
    value: number;
    claimed: number;
  };
  reports: {
    shape: {
      rows: number;
      cols: number;
    };
    positions: number;
    afterstates: number;
    forms: {
      form: string;
      exceeds: number;
      mostExcess: number;
      excesses: [number, number][];
      equals: number;
    }[];
    violations: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      value: number;
      claimed: number;
    }[];
    starts: {
      every: number;
      boards: number;
      unfinished: number;
      wrong: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        value: number;
        found: number;
      }[];
      nodes: number;
    };
    sample: {
      every: number;
      boards: number;
      unfinished: number;
      wrong: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        value: number;
        found: number;
      }[];
      nodes: number;
    };
    affected: {
      every: number;
      boards: number;
      unfinished: number;
      wrong: {
        /**
         * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
         */
        board: string;
        value: number;
        found: number;
      }[];
      nodes: number;
    };
    seconds: number;
  }[];
  footnotes: {
    value: string;
    pairs: number;
    decreases: number;
    example?: {
      /**
       * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
       */
      board: string;
      values: number[];
    };
  }[];
}

/**
 * The output of `gridlock paper solution --json`.
 */
export interface PaperSolutionOutput {
  /**
   * A board row by row, 0 for an empty cell; ` placer` follows if the placer is to move.
   */
  start: string;
  mostNodes: number;
  /**
   * Null for the end of the game.
   */
  depths: (number | null)[];
  runs: {
    name: string;
    techniques: {
      [k: string]: unknown;
    };
    /**
     * Items: A search, and its cost.
     */
    results: {
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
    }[];
    /**
     * The search to the end, unless it was given up.
     */
    full?: {
      /**
       * The value found; missing if the search was given up.
       */
      value?: number;
      /**
       * Boards searched: those with the slider to move, and those with the placer to move.
       */
      nodes: {
        positions: number;
        afterstates: number;
      };
      prunings: {
        alphaBeta: number;
        immediate: number;
        shallow: number;
        deep: number;
        table: number;
      };
      /**
       * The greatest number of moves from the root.
       */
      deepest: number;
      /**
       * Entries of the table at the end.
       */
      entries: number;
      /**
       * Whether the depth cut off nothing.
       */
      complete: boolean;
      seconds: number;
    };
  }[];
}
