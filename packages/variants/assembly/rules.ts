/* The values of afterstates by the rule of a state. */
import {
  IMAGES,
  MAX_STATES,
  Option,
  Placement,
  PLACEMENT_BYTES,
  Rule,
  RULE_BYTES,
  RULES,
} from "./layout";

/** Who makes a choice: the placer minimizes, the slider maximizes, chance averages. */
const PLACER: i32 = 0;
const SLIDER: i32 = 1;

@inline
export function ruleOf(state: i32): usize {
  return RULES + RULE_BYTES * state;
}

@inline
export function directionsOf(rule: usize): i32 {
  return load<i32>(rule, offsetof<Rule>("directions"));
}

@inline
export function passOf(rule: usize): i32 {
  return load<i32>(rule, offsetof<Rule>("pass"));
}

@inline
function optionsOf(rule: usize): i32 {
  return load<i32>(rule, offsetof<Rule>("options"));
}

/** Returns the address of an option. */
@inline
function optionAt(rule: usize, option: i32): usize {
  return rule + offsetof<Rule>() + offsetof<Option>() * option;
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
 * @param placements a {@link Placement} for each empty cell and each tile
 */
export function valueByRule(rule: usize, placements: usize, cells: i32): f64 {
  const share = load<f64>(rule, offsetof<Rule>("share"));
  const first = load<i32>(rule, offsetof<Rule>("cellFirst"));
  const option = load<i32>(rule, offsetof<Rule>("optionChooser"));
  const cell = load<i32>(rule, offsetof<Rule>("cellChooser"));
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
    const next = load<i32>(at, offsetof<Option>("next"));
    let those = before(cell);
    let placement = placements + PLACEMENT_BYTES * load<i32>(at, offsetof<Option>("tile"));
    for (let n = 0; n < cells; n++, placement += PLACEMENT_BYTES * tiles) {
      those = joined(cell, those, valueAt(placement, next), 1);
    }
    if (cell > SLIDER) those /= <f64>cells;
    const weight = load<f64>(at, offsetof<Option>("weight"));
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
      const placement =
        placements + PLACEMENT_BYTES * (n * tiles + load<i32>(at, offsetof<Option>("tile")));
      const weight = load<f64>(at, offsetof<Option>("weight"));
      those = joined(
        option,
        those,
        valueAt(placement, load<i32>(at, offsetof<Option>("next"))),
        weight,
      );
      total += weight;
    }
    if (option > SLIDER) those /= total;
    all = joined(cell, all, those, 1);
  }
  return cell > SLIDER ? all / <f64>cells : all;
}

@inline
function valueAt(placement: usize, state: i32): f64 {
  const image = isOriented
    ? imageOf(load<u32>(placement, offsetof<Placement>("symmetry")), state)
    : state;
  return load<f64>(<usize>load<u32>(placement, offsetof<Placement>("values")) + 8 * image);
}
