import type { Turn } from "@gridlock/game";
import type { Choice, PlayerSummary, Players } from "../data.js";
import { compareStrength, type GradedMove } from "../logic/grade.js";

/** The players of both sides: `you`, `perfect`, `random`, or a player that the server knows. */
export type Seats = Readonly<Record<Turn, string>>;

/** The chance that the ordinary game places a 4. */
const CHANCE_OF_FOUR = 0.1;

const HERE: Readonly<Record<Turn, readonly PlayerSummary[]>> = {
  slider: [
    { name: "you", summary: "arrows, WASD or swipes" },
    { name: "perfect", summary: "forces all that can be forced" },
  ],
  placer: [
    { name: "you", summary: "place the tiles yourself" },
    { name: "perfect", summary: "leaves the least that can be left" },
    { name: "random", summary: "the ordinary game: any empty cell, a 4 with 10 %" },
  ],
};

/** Lists who can take a side, those that need no server first. */
export function candidates(turn: Turn, players: Players): readonly PlayerSummary[] {
  const here = HERE[turn];
  const others = turn === "slider" ? players.sliders : players.placers;
  return [...here, ...others.filter(({ name }) => here.every((each) => each.name !== name))];
}

/** The name of the perfect player on shapes without known values. */
export const STRONGEST = "strongest known reply";

/** Returns whether a player makes only the strongest replies that are known. */
export function isStrongest(name: string, isSolved: boolean): boolean {
  return name === "perfect" && !isSolved;
}

/** Returns the name of a player as it is shown. */
export function nameIn(name: string, isSolved: boolean): string {
  return isStrongest(name, isSolved) ? STRONGEST : name;
}

/** Says who takes a side: `the perfect placer`, `the strongest known reply of the placer`. */
export function playerWords(turn: Turn, name: string, isSolved: boolean): string {
  return isStrongest(name, isSolved) ? `the ${STRONGEST} of the ${turn}` : `the ${name} ${turn}`;
}

/** Returns whether the server must be asked for a player's choices. */
export function needsServer(turn: Turn, name: string): boolean {
  return HERE[turn].every((each) => each.name !== name);
}

/**
 * Chooses a player's move. The perfect player takes any of the moves that are proven best; where none is, the strongest
 * known one: any of those with the best proven bounds.
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
  for (const { move, place, probability } of choices) {
    left -= probability;
    if (left < 0) return moves.find(({ step }) => step.name === (move ?? place));
  }
  const last = choices.at(-1);
  return moves.find(({ step }) => step.name === (last?.move ?? last?.place));
}

function choosePerfect(turn: Turn, moves: readonly GradedMove[], random: () => number) {
  const best = moves.filter((move) => move.best);
  const [first] = moves;
  if (first === undefined) return undefined;
  // The strongest moves come first.
  const strongest =
    best.length > 0
      ? best
      : moves.filter(
          (move) => move.verdict === first.verdict && compareStrength(turn, first, move) === 0,
        );
  return strongest[Math.floor(random() * strongest.length)];
}

/** Places as the ordinary game does. */
function chooseAtRandom(moves: readonly GradedMove[], random: () => number) {
  const cells = [...new Set(moves.map(({ step }) => step.cell))];
  const cell = cells[Math.floor(random() * cells.length)];
  const wanted = random() < CHANCE_OF_FOUR ? 4 : 2;
  const here = moves.filter(({ step }) => step.cell === cell);
  return here.find(({ step }) => step.tile === wanted) ?? here[0];
}
