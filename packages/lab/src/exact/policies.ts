import { ALL_SLIDES } from "@gridlock/enumeration";
import { DIRECTIONS, formatBoard, type Shape } from "@gridlock/game";
import { CellRules, type Cells, ILLEGAL, type Player, PlayerError } from "@gridlock/players";
import { type PlayerGroup, setOfEqual } from "@gridlock/players/parts";

/** The number of the profile of a position without a legal slide. */
export const NO_CHOICE = 0;

/** Largest difference of equal probabilities. */
const ROUNDING = 1e-9;
/** Most distributions of probabilities that are not equal. */
const MOST_UNEQUAL = 2 ** 16;

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

/** The weights of one player's choices, and a text that only the same weights have. */
interface Weights {
  readonly each: readonly number[];
  readonly key: string;
}

/** The weights of equally likely slides, by their set. */
const EQUAL: readonly Weights[] = Array.from({ length: 2 ** ALL_SLIDES.length }, (_, set) =>
  keyed(ALL_SLIDES.map((slide) => (set >> slide) & 1)),
);

function keyed(each: readonly number[]): Weights {
  return { each, key: `${each};` };
}

/** Asks players for their choices, and numbers the profiles. */
export class Policies {
  readonly players: readonly Player[];
  readonly cellRules: CellRules;
  readonly #profiles: Profile[];
  /** Numbers of profiles by the keys of the players' weights, or by the group's signatures. */
  readonly #numbers = new Map<string | number, number>();
  /** Keys of weights that are not equal. */
  readonly #unequal = new Set<string>();
  readonly #group: PlayerGroup | undefined;

  constructor(players: readonly Player[], shape: Shape) {
    this.players = players;
    this.cellRules = new CellRules(shape);
    this.#group = groupOf(players);
    this.#profiles = [profileOf(players.map(() => EQUAL[0] as Weights))];
  }

  /** Returns a profile by its number. */
  profile(number: number): Profile {
    return this.#profiles[number] as Profile;
  }

  /**
   * Asks all players about a position that has a legal slide; returns the number of their profile.
   * The caller must check that the slides are legal; {@link illegal} makes the error.
   *
   * @throws {PlayerError} if a player fails or chooses no slide
   */
  ask(cells: Cells): number {
    const signature = this.#group?.signature(cells);
    const known = signature === undefined ? undefined : this.#numbers.get(signature);
    if (known !== undefined) return known;
    const weights = this.players.map((player) => this.#weightsOf(player, cells));
    const key = weights.map((one) => one.key).join("");
    const number = this.#numbers.get(key) ?? this.#profiles.push(profileOf(weights)) - 1;
    this.#numbers.set(key, number);
    if (signature !== undefined) this.#numbers.set(signature, number);
    return number;
  }

  /**
   * Lists the slides that the one player may choose in a position, with their points and afterstates.
   *
   * @throws {PlayerError} if the choice is not valid
   */
  slidesOf(cells: Cells): { readonly score: number; readonly after: Cells }[] {
    const number = this.ask(cells);
    const { slides } = this.profile(number);
    return DIRECTIONS.flatMap((direction, slide) => {
      if ((slides & (1 << slide)) === 0) return [];
      const after = new Uint8Array(cells.length);
      const score = this.cellRules.slide(cells, direction, after);
      if (score === ILLEGAL) throw this.illegal(number, slide, cells);
      return [{ score, after }];
    });
  }

  /** Returns the error of a profile's slide that is not legal. */
  illegal(number: number, slide: number, cells: Cells): PlayerError {
    const { weights } = this.profile(number);
    const player = this.players.find((_, i) => weights[ALL_SLIDES.length * i + slide] !== 0);
    return this.#error(player, `chose ${DIRECTIONS[slide]}, which is not legal`, cells);
  }

  #weightsOf(player: Player, cells: Cells): Weights {
    const choices = this.#choicesOf(player, cells);
    const set = setOfEqual(choices);
    if (set) return EQUAL[set] as Weights;
    const [first] = choices;
    if (first === undefined) throw this.#error(player, "chose no slide", cells);
    const areEqual = choices.every(
      ({ probability }) => Math.abs(probability - first.probability) <= ROUNDING,
    );
    const each = ALL_SLIDES.map(() => 0);
    for (const { direction, probability } of choices) {
      each[DIRECTIONS.indexOf(direction)] = areEqual ? 1 : probability;
    }
    const weights = keyed(each);
    if (!areEqual) this.#unequal.add(weights.key);
    if (this.#unequal.size > MOST_UNEQUAL) {
      throw new RangeError("the players choose with too many probabilities");
    }
    return weights;
  }

  #choicesOf(player: Player, cells: Cells) {
    try {
      return player.choose(cells);
    } catch (error) {
      if (error instanceof PlayerError) throw error;
      const text = `failed (${error instanceof Error ? error.message : String(error)})`;
      throw this.#error(player, text, cells, error);
    }
  }

  #error(player: Player | undefined, text: string, cells: Cells, cause?: unknown): PlayerError {
    const board = formatBoard(this.cellRules.board(cells));
    return new PlayerError(`${player?.name} ${text}: ${board}`, { cause });
  }
}

function profileOf(all: readonly Weights[]): Profile {
  const weights = Float64Array.from(all.flatMap(({ each }) => each));
  return {
    weights,
    totals: Float64Array.from(all, ({ each }) => each.reduce((sum, weight) => sum + weight, 0)),
    slides: ALL_SLIDES.reduce(
      (bits, slide) => (all.some(({ each }) => each[slide] !== 0) ? bits | (1 << slide) : bits),
      0,
    ),
  };
}

/** Returns the group that all players belong to, if there is one. */
function groupOf(players: readonly Player[]): PlayerGroup | undefined {
  const groups = new Set(players.map(({ group }) => group));
  const [group] = groups;
  return groups.size === 1 && players.length > 1 ? group : undefined;
}
