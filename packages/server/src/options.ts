import type { RedisOptions } from "@gridlock/cluster";
import { MAX_TEXT } from "@gridlock/game";

/** The settings of a server. */
export interface ServerOptions {
  /** The solution database. A missing file is an empty one. */
  readonly db: string;
  /** False to leave out published values and the literature (default: true). */
  readonly published?: boolean;
  /** The address to listen at. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Most seconds to search for a board. */
  readonly budget: number;
  /** Threads that search, and bytes of the tables of all of them. */
  readonly workers: number;
  readonly memory: number;
  /** The Redis server whose run is shown. */
  readonly redis?: RedisOptions;
  /** The folder with `results/` and `docs/`; without one, none are served. */
  readonly root?: string;
  readonly version: string;
  /** True if the pages are to be stored as files of a site without a server. */
  readonly site?: boolean;
  /** The home page's public address, with a final slash, for links to copy and for previews. */
  readonly publicUrl?: string;
  /** Receives a sentence about each unusable file, and about each failure of the server itself. */
  warn(sentence: string): void;
  /** Limits that tests change. */
  readonly limits?: Partial<typeof LIMITS>;
}

/** Limits on what clients may ask for, unless the options of a server set others. */
const LIMITS = {
  /** Connections at a time; more are closed at once. */
  connections: 1000,
  /** Searches that may wait for a thread. */
  waiting: 32,
  /** Bytes of a batch, and characters of each of its lines. */
  bodyBytes: 64 * 2 ** 20,
  lineLength: MAX_TEXT,
  /** Batches at a time. */
  batches: 8,
  /** Milliseconds for a request's headers, and for all of it. */
  headersMs: 10_000,
  requestMs: 300_000,
  /**
   * Seconds after which a search ends if the value and all verdicts are known, unless the request
   * names a budget. Together with the start of a thread, on a busy machine, an answer takes less
   * than a second.
   */
  enough: 0.5,
};

/** The options of a server, with the defaults of those that were left out. */
export interface Settings extends ServerOptions {
  readonly published: boolean;
  readonly limits: typeof LIMITS;
}

/** Adds the defaults to the options of a server. */
export function withDefaults(options: ServerOptions): Settings {
  return { published: true, ...options, limits: { ...LIMITS, ...options.limits } };
}
