/*
 * Values under changed rules, in several states: a number of points for each state, behind the
 * head. The head is 1 once an afterstate is valued.
 */
import { imagePair, NORMAL, SLIDE_IMAGES, unpack } from "../../boards/assembly/board";
import { CELL_ONES, emptyAmong } from "../../boards/assembly/cells";
import { earned, placed, placeOn, slide, slidTo } from "../../boards/assembly/moves";
import { CELLS, SQUARE } from "../../boards/assembly/shape";
import {
  IMAGES,
  MAX_OPTIONS,
  MAX_STATES,
  MAX_TILE_EXPONENT,
  Option,
  Placement,
  PLACEMENTS_FROM,
  Rule,
  RULE_BYTES,
  RULES,
} from "./layout";
import { found, headOf, moreOf, scratch, targetOf, tiles } from "./tables";
import { valued, Values } from "./values";

/** The side that chooses: the placer minimizes, the slider maximizes, chance averages. */
const PLACER: i32 = 0;
const SLIDER: i32 = 1;
const CHANCE: i32 = 2;

let states: i32 = 0;
/** True if the slider can pass in some state. */
export let passes: bool = false;
/** True if symmetries change states. */
let isOriented: bool = false;

export function setRules(stateCount: i32, canPass: bool, oriented: bool): void {
  if (stateCount > MAX_STATES) unreachable();
  states = stateCount;
  passes = canPass;
  isOriented = oriented;
}

@inline
function ruleOf(state: i32): Rule {
  return changetype<Rule>(RULES + RULE_BYTES * state);
}

@inline
function optionOf(rule: Rule, option: i32): Option {
  return changetype<Option>(
    changetype<usize>(rule) + offsetof<Rule>() + offsetof<Option>() * option,
  );
}

/** Writes the rule of a state, without options; see {@link Rule}. */
export function setRule(
  state: i32,
  directions: i32,
  pass: i32,
  cellFirst: bool,
  optionChooser: i32,
  cellChooser: i32,
  share: f64,
): void {
  const rule = ruleOf(state);
  rule.directions = directions;
  rule.pass = pass;
  rule.options = 0;
  rule.cellFirst = cellFirst;
  rule.optionChooser = optionChooser;
  rule.cellChooser = cellChooser;
  rule.share = share;
}

/** Adds an option to the rule of a state; see {@link Option}. */
export function addOption(state: i32, exponent: i32, next: i32, weight: f64): void {
  const rule = ruleOf(state);
  if (rule.options == MAX_OPTIONS) unreachable();
  const option = optionOf(rule, rule.options++);
  option.exponent = exponent;
  option.next = next;
  option.weight = weight;
}

/** Writes the image of a state under the symmetry with this number. */
export function setImage(symmetry: i32, state: i32, image: i32): void {
  store<i32>(IMAGES + 4 * (MAX_STATES * symmetry + state), image);
}

@inline
function imageOf(symmetry: i32, state: i32): i32 {
  return load<i32>(IMAGES + 4 * (MAX_STATES * symmetry + state));
}

@unmanaged
export class RuleValues extends Values {
  /** Values a position in all states; without a move it is worth 0, and no move is worth less. */
  valuePosition(board: u64, at: usize): void {
    const values = moreOf(at);
    for (let state = 0; state < states; state++) store<f64>(values + 8 * state, 0);
    const cells = unpack(board);
    for (let direction = 0; direction < 4; direction++) {
      const afterstate = slide(cells, direction);
      if (afterstate == 0) continue;
      const score = <f64>(4 * earned);
      const symmetry = isOriented ? symmetryOfSlide(direction, afterstate) : 0;
      const then = moreOf(valued(this, afterstate));
      for (let state = 0; state < states; state++) {
        if (((ruleOf(state).directions >> direction) & 1) == 0) continue;
        const image = isOriented ? imageOf(symmetry, state) : state;
        improve(values + 8 * state, score + load<f64>(then + 8 * image));
      }
    }
    if (passes && emptyAmong(CELL_ONES, board) != 0) {
      const then = moreOf(valued(this, board));
      for (let state = 0; state < states; state++) {
        const next = ruleOf(state).pass;
        if (next >= 0) improve(values + 8 * state, load<f64>(then + 8 * next));
      }
    }
  }

  valueAfterstate(board: u64, at: usize): void {
    const cells = findPlacements(board);
    const values = moreOf(at);
    for (let state = 0; state < states; state++) {
      store<f64>(values + 8 * state, valueByRule(ruleOf(state), cells));
    }
    atomic.store<u64>(headOf(at), 1);
  }
}

@inline
function improve(at: usize, value: f64): void {
  if (value > load<f64>(at)) store<f64>(at, value);
}

/** Returns the placement of a tile, by exponent, in an empty cell, by its number among those. */
@inline
function placementOf(cell: i32, exponent: i32): Placement {
  const number = cell * MAX_TILE_EXPONENT + exponent - 1;
  return changetype<Placement>(scratch + PLACEMENTS_FROM + offsetof<Placement>() * number);
}

/** Writes the placements on an afterstate to the scratch; returns the number of empty cells. */
function findPlacements(afterstate: u64): i32 {
  placeOn(afterstate);
  let cells = 0;
  for (let empty = emptyAmong(CELL_ONES, afterstate); empty != 0; empty &= empty - 1) {
    const cell = <i32>(ctz(empty) >> 2);
    for (let rest = tiles; rest != 0; rest &= rest - 1) {
      const exponent = ctz(rest);
      const position = placed(cell, exponent);
      const placement = placementOf(cells, exponent);
      placement.values = moreOf(found(targetOf(exponent).table, position));
      if (!isOriented) continue;
      const raw = afterstate | ((<u64>exponent) << (4 * cell));
      placement.symmetry = symmetryTo(raw, position);
    }
    cells++;
  }
  return cells;
}

/** Returns the number of a symmetry that takes a board to its canonical form. */
function symmetryTo(board: u64, canonical: u64): i32 {
  const cells = unpack(board);
  const pairs = SQUARE ? 4 : 2;
  for (let pair = 0; pair < pairs; pair++) {
    const images = imagePair(cells, NORMAL + 32 * pair);
    if (i64x2.extract_lane(images, 0) == canonical) return 2 * pair;
    if (i64x2.extract_lane(images, 1) == canonical) return 2 * pair + 1;
  }
  return unreachable();
}

/** Returns the number of a symmetry that makes the last slide's result canonical. */
function symmetryOfSlide(direction: i32, canonical: u64): i32 {
  // A place of the slide image holds the cell that the permutation names.
  const permutation = SLIDE_IMAGES + 16 * direction;
  let board: u64 = 0;
  for (let at = 0; at < CELLS; at++) {
    board |= ((slidTo >> (4 * at)) & 15) << (4 * load<u8>(permutation + at));
  }
  return symmetryTo(board, canonical);
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

/** Returns the value of the afterstate whose placements are in the scratch, by a state's rule. */
function valueByRule(rule: Rule, cells: i32): f64 {
  const share = rule.share;
  const option = rule.optionChooser;
  const cell = rule.cellChooser;
  if (share == 1) {
    return rule.cellFirst
      ? valueOfChoices(rule, cells, true, cell, option)
      : valueOfChoices(rule, cells, false, option, cell);
  }
  const chance = valueOfChoices(rule, cells, false, CHANCE, CHANCE);
  if (share == 0) return chance;
  return share * valueOfChoices(rule, cells, false, option, cell) + (1 - share) * chance;
}

/** Returns the value if the first choice, of cell or option, is made in view of the second. */
@inline
function valueOfChoices(rule: Rule, cells: i32, cellFirst: bool, first: i32, second: i32): f64 {
  const firsts = cellFirst ? cells : rule.options;
  const seconds = cellFirst ? rule.options : cells;
  let all = before(first);
  let weights: f64 = 0;
  for (let i = 0; i < firsts; i++) {
    let those = before(second);
    let theirs: f64 = 0;
    for (let j = 0; j < seconds; j++) {
      const option = optionOf(rule, cellFirst ? j : i);
      const weight = cellFirst ? option.weight : 1;
      const value = valueAfter(placementOf(cellFirst ? i : j, option.exponent), option.next);
      those = joined(second, those, value, weight);
      theirs += weight;
    }
    if (second == CHANCE) those /= theirs;
    const weight = cellFirst ? 1 : optionOf(rule, i).weight;
    all = joined(first, all, those, weight);
    weights += weight;
  }
  return first == CHANCE ? all / weights : all;
}

/** Returns the value after a placement that leads to a state. */
@inline
function valueAfter(placement: Placement, state: i32): f64 {
  const image = isOriented ? imageOf(placement.symmetry, state) : state;
  return load<f64>(placement.values + 8 * image);
}
