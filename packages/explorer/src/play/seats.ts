import { CHANCE_OF_FOUR, slides, type Turn } from "@gridlock/game";
import type { Choice, PlayerSummary, Players } from "../data.js";
import { compareStrength, type GradedMove } from "../logic/grade.js";
import { nameOf } from "../logic/moves.js";

/** The players of the sides: `you`, `perfect` (shown as strong), `random`, or a server's player. */
export type Seats = Readonly<Record<Turn, string>>;

/** Lists the sides that the reader takes. */
export function readersSides(seats: Seats): Turn[] {
  return (["slider", "placer"] as const).filter((turn) => seats[turn] === "you");
}

/** The players that need no server. */
const HERE: Readonly<Record<Turn, readonly string[]>> = {
  slider: ["you", "perfect"],
  placer: ["you", "perfect", "random"],
};

/** Says what the strongest player does. */
const STRONG = "makes the best move that is known: a perfect one wherever the board's value is";

/** The players in words: the reader, then the strongest first, by scores in the ordinary game. */
const WORDS: Readonly<Record<Turn, Readonly<Record<string, string>>>> = {
  slider: {
    you: "you make the slides",
    perfect: STRONG,
    "perfect-ordinary": "plays perfectly against random tiles, and carelessly against a placer",
    estimate: "looks three slides or more ahead; the best of the published programs",
    ntuple: "a network that learned from random tiles alone; easily trapped",
    "zaky-expectimax": "looks two slides ahead, for empty cells and smooth rows",
    "zaky-minimax": "looks ahead for the worst tile that may come",
    gradient: "keeps its large tiles in a corner",
    greedy: "takes the most points at once",
    random: "slides at random",
  },
  placer: {
    you: "you choose the tiles and their cells",
    perfect: STRONG,
    evil: "looks four moves ahead for the most awkward tile",
    random: "the ordinary game: any empty cell, and one tile in ten is a 4",
  },
};

/** The strategies of one paper, which are named by the letters of their rules. */
const CODE = /^[emugr]{1,5}$/;

/**
 * Lists who can take a side: players explained in words (`main`), the reader first and then the
 * strongest, and strategies that have only codes for names.
 */
export function candidates(turn: Turn, players: Players) {
  const words = WORDS[turn];
  const others = turn === "slider" ? players.sliders : players.placers;
  const known = Object.keys(words);
  const rank = ({ name }: PlayerSummary) => (name in words ? known.indexOf(name) : known.length);
  const names = new Set([...HERE[turn], ...others.map(({ name }) => name)]);
  const all = [...names].map((name) => {
    const summary = others.find((each) => each.name === name)?.summary ?? "";
    return { name, summary: words[name] ?? summary };
  });
  const isCode = ({ name }: PlayerSummary) => CODE.test(name);
  return {
    main: all.filter((each) => !isCode(each)).sort((a, b) => rank(a) - rank(b)),
    codes: all.filter(isCode),
  };
}

/** Returns whether a player can take a side. */
export function canPlay(turn: Turn, name: string, players: Players): boolean {
  const { main, codes } = candidates(turn, players);
  return [...main, ...codes].some((each) => each.name === name);
}

/**
 * Returns the name of a player as it is shown. The one who makes the best moves that are known is
 * called perfect only where the value of the board is.
 */
export function nameIn(name: string, isKnown = false): string {
  return name === "perfect" && !isKnown ? "strong" : name;
}

/** Says who takes a side: `the strong placer`, or `the perfect placer` if the value is known. */
export function playerWords(turn: Turn, name: string, isKnown = false): string {
  return `the ${nameIn(name, isKnown)} ${turn}`;
}

/** Returns whether the server must be asked for a player's choices. */
export function needsServer(turn: Turn, name: string): boolean {
  return !HERE[turn].includes(name);
}

/**
 * Chooses a player's move. The perfect player takes any of the moves that are proven best. Where
 * none is, it takes one that is not proven to be worse than another, with the best proven bounds: a
 * placer the least upper bound, which is the most that it may give, of equals the least lower
 * bound, and of equals still the fewest points of the next slide; a slider the largest lower bound,
 * which is sure, and of equals the largest upper bound.
 *
 * @param choices the server's answer, for players that need it
 * @param random returns random numbers in [0, 1)
 */
export function chooseMove(
  name: string,
  turn: Turn,
  moves: readonly GradedMove[],
  choices: readonly Choice[] | undefined,
  random: () => number,
): GradedMove | undefined {
  if (name === "perfect") return choosePerfect(turn, moves, random);
  if (choices === undefined) return chooseAtRandom(moves, random);
  let left = random();
  const chosen = choices.find(({ probability }) => {
    left -= probability;
    return left < 0;
  });
  const choice = chosen ?? choices.at(-1);
  return choice && moves.find(({ step }) => step.name === nameOf(choice));
}

function choosePerfect(turn: Turn, moves: readonly GradedMove[], random: () => number) {
  // The strongest moves come first.
  const [first] = moves;
  if (first === undefined) return undefined;
  const isProven = first.verdict === "best";
  const isStrongest = (move: GradedMove) => isProven || compareStrength(turn, first, move) === 0;
  const strongest = moves.filter((move) => move.verdict === first.verdict && isStrongest(move));
  // On large boards little is proven. The fewest points at once leave programs half as many as a
  // placement at random.
  const isGuess = turn === "placer" && !isProven;
  const least = isGuess ? Math.min(...strongest.map(nextPoints)) : 0;
  const chosen = isGuess ? strongest.filter((move) => nextPoints(move) === least) : strongest;
  return chosen[Math.floor(random() * chosen.length)];
}

/** Returns the most points that a slide earns at once after a move. */
function nextPoints({ step }: GradedMove): number {
  return Math.max(0, ...slides(step.after.board).map(({ score }) => score));
}

/** Places as the ordinary game does. */
function chooseAtRandom(moves: readonly GradedMove[], random: () => number) {
  const cells = [...new Set(moves.map(({ step }) => step.cell))];
  const cell = cells[Math.floor(random() * cells.length)];
  const wanted = random() < CHANCE_OF_FOUR ? 4 : 2;
  const here = moves.filter(({ step }) => step.cell === cell);
  return here.find(({ step }) => step.tile === wanted) ?? here[0];
}
