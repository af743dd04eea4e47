/*
 * A client of the HTTP API of `gridlock serve`, for browsers, Node.js and other runtimes with
 * `fetch`.
 */
import type {
  Answer,
  Files,
  Health,
  Play,
  Players,
  Problem,
  Refused,
  Runs,
  Shapes,
  Starts,
  Worth,
} from "./json.js";

export type * from "./json.js";

/** The tiles of the placer: twos and fours, or twos only. */
export type TilesText = "2,4" | "2";

/** The settings of a request. */
export interface RequestOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/** The settings of a request about the starts or the players of a game. */
export interface GameRequestOptions extends RequestOptions {
  /** Default: `2,4`. */
  readonly tiles?: TilesText | undefined;
}

/** The settings of a request about a board. */
export interface BoardRequestOptions extends GameRequestOptions {
  /** The player to move (default: the slider). */
  readonly turn?: "slider" | "placer" | undefined;
  /** Whether the board's numbers are exponents (default: tiles if they can be). */
  readonly exponents?: boolean | undefined;
  /** The digit of the first cell in a board of 16 hexadecimal digits (default: `high`). */
  readonly order?: "high" | "low" | undefined;
  /** Seconds to search at most (default: the server's own limit; 0: only look up). */
  readonly budget?: number | undefined;
}

/** A board of a batch. */
export interface BatchBoard
  extends Pick<BoardRequestOptions, "turn" | "tiles" | "exponents" | "order"> {
  /** The board, in any format, or its rows. */
  readonly board: string | readonly (readonly (number | null)[])[];
  /** The shape, for a board with all cells in a row. */
  readonly shape?: string | undefined;
}

/** A board of a batch: its text alone, or an object. */
export type BatchEntry = string | BatchBoard;

/** The settings of a batch. */
export interface BatchOptions extends RequestOptions {
  /** Seconds to search for each board at most. */
  readonly budget?: number | undefined;
  /** True for the values alone, without moves and lines. */
  readonly values?: boolean | undefined;
}

/** A request that the server has refused, or not answered. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    /** The status of the answer; 0 if there was none. */
    readonly status: number,
    /** The reason for programs, such as `bad-tile`. */
    readonly code?: string,
    /** Seconds after which to try again, if the server names them. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/**
 * A client of the HTTP API.
 *
 * Its methods throw an {@link ApiError} if the server does not answer or refuses, and the reason of
 * the signal if that aborts.
 */
export class ApiClient {
  readonly #base: string;

  /** @param base the address of the server or of its page: `http://127.0.0.1:2048` */
  constructor(base: string) {
    this.#base = base.replace(/\/$/, "");
  }

  /** Returns a board's value, those of its moves, and a line of best play. */
  answer(shape: string, board: string, options: BoardRequestOptions = {}): Promise<Answer> {
    return this.read(addressOf(`/v1/${encodeURIComponent(shape)}`, { board }, options), options);
  }

  /**
   * Returns the moves that a player may choose.
   *
   * @param by the player's name, such as `perfect`
   */
  play(shape: string, board: string, by: string, options: BoardRequestOptions = {}): Promise<Play> {
    return this.read(
      addressOf(`/v1/${encodeURIComponent(shape)}/play`, { board, by }, options),
      options,
    );
  }

  /** Lists the players of a shape. */
  players(shape: string, options: GameRequestOptions = {}): Promise<Players> {
    return this.read(addressOf(`/v1/${encodeURIComponent(shape)}/players`, {}, options), options);
  }

  /** Lists the starts of a game, with their values. */
  starts(shape: string, options: GameRequestOptions = {}): Promise<Starts> {
    return this.read(addressOf(`/v1/${encodeURIComponent(shape)}/starts`, {}, options), options);
  }

  /** Lists the games that the server knows something of. */
  shapes(options: RequestOptions = {}): Promise<Shapes> {
    return this.read("/v1/shapes", options);
  }

  /** Lists the files of `results/` and `docs/`. */
  files(options: RequestOptions = {}): Promise<Files> {
    return this.read("/v1/files", options);
  }

  /** Lists the solves that are under way, or ended in the last minutes. */
  runs(options: RequestOptions = {}): Promise<Runs> {
    return this.read("/v1/runs", options);
  }

  /** Returns the state of the server. */
  health(options: RequestOptions = {}): Promise<Health> {
    return this.read("/health", options);
  }

  /** Answers many boards, in order, each as soon as it is known. */
  query(
    boards: Iterable<BatchEntry>,
    options: BatchOptions & { readonly values: true },
  ): AsyncGenerator<Worth | Refused, void>;
  query(
    boards: Iterable<BatchEntry>,
    options?: BatchOptions & { readonly values?: false },
  ): AsyncGenerator<Answer | Refused, void>;
  async *query(
    boards: Iterable<BatchEntry>,
    options: BatchOptions = {},
  ): AsyncGenerator<Answer | Worth | Refused, void> {
    const body = Array.from(boards, (board) => `${JSON.stringify(board)}\n`).join("");
    const address = addressOf("/v1/query", {}, options);
    const headers = { "content-type": "application/x-ndjson" };
    const response = await this.#send(address, options.signal, { method: "POST", headers, body });
    for await (const line of linesOf(response)) yield JSON.parse(line);
  }

  /**
   * Reads the JSON at an address of the server.
   *
   * @param address such as `/v1/3x3?board=2_0_0/0_4_0/0_0_0`
   */
  async read<T>(address: string, { signal }: RequestOptions = {}): Promise<T> {
    const response = await this.#send(address, signal);
    return (await response.json()) as T;
  }

  async #send(
    address: string,
    signal: AbortSignal | undefined,
    init: RequestInit = {},
  ): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.#base + address, { ...init, signal: signal ?? null });
    } catch (error) {
      signal?.throwIfAborted();
      throw new ApiError(`the server does not answer: ${(error as Error).message}`, 0);
    }
    if (response.ok) return response;
    const problem: Partial<Problem> = await response.json().catch(() => ({}));
    const { detail = response.statusText, code } = problem;
    const wait = response.headers.get("retry-after");
    throw new ApiError(detail, response.status, code, wait === null ? undefined : Number(wait));
  }
}

/** Returns an address with parameters: those that are given. */
function addressOf(
  path: string,
  parameters: Readonly<Record<string, string>>,
  options: BoardRequestOptions & BatchOptions,
): string {
  const { signal: _signal, ...others } = options;
  const query = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Yields the lines of a text as they arrive. */
async function* linesOf(response: Response): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = `${rest}${decoder.decode(value, { stream: true })}`.split("\n");
      rest = lines.pop() as string;
      yield* lines;
    }
    if (rest.trim() !== "") yield rest;
  } finally {
    // Whoever reads no more has no use for the rest.
    await reader.cancel();
  }
}
