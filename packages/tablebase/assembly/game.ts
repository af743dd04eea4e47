/* What is swept for; each thread is told when it attaches. */

/** Whether the placer may place 4s. */
export let fours: bool = true;
/** The exponent of the tile that is to be reached in the game against chance; 0 when points count. */
export let goal: u32 = 0;

export function setGame(placesFours: bool, goalExponent: u32): void {
  fours = placesFours;
  goal = goalExponent;
}
