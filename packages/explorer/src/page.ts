import type { Turn } from "@gridlock/game";
import type { ExportOutput } from "@gridlock/gridlock/client";
import type {
  Answer,
  Confirmation,
  Players,
  RunState,
  ShapeSummary,
  StartSummary,
} from "./data.js";

/** The host of the pages: a server, or a site of plain files. */
export interface Host {
  readonly kind: "server" | "site";
  /** The address of the home page, to which a page's addresses are relative: `./`, or `../../`. */
  readonly base: string;
  /**
   * The page's own address, relative to the base. A link to a part of the page begins with it:
   * `#main` alone is the home page's.
   */
  readonly here: string;
  /** The home page for copied links and previews, with a final slash; default: the reader's. */
  readonly url?: string;
  /** Seconds that a server searches for an answer at most. */
  readonly budget?: number;
}

/** `/`: a game, the ways in, and what is solved. */
export interface HomePage {
  readonly name: "home";
  readonly shapes: readonly ShapeSummary[];
}

/** `/explore/{shape}/?board=2_0_0/0_4_0/0_0_0&turn=slider&tiles=2,4`: a board and its moves. */
export interface ExplorePage {
  readonly name: "explore";
  readonly shape: string;
  readonly tiles: readonly number[];
  /** The board's text as it was asked for, or the first start's. */
  readonly board: string;
  readonly turn: Turn;
  /** Sentences about how the board's text was read. */
  readonly notes: readonly string[];
  readonly shapes: readonly ShapeSummary[];
  /** The answer; null before it arrives, or if the board has no answer (`problem` says why). */
  readonly answer: Answer | null;
  readonly problem: string | null;
}

/** `/play/{shape}/`: a game against an opponent, or between two. */
export interface PlayPage {
  readonly name: "play";
  readonly shape: string;
  readonly tiles: readonly number[];
  readonly shapes: readonly ShapeSummary[];
  readonly starts: readonly StartSummary[];
  /** On a site, the starts with other tiles: the browser reads the tiles from the address there. */
  readonly variants?: readonly {
    readonly tiles: readonly number[];
    readonly starts: readonly StartSummary[];
  }[];
  readonly players: Players;
  /**
   * The address's query, which names who plays and the first board,
   * `?slider=you&placer=perfect&board=…`, and for a game to look at its `moves`. Empty in a file of
   * a site, where the browser reads the address itself.
   */
  readonly search: string;
}

/** A file of the results or the documentation: its path from the project's root, and its title. */
export interface FileTitle {
  readonly path: string;
  readonly title: string;
}

/** `/results/`: all tables and experiments. */
export interface ResultsPage {
  readonly name: "results";
  readonly shapes: readonly ShapeSummary[];
  readonly files: readonly FileTitle[];
}

/** `/docs/`: all documents. */
export interface DocsPage {
  readonly name: "docs";
  readonly files: readonly FileTitle[];
}

/**
 * The starts of a game: a file that `gridlock export --format json` has written or, without one,
 * bounds from the database.
 */
export interface StartsTable extends Pick<ExportOutput, "shape" | "tiles"> {
  readonly madeBy?: string;
  readonly solvedBy?: string | null;
  readonly starts: readonly (StartSummary & { readonly line?: readonly string[] })[];
}

/** `/results/3x3/`: every start of a shape with its line of best play. */
export interface StartsPage {
  readonly name: "starts";
  /** The file with the values; null if they come from the database. */
  readonly path: string | null;
  readonly table: StartsTable;
  /** Further evidence for the values, apart from the run that found them. */
  readonly confirmations: readonly Confirmation[];
}

/** `/results/confirmations/`, `/docs/search/`: a Markdown file. */
export interface DocumentPage {
  readonly name: "document";
  readonly path: string;
  readonly markdown: string;
}

/** `/runs/`: solves under way. */
export interface RunsPage {
  readonly name: "runs";
  readonly runs: readonly RunState[];
}

/** Anything that cannot be shown, with the reason. */
export interface ProblemPage {
  readonly name: "problem";
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

/** A page and all that it shows, as JSON, so that browsers can take over what a server rendered. */
export type Page =
  | HomePage
  | ExplorePage
  | PlayPage
  | ResultsPage
  | DocsPage
  | StartsPage
  | DocumentPage
  | RunsPage
  | ProblemPage;
