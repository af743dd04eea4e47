/*
 * The rule of a state, as the loader writes it (`src/arena.ts`):
 *
 *     i32   directions that the slider may use: bits 0 … 3 for left, right, up and down
 *     i32   state after the slider passes, or −1 if it may not
 *     i32   number of options
 *     i32   1 if the cell is chosen before the option, else 0
 *     i32   who chooses the option, and
 *     i32   who chooses the cell: see the constants
 *     f64   probability with which they do; otherwise chance chooses both
 *     then, for each option: i32 number of its tile, i32 state that follows, f64 weight for chance
 */
import { IMAGES, MAX_STATES, RULES, RULE_BYTES } from "./layout";

/** Who makes a choice: the placer minimizes, the slider maximizes, chance averages. */
const PLACER: i32 = 0;
const SLIDER: i32 = 1;

@inline
export function ruleOf(state: i32): usize {
  return RULES + RULE_BYTES * state;
}

@inline
export function directionsOf(rule: usize): i32 {
  return load<i32>(rule);
}

@inline
export function passOf(rule: usize): i32 {
  return load<i32>(rule, 4);
}

@inline
function optionsOf(rule: usize): i32 {
  return load<i32>(rule, 8);
}

/** Returns the address of an option. */
@inline
function optionAt(rule: usize, option: i32): usize {
  return rule + 32 + 16 * option;
}

/** Returns the image of a state under the symmetry with this number. */
@inline
export function imageOf(symmetry: i32, state: i32): i32 {
  return load<i32>(IMAGES + 4 * (MAX_STATES * symmetry + state));
}

/** True if symmetries change states. */
export let isOriented: bool = false;
/** Number of tiles. */
let tiles: i32 = 0;

export function setRules(oriented: bool, tileCount: i32): void {
  isOriented = oriented;
  tiles = tileCount;
}

@inline
function before(chooser: i32): f64 {
  return chooser == PLACER ? Infinity : chooser == SLIDER ? -Infinity : 0;
}

@inline
function joined(chooser: i32, all: f64, value: f64, weight: f64): f64 {
  if (chooser == PLACER) return min(all, value);
  return chooser == SLIDER ? max(all, value) : all + weight * value;
}

/**
 * Returns the value of an afterstate in a state.
 *
 * @param placements for each empty cell and each tile: u32 address of the values of the position
 *   that follows, u32 number of the symmetry that makes it canonical
 */
export function valueByRule(rule: usize, placements: usize, cells: i32): f64 {
  const share = load<f64>(rule, 24);
  const first = load<i32>(rule, 12);
  const option = load<i32>(rule, 16);
  const cell = load<i32>(rule, 20);
  if (share == 1) {
    return first
      ? byCell(rule, placements, cells, option, cell)
      : byOption(rule, placements, cells, option, cell);
  }
  const chance = byOption(rule, placements, cells, 2, 2);
  if (share == 0) return chance;
  return share * byOption(rule, placements, cells, option, cell) + (1 - share) * chance;
}

/** Returns the value if the option is chosen, then the cell. */
@inline
function byOption(rule: usize, placements: usize, cells: i32, option: i32, cell: i32): f64 {
  let all = before(option);
  let total: f64 = 0;
  for (let i = 0, count = optionsOf(rule); i < count; i++) {
    const at = optionAt(rule, i);
    const next = load<i32>(at, 4);
    let those = before(cell);
    let placement = placements + 8 * load<i32>(at);
    for (let n = 0; n < cells; n++, placement += 8 * tiles) {
      those = joined(cell, those, valueAt(placement, next), 1);
    }
    if (cell > SLIDER) those /= <f64>cells;
    const weight = load<f64>(at, 8);
    all = joined(option, all, those, weight);
    total += weight;
  }
  return option > SLIDER ? all / total : all;
}

/** Returns the value if the cell is chosen, then the option. */
function byCell(rule: usize, placements: usize, cells: i32, option: i32, cell: i32): f64 {
  let all = before(cell);
  for (let n = 0; n < cells; n++) {
    let those = before(option);
    let total: f64 = 0;
    for (let i = 0, count = optionsOf(rule); i < count; i++) {
      const at = optionAt(rule, i);
      const placement = placements + 8 * (n * tiles + load<i32>(at));
      const weight = load<f64>(at, 8);
      those = joined(option, those, valueAt(placement, load<i32>(at, 4)), weight);
      total += weight;
    }
    if (option > SLIDER) those /= total;
    all = joined(cell, all, those, 1);
  }
  return cell > SLIDER ? all / <f64>cells : all;
}

@inline
function valueAt(placement: usize, state: i32): f64 {
  const image = isOriented ? imageOf(load<u32>(placement, 4), state) : state;
  return load<f64>(<usize>load<u32>(placement) + 8 * image);
}
