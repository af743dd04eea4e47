import { DIRECTIONS, type Shape } from "@gridlock/game";
import { CellRules, type Cells, type Choice, type Player } from "@gridlock/players";
import { ALL_SLIDES } from "../enumeration/grid.js";

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

/** The weights of equally likely slides, by set. The keys are short: there may be many players. */
const EQUAL: readonly Weights[] = Array.from({ length: 2 ** ALL_SLIDES.length }, (_, set) => ({
  each: ALL_SLIDES.map((slide) => (set >> slide) & 1),
  key: String.fromCharCode(set),
}));

/** Asks players for their choices, and numbers the profiles. */
export class Policies {
  readonly players: readonly Player[];
  readonly cellRules: CellRules;
  /** The first one is that of positions without a legal slide. */
  readonly #profiles: Profile[];
  /** Numbers of profiles by the keys of the players' weights. */
  readonly #numbers = new Map<string, number>();
  /** Keys of weights that are not equal. */
  readonly #unequal = new Set<string>();

  constructor(players: readonly Player[], shape: Shape) {
    this.players = players;
    this.cellRules = new CellRules(shape);
    this.#profiles = [profileOf(players.map(() => EQUAL[0] as Weights))];
  }

  /** Returns a profile by its number. */
  profile(number: number): Profile {
    return this.#profiles[number] as Profile;
  }

  /** Asks all players about a position with a legal slide; returns the number of their profile. */
  ask(cells: Cells): number {
    const weights = this.players.map((player) => this.#weightsOf(player, cells));
    const key = weights.map((one) => one.key).join("");
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#profiles.push(profileOf(weights)) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** Lists the slides that the one player may choose, with their points and afterstates. */
  slidesOf(cells: Cells): { readonly score: number; readonly after: Cells }[] {
    const { slides } = this.profile(this.ask(cells));
    return DIRECTIONS.filter((_, slide) => (slides >> slide) & 1).map((direction) => {
      const after = new Uint8Array(cells.length);
      return { score: this.cellRules.slide(cells, direction, after), after };
    });
  }

  #weightsOf(player: Player, cells: Cells): Weights {
    const choices = player.choose(cells);
    const [first] = choices as readonly [Choice, ...Choice[]];
    const slides = choices.map(({ direction }) => DIRECTIONS.indexOf(direction));
    if (choices.every((one) => Math.abs(one.probability - first.probability) <= ROUNDING)) {
      return EQUAL[slides.reduce((set, slide) => set | (1 << slide), 0)] as Weights;
    }
    const each = ALL_SLIDES.map((slide) => choices[slides.indexOf(slide)]?.probability ?? 0);
    const key = `${each};`;
    this.#unequal.add(key);
    if (this.#unequal.size > MOST_UNEQUAL) {
      throw new RangeError("the players choose with too many probabilities");
    }
    return { each, key };
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
