/* The game and goal of a sweep, set in each thread when it attaches. */

/** True if the placer may place 4s. */
export let fours: bool = true;
/** Exponent of the tile to reach in the game against chance; 0 if points count. */
export let goal: u32 = 0;

export function setGame(placesFours: bool, goalExponent: u32): void {
  fours = placesFours;
  goal = goalExponent;
}
