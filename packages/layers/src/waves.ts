/*
 * The order of visits. In each step some layers are visited, all at once; every visit reads what the
 * steps before have left. Waves run through the layers, one layer a step: upward, to pass demands on,
 * and downward, to bring bounds back; a new wave begins in each direction every WAVE_DISTANCE steps.
 *
 * A single pair of waves, up and down in turn, expands the fewest nodes and looks at the fewest, but
 * takes the most steps. With one wave in each layer a step, 2×5 takes 95 steps instead of 1,258, and
 * looks at 2.3 times as many open nodes. At a distance of 64 it takes 852 steps, and 6 % more looks.
 */

/** Steps between two waves in one direction. */
const WAVE_DISTANCE = 64;

/** Returns true if a wave passes a layer in a step. */
export function isActive(layer: number, step: number): boolean {
  return (step - layer) % WAVE_DISTANCE === 0 || (step + layer) % WAVE_DISTANCE === 0;
}

/** Returns the steps until the next wave passes a layer; 0 if one passes it in this step. */
export function stepsUntilActive(layer: number, step: number): number {
  const upward = (((layer - step) % WAVE_DISTANCE) + WAVE_DISTANCE) % WAVE_DISTANCE;
  const downward = (((-layer - step) % WAVE_DISTANCE) + WAVE_DISTANCE) % WAVE_DISTANCE;
  return Math.min(upward, downward);
}
