/* The types of the JSON of the HTTP API; written by npm run generate -- schemas. */

/**
 * A board's value, those of its moves, and a line of best play.
 */
export type Answer = SliderAnswer | PlacerAnswer;
/**
 * A board to look up or search: its text alone, or an object.
 */
export type BatchEntry = string | BatchBoard;
/**
 * The moves that a player may choose, each with its probability.
 */
export type Play = SliderPlay | PlacerPlay;

/**
 * A board with the slider to move: its value, its slides, and a line of best play.
 */
export interface SliderAnswer {
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
   */
  moves: Slide[];
  player?: PlayerAnswer;
}
/**
 * A slide, the points that it earns, and the value of the board that it leads to.
 */
export interface Slide {
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
}
/**
 * A player's choices, and what they give away; null if that is not known.
 */
export interface PlayerAnswer {
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
}
/**
 * A board with the placer to move: its value, its placements, and a line of best play.
 */
export interface PlacerAnswer {
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
   */
  moves: Placement[];
}
/**
 * A placement, which earns nothing, and the value of the board that it leads to.
 */
export interface Placement {
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
}
/**
 * A board to look up or search.
 */
export interface BatchBoard {
  /**
   * The board: 2 0 0/0 4 0/0 0 0, another format (docs/notation.md), or its rows.
   */
  board: string | (number | null)[][];
  /**
   * The shape, for a board with all cells in a row.
   */
  shape?: string;
  /**
   * True if the board's numbers are exponents, false if they are tiles.
   */
  exponents?: boolean;
  /**
   * The digit of the first cell in 16 hexadecimal digits; default: high.
   */
  order?: "high" | "low";
  /**
   * The player to move; default: slider.
   */
  turn?: "slider" | "placer";
  /**
   * The tiles of the placer; default: 2,4.
   */
  tiles?: "2" | "2,4";
}
/**
 * The files of results/ and docs/.
 */
export interface Files {
  files: {
    /**
     * results/3x3.md; its address is /v1/files/results/3x3.md.
     */
    path: string;
    bytes: number;
  }[];
}
/**
 * The state of the server, and the number of searches under way and waiting.
 */
export interface Health {
  ok: boolean;
  version: string;
  searches: number;
  waiting: number;
}
/**
 * A line of best play by both sides, board by board.
 */
export interface Line {
  /**
   * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
   */
  board: string;
  /**
   * The player to move.
   */
  turn: "slider" | "placer";
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
   * The moves to the end of the game; empty while the value or the line is not known.
   */
  steps: (SlideStep | PlacementStep)[];
  /**
   * The board at the end; null without a line.
   */
  end: string | null;
}
/**
 * A slide of a line, and the board that it leads to.
 */
export interface SlideStep {
  move: "up" | "left" | "down" | "right";
  /**
   * Points that the move earns.
   */
  score: number;
  /**
   * The board after the move.
   */
  board: string;
  /**
   * The points still to come then.
   */
  value: number;
  /**
   * The placer is to move then.
   */
  turn: "placer";
}
/**
 * A placement of a line, and the board that it leads to.
 */
export interface PlacementStep {
  /**
   * A tile, then its row and column, counted from 1: 4@1,3.
   */
  place: string;
  /**
   * Points that the move earns.
   */
  score: number;
  /**
   * The board after the move.
   */
  board: string;
  /**
   * The points still to come then.
   */
  value: number;
  /**
   * The slider is to move then.
   */
  turn: "slider";
}
/**
 * The placements that a player may choose, each with its probability.
 */
export interface PlacerPlay {
  /**
   * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
   */
  board: string;
  /**
   * The player's full name.
   */
  by: string;
  /**
   * The placer is to move.
   */
  turn: "placer";
  /**
   * The placements that the player may choose.
   */
  choices: {
    /**
     * A tile, then its row and column, counted from 1: 4@1,3.
     */
    place: string;
    probability: number;
  }[];
}
/**
 * The slides that a player may choose, each with its probability.
 */
export interface SliderPlay {
  /**
   * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
   */
  board: string;
  /**
   * The player's full name.
   */
  by: string;
  /**
   * The slider is to move.
   */
  turn: "slider";
  /**
   * The slides that the player may choose; none at the end of the game.
   */
  choices: {
    move: "up" | "left" | "down" | "right";
    probability: number;
  }[];
}
/**
 * The players that can play a shape.
 */
export interface Players {
  /**
   * Players that can take the slider's side.
   */
  sliders: {
    name: string;
    /**
     * What the player does.
     */
    summary: string;
  }[];
  /**
   * Players that can take the placer's side.
   */
  placers: {
    name: string;
    /**
     * What the player does.
     */
    summary: string;
  }[];
}
/**
 * An error.
 */
export interface Problem {
  type: "about:blank";
  status: number;
  /**
   * A sentence: what was given, and what was expected.
   */
  detail: string;
  /**
   * The reason for programs, such as bad-board.
   */
  code?: string;
}
/**
 * A text that is not a board, and the reason.
 */
export interface Refused {
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
}
/**
 * The state of a run: the data of each of its events.
 */
export interface RunState {
  id: string;
  /**
   * Rows x columns: 3x3.
   */
  shape: string;
  /**
   * The tiles of the placer: [2, 4] or [2].
   */
  tiles: number[];
  state: "running" | "done" | "stopped";
  starts: number;
  solved: number;
  /**
   * Seconds since the run began.
   */
  seconds: number;
  /**
   * Positions and afterstates searched so far.
   */
  nodes: number;
  nodesPerSecond: number;
  /**
   * The bounds of each start.
   */
  windows: {
    board: string;
    /**
     * A proven lower bound of the value, in points.
     */
    lo: number;
    /**
     * A proven upper bound of the value, in points.
     */
    hi: number;
  }[];
  workers: {
    name: string;
    threads: number;
  }[];
}
/**
 * The solves that are under way, or ended in the last minutes.
 */
export interface Runs {
  runs: {
    id: string;
    /**
     * Rows x columns: 3x3.
     */
    shape: string;
    /**
     * The tiles of the placer: [2, 4] or [2].
     */
    tiles: number[];
    state: "running" | "done" | "stopped";
    starts: number;
    solved: number;
  }[];
}
/**
 * The games that are solved, in part or in full, tabulated, or published.
 */
export interface Shapes {
  shapes: {
    /**
     * Rows x columns: 3x3.
     */
    shape: string;
    /**
     * The tiles of the placer: [2, 4] or [2].
     */
    tiles: number[];
    /**
     * Starts of the game, up to symmetry.
     */
    starts: number;
    /**
     * Starts whose value is known.
     */
    solved: number;
    /**
     * The least known value of a start; null if none is known.
     */
    lowest: number | null;
    /**
     * The greatest known value of a start; null if none is known.
     */
    highest: number | null;
    /**
     * Points that the slider can force from every start.
     */
    atLeast: number;
    /**
     * The file in the repository that values of starts are published in; null if none of them rests on it.
     */
    published: string | null;
    /**
     * Whether the value of every position is in files.
     */
    tabulated: boolean;
    /**
     * Positions tabulated; null if there are none.
     */
    positions: number | null;
  }[];
}
/**
 * Every start of a game, up to symmetry, with its value.
 */
export interface Starts {
  /**
   * Rows x columns: 3x3.
   */
  shape: string;
  /**
   * The tiles of the placer: [2, 4] or [2].
   */
  tiles: number[];
  starts: {
    /**
     * The board, row by row, 0 for an empty cell: 2 0 0/0 4 0/0 0 0.
     */
    board: string;
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
  }[];
  /**
   * If the source of a start is published: the run that found the values, and what confirms them.
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
}
/**
 * The value of a board: the points still to come under best play, for the slider.
 */
export interface Worth {
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
}
