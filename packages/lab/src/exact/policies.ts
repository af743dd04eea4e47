import { type Board, DIRECTIONS, type Direction, formatBoard } from "@gridlock/game";
import {
  type Cells,
  type Choice,
  type Grid,
  ILLEGAL,
  type Player,
  PlayerError,
} from "@gridlock/players";
import { type PlayerGroup, setOfEqual } from "@gridlock/players/parts";

/** The number of the profile of a position without a legal slide. */
export const NO_CHOICE = 0;

const SLIDES = DIRECTIONS.length;
const INDICES: Readonly<Record<Direction, number>> = { up: 0, left: 1, down: 2, right: 3 };
/** Tolerance of the sum of a position's probabilities, which must be 1. */
const ROUNDING = 1e-9;

/** All players' choices in a position. Positions with the same choices share one profile. */
export interface Profile {
  /**
   * For each player four weights, one for each of `DIRECTIONS`. Equally likely slides weigh 1 each,
   * so that their average is a sum of whole numbers divided once.
   */
  readonly weights: Float64Array;
  /** For each player the sum of its weights. */
  readonly totals: Float64Array;
  /** One bit for each slide that a player may choose, that of `DIRECTIONS[0]` lowest. */
  readonly slides: number;
}

/** Asks players for their choices, and numbers the profiles. */
export class Policies {
  readonly players: readonly Player[];
  readonly #profiles: Profile[];
  /** Numbers of profiles by the marks of the players' choices. */
  readonly #numbers = new Map<string, number>();
  /** Marks of choices that are not equally likely, by their probabilities. */
  readonly #unequal = new Map<string, number>();
  readonly #weights: Float64Array[] = [];
  readonly #marks: Uint16Array;
  readonly #group: PlayerGroup | undefined;
  /** Numbers of profiles by the group's signatures. */
  readonly #bySignature = new Map<number, number>();

  constructor(players: readonly Player[]) {
    this.players = players;
    this.#group = groupOf(players);
    this.#marks = new Uint16Array(players.length);
    for (let mark = 0; mark < 2 ** SLIDES; mark++) {
      this.#weights.push(Float64Array.from({ length: SLIDES }, (_, i) => (mark >> i) & 1));
    }
    this.#profiles = [this.#profileOf(this.#marks)];
  }

  /** Returns a profile by its number. */
  profile(number: number): Profile {
    return this.#profiles[number] as Profile;
  }

  /**
   * Asks all players about a position that has a legal slide; returns the number of their profile.
   *
   * @throws {PlayerError} if a choice is not a distribution over slides. The caller must check that
   * the slides are legal; {@link illegal} makes the error.
   */
  ask(cells: Cells, board: () => Board): number {
    const signature = this.#group?.signature(cells);
    if (signature === undefined) return this.#askAll(cells, board);
    let number = this.#bySignature.get(signature);
    if (number === undefined) {
      number = this.#askAll(cells, board);
      this.#bySignature.set(signature, number);
    }
    return number;
  }

  /**
   * Lists the slides that the one player may choose in a position, with their points and afterstates.
   *
   * @throws {PlayerError} if the choice is not valid
   */
  slidesOf(grid: Grid, cells: Cells): { readonly score: number; readonly after: Cells }[] {
    const board = () => grid.board(cells);
    const number = this.ask(cells, board);
    const { slides } = this.profile(number);
    return DIRECTIONS.flatMap((direction, slide) => {
      if ((slides & (1 << slide)) === 0) return [];
      const after = new Uint8Array(cells.length);
      const score = grid.slide(cells, direction, after);
      if (score === ILLEGAL) throw this.illegal(number, slide, board());
      return [{ score, after }];
    });
  }

  #askAll(cells: Cells, board: () => Board): number {
    for (let i = 0; i < this.players.length; i++) {
      this.#marks[i] = this.#markOf(this.players[i] as Player, cells, board);
    }
    const key = String.fromCharCode(...this.#marks);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#profiles.length;
      this.#numbers.set(key, number);
      this.#profiles.push(this.#profileOf(this.#marks));
    }
    return number;
  }

  /** Returns the error of a profile's slide that is not legal. */
  illegal(number: number, slide: number, board: Board): PlayerError {
    const { weights } = this.profile(number);
    const player = this.players.find((_, i) => (weights[SLIDES * i + slide] as number) > 0);
    return badChoice(player as Player, `chose ${DIRECTIONS[slide]}, which is not legal`, board);
  }

  /** Returns the mark of a player's choices: their bits if equally likely, else a larger number. */
  #markOf(player: Player, cells: Cells, board: () => Board): number {
    const choices = chosen(player, cells, board);
    const set = setOfEqual(choices);
    if (set) return set;
    const [first] = choices;
    if (first === undefined) throw badChoice(player, "chose no slide", board());
    let bits = 0;
    let sum = 0;
    let isEqual = true;
    for (const { direction, probability } of choices) {
      const index = INDICES[direction];
      if (index === undefined || !(probability > 0) || (bits & (1 << index)) !== 0) {
        const text = `chose ${JSON.stringify(choices)}; expected each slide once, with a probability above 0`;
        throw badChoice(player, text, board());
      }
      bits |= 1 << index;
      sum += probability;
      if (Math.abs(probability - first.probability) > ROUNDING) isEqual = false;
    }
    if (!(Math.abs(sum - 1) <= ROUNDING)) {
      throw badChoice(player, `chose with probabilities that sum to ${sum}, not 1`, board());
    }
    return isEqual ? bits : this.#unequalMark(choices);
  }

  #unequalMark(choices: readonly Choice[]): number {
    const weights = new Float64Array(SLIDES);
    for (const { direction, probability } of choices) weights[INDICES[direction]] = probability;
    const key = weights.join();
    let mark = this.#unequal.get(key);
    if (mark === undefined) {
      mark = this.#weights.length;
      if (mark >= 2 ** 16) throw new RangeError("the players choose with too many probabilities");
      this.#unequal.set(key, mark);
      this.#weights.push(weights);
    }
    return mark;
  }

  #profileOf(marks: Uint16Array): Profile {
    const weights = new Float64Array(SLIDES * marks.length);
    marks.forEach((mark, i) => {
      weights.set(this.#weights[mark] as Float64Array, SLIDES * i);
    });
    const totals = Float64Array.from(marks, (mark) =>
      (this.#weights[mark] as Float64Array).reduce((sum, weight) => sum + weight, 0),
    );
    const slides = weights.reduce(
      (bits, weight, i) => bits | (weight > 0 ? 1 << (i % SLIDES) : 0),
      0,
    );
    return { weights, totals, slides };
  }
}

/** Returns the group that all players belong to, if there is one. */
function groupOf(players: readonly Player[]): PlayerGroup | undefined {
  const groups = new Set(players.map(({ group }) => group));
  const [group] = groups;
  return groups.size === 1 && players.length > 1 ? group : undefined;
}

function chosen(player: Player, cells: Cells, board: () => Board): readonly Choice[] {
  let choices: readonly Choice[];
  try {
    choices = player.choose(cells);
  } catch (error) {
    if (error instanceof PlayerError) throw error;
    const text = `failed (${error instanceof Error ? error.message : String(error)})`;
    throw badChoice(player, text, board(), error);
  }
  if (Array.isArray(choices)) return choices;
  throw badChoice(player, `chose ${JSON.stringify(choices)}; expected a list of slides`, board());
}

function badChoice(player: Player, text: string, board: Board, cause?: unknown): PlayerError {
  return new PlayerError(`${player.name} ${text}: ${formatBoard(board)}`, { cause });
}
