/*
 * The visit of a part of a layer. All points are divided by 4.
 *
 * A node is a canonical afterstate on which something is demanded: h ≥ need. To expand it means to
 * choose, for each placement, a slide that may fulfil the demand: if a slide is known to, by its
 * bounds or by the static bound, nothing is demanded; otherwise the best-ranked slide that is not
 * known to fail becomes an edge, and need − score is demanded of the child. Later visits look at
 * the edges. When all children are proven, the node is: lo = need. When a child has failed, another
 * slide takes its place; if no slide is left, the node has failed and gets an upper bound.
 *
 * A visit reads the demands on the part's boards, the part's open nodes, and the bounds of the boards
 * of three layers; it writes bounds, open nodes, and how the demands on the two layers above change.
 * The result depends on nothing else, not even on the order of its inputs. A node of which as much is
 * demanded as in the last visit, and none of whose children has a new bound since, is copied.
 *
 * An open node in a file has
 *     the difference of its key from the one before            varint
 *     the need that its edges fulfil if they hold              varint
 *     that minus the need demanded, plus 1; 0: nothing is      varint
 *     the number of its edges                                  byte
 *     its edges                                                four bytes each
 *
 * An edge is a byte, the cell + 16 if the tile placed is a 4 + 32 · direction of the slide + 128 if
 * the child is proven, and the low 24 bits of the child's key (`news.ts`).
 */
import { CELLS } from "../../boards/assembly/shape";
import { surelyEarned } from "../../kernel/assembly/bound";
import { afterstateKey, boardOf, mix, unmix } from "../../kernel/assembly/keys";
import { CHILD_BYTES } from "../../kernel/assembly/layout";
import {
  listReplies,
  listSlideOfReply,
  listSlides,
  listSlidesOfReply,
  slideAll,
  SLIDES_HEAD,
} from "../../kernel/assembly/moves";
import { slideRank } from "../../kernel/assembly/order";
import { clearings, hiAt, homeIn, learn, loAt, NONE, partIn } from "./bounds";
import { demand } from "./demands";
import { EDGE_BYTES, EDGES, FRAME, LOOK_BYTES, LOOKS } from "./layout";
import { ENTRY_BYTES, isNews, writeLow } from "./news";
import { find, findFrom, nextHeld, SLOT_BYTES } from "./slots";
import {
  readAt,
  readByte,
  readFrom,
  readNumber,
  writeAt,
  writeByte,
  writeNumber,
  writeTo,
} from "./varint";

/** Lists of slides, behind the replies of a frame. */
const LISTS: usize = FRAME + 2 * CELLS * CHILD_BYTES;
/** Bit of an edge whose child is proven, and the bits of its placement. */
const PROVEN: u32 = 128;
const PLACE: u32 = 31;

/** Exponents of the tiles that can be placed, one bit each. */
let placedTiles: u32 = 6;
/** The bounds of the part that is visited. */
let bounds: usize = 0;
let boundSlots: u32 = 0;
/** Nodes expanded, open nodes whose edges were looked at, and bounds looked up. */
export let expanded: u64 = 0;
export let revisited: u64 = 0;
export let looks: u64 = 0;
/** Bounds learned, open nodes written, and of these the ones that are demanded. */
export let learned: u32 = 0;
export let openNodes: u32 = 0;
export let liveNodes: u32 = 0;
/** Key of the last open node written. */
let lastOpen: u64 = 0;
/** Address of the next entry of news. */
let newsAt: usize = 0;

export function setTiles(tiles: u32): void {
  placedTiles = tiles;
}

/** Returns the layers from a node to its children after a tile is placed at a place. */
// @ts-ignore: decorator
@inline
function stepOf(place: u32): i32 {
  return 1 + <i32>((place >> 4) & 1);
}

/*
 * Looks. Nearly every bound is far away in memory. So all bounds that a node needs are listed first,
 * then a tight loop reads a word of each: the processor keeps as many reads in flight as it has room
 * for. Only then are they looked up.
 */
let lookCount: i32 = 0;
/** Keeps the compiler from leaving the reads out. */
export let fetched: u64 = 0;

/** Lists the bounds of the slides of a list. */
// @ts-ignore: decorator
@inline
function listLooks(list: usize, step: i32): void {
  const count = load<i32>(list);
  for (let i = 0; i < count; i++) listLook(load<u64>(list + SLIDES_HEAD + i * CHILD_BYTES), step);
}

// @ts-ignore: decorator
@inline
function listLook(board: u64, step: i32): void {
  const at = LOOKS + lookCount * LOOK_BYTES;
  const key = mix(afterstateKey(board));
  store<u64>(at, key);
  store<usize>(at, homeIn(step, partIn(step, board), key), 8);
  lookCount++;
}

// @ts-ignore: decorator
@inline
function fetchLooks(): void {
  let sum: u64 = 0;
  for (let i = 0; i < lookCount; i++) sum += load<u64>(load<usize>(LOOKS + i * LOOK_BYTES, 8));
  fetched = sum;
  looks += lookCount;
}

// @ts-ignore: decorator
@inline
function slotOfLook(i: i32): usize {
  const at = LOOKS + i * LOOK_BYTES;
  return findFrom(load<usize>(at, 8), load<u64>(at));
}

/*
 * The edges of the node under way, at EDGES:
 *     0    u64   key of the child
 *     8    u32   the child's part
 *     12   i32   points / 4 of the slide
 *     16   u32   the edge's byte in the file
 *     20   i32   layers from the node to the child
 *     24   i32   what the edge demanded of the child in the last visit, or 0
 */
let edgeCount: i32 = 0;

function addEdge(edge: u32, board: u64, key: u64, score: i32, demanded: i32): void {
  const at = EDGES + edgeCount * EDGE_BYTES;
  const step = stepOf(edge);
  store<u64>(at, key);
  store<u32>(at, partIn(step, board), 8);
  store<i32>(at, score, 12);
  store<u32>(at, edge, 16);
  store<i32>(at, step, 20);
  store<i32>(at, demanded, 24);
  edgeCount++;
}

/** Bounds found by {@link look}: of the slide that fulfils the need, or the largest of those that fail. */
let seen: i32 = 0;

/**
 * Looks up the slides of a list, listed from look number `first` on. Returns true if one is known to
 * reach `need`. Otherwise removes the slides known to fail.
 */
function look(list: usize, first: i32, need: i32): bool {
  const slides = list + SLIDES_HEAD;
  const count = load<i32>(list);
  seen = load<i32>(list, 4);
  if (seen >= need) return true;
  let open = 0;
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const score = load<i32>(child, 12);
    const slot = slotOfLook(first + i);
    if (score + loAt(slot) >= need) {
      seen = score + loAt(slot);
      return true;
    }
    const hi = hiAt(slot);
    if (hi != NONE && score + hi < need) {
      seen = max(seen, score + hi);
      continue;
    }
    const to = slides + open * CHILD_BYTES;
    store<u64>(to, load<u64>(child));
    store<u64>(to, load<u64>(child, 8), 8);
    open++;
  }
  store<i32>(list, open);
  return false;
}

/** Sorts the slides of a list by rank; equal ranks keep their order. */
function rankSlides(list: usize): void {
  const slides = list + SLIDES_HEAD;
  const count = load<i32>(list);
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const board = load<u64>(child);
    const rank = count > 1 ? slideRank(board) : 0;
    const order = (rank << 2) | load<i32>(child, 8);
    const score = load<i32>(child, 12);
    let at = child;
    while (at > slides && load<i32>(at - CHILD_BYTES, 8) >> 2 > rank) {
      store<u64>(at, load<u64>(at - CHILD_BYTES));
      store<u64>(at, load<u64>(at - CHILD_BYTES, 8), 8);
      at -= CHILD_BYTES;
    }
    store<u64>(at, board);
    store<i32>(at, order, 8);
    store<i32>(at, score, 12);
  }
}

/**
 * Numbers of tiles on the board under way, four bits for each exponent. (A 16th tile of 2 or 4 would
 * carry into the next exponent: the board would then be full of them, and no longer an afterstate.)
 */
let tileCounts: u64 = 0;

function countTiles(board: u64): void {
  tileCounts = 0;
  for (; board != 0; board >>= 4) tileCounts += u64(1) << ((board & 15) << 2);
  tileCounts &= ~u64(15);
}

/**
 * Returns points / 4 of all merges that the tiles on the board under way and a tile placed could
 * make if they found each other: the static bound, which counts merges of these tiles only, cannot
 * promise more.
 */
function mostMerges(place: u32): i32 {
  let counts = (tileCounts >> 4) + (u64(1) << (((place >> 4) & 1) << 2));
  let most: i32 = 0;
  let tiles: i32 = 0;
  for (let points = 1; counts != 0 || tiles > 1; points <<= 1, counts >>= 4) {
    tiles = (<i32>counts & 15) + (tiles >> 1);
    most += (tiles >> 1) * points;
  }
  return most;
}

/**
 * Returns true if a slide of a sorted list, after a placement, reaches `need` by the static bound.
 */
function isSure(list: usize, place: u32, need: i32): bool {
  if (mostMerges(place) < need) return false;
  const slides = list + SLIDES_HEAD;
  const count = load<i32>(list);
  for (let i = 0; i < count; i++) {
    const child = slides + i * CHILD_BYTES;
    const score = load<i32>(child, 12);
    const earned = surelyEarned(load<u64>(child), false, placedTiles, placedTiles, need - score);
    if (score + earned < need) continue;
    seen = score + earned;
    return true;
  }
  return false;
}

/** Adds the first slide of a sorted list as an edge. */
function chooseFirst(list: usize, place: u32): void {
  const child = list + SLIDES_HEAD;
  const board = load<u64>(child);
  const edge = place | ((load<u32>(child, 8) & 3) << 5);
  addEdge(edge, board, mix(afterstateKey(board)), load<i32>(child, 12), 0);
}

/** Expands a node; see the comment of this file. */
function expand(key: u64, need: i32): void {
  expanded++;
  const replies = listReplies(boardOf(unmix(key)), placedTiles, FRAME, LISTS);
  let before: u32;
  do {
    before = clearings;
    lookCount = 0;
    for (let i = 0; i < replies; i++) {
      const reply = FRAME + i * CHILD_BYTES;
      listLooks(load<usize>(reply, 12), stepOf(load<u32>(reply, 8)));
    }
  } while (before != clearings);
  fetchLooks();
  let bound: i32 = NONE; // the smallest lower bound of the placements that are settled
  let least: i32 = NONE; // the smallest upper bound of the placements that fail
  let open = 0;
  let first = 0;
  for (let i = 0; i < replies; i++) {
    const reply = FRAME + i * CHILD_BYTES;
    const list = load<usize>(reply, 12);
    const place = load<u32>(reply, 8);
    const count = load<i32>(list);
    if (look(list, first, need)) bound = min(bound, seen);
    else if (load<i32>(list) == 0) least = min(least, seen);
    else {
      store<u32>(FRAME + open * CHILD_BYTES, place, 8);
      store<usize>(FRAME + open * CHILD_BYTES, list, 12);
      open++;
    }
    first += count;
  }
  if (least != NONE) return learnHi(key, least);
  edgeCount = 0;
  countTiles(boardOf(unmix(key)));
  for (let i = 0; i < open; i++) {
    const list = load<usize>(FRAME + i * CHILD_BYTES, 12);
    const place = load<u32>(FRAME + i * CHILD_BYTES, 8);
    rankSlides(list);
    if (isSure(list, place, need)) bound = min(bound, seen);
    else chooseFirst(list, place);
  }
  if (edgeCount == 0) return learnLo(key, bound);
  keepOpen(key, need, need);
}

/** Reads the edges of a node at `readAt`, of which `need` was demanded in the last visit. */
function readEdges(key: u64, need: i32): void {
  slideAll(boardOf(unmix(key)));
  edgeCount = 0;
  for (let edges = readByte(); edges > 0; edges--) {
    const edge = readByte();
    readFrom(readAt + ENTRY_BYTES);
    listSlideOfReply(LISTS, (edge >> 5) & 3, edge & 15, stepOf(edge));
    const board = load<u64>(LISTS + SLIDES_HEAD);
    const score = load<i32>(LISTS + SLIDES_HEAD, 12);
    const demanded = need > 0 && (edge & PROVEN) == 0 ? max(need - score, 0) : 0;
    addEdge(edge, board, mix(afterstateKey(board)), score, demanded);
  }
}

/** Withdraws what an edge demanded in the last visit. */
function withdraw(at: usize): void {
  const demanded = load<i32>(at, 24);
  if (demanded > 0) {
    demand(load<i32>(at, 20), load<u32>(at, 8), load<u64>(at), demanded, -1);
    store<i32>(at, 0, 24);
  }
}

function withdrawAll(): void {
  for (let i = 0; i < edgeCount; i++) withdraw(EDGES + i * EDGE_BYTES);
}

/** Looks at the edges of an open node, which {@link readEdges} has read. */
function revisit(key: u64, need: i32, fulfilled: i32): void {
  revisited++;
  let before: u32;
  do {
    before = clearings;
    lookCount = 0;
    for (let i = 0; i < edgeCount; i++) {
      const at = EDGES + i * EDGE_BYTES;
      const child = load<u64>(at);
      store<u64>(LOOKS + i * LOOK_BYTES, child);
      const home = homeIn(load<i32>(at, 20), load<u32>(at, 8), child);
      store<usize>(LOOKS + i * LOOK_BYTES, home, 8);
      lookCount++;
    }
  } while (before != clearings);
  fetchLooks();
  let least: i32 = NONE;
  let open = false;
  let failed: u32 = 0; // edges whose child has failed, one bit each
  for (let i = 0; i < edgeCount; i++) {
    const at = EDGES + i * EDGE_BYTES;
    const score = load<i32>(at, 12);
    const slot = slotOfLook(i);
    const hi = hiAt(slot);
    if (score + loAt(slot) >= need) store<u32>(at, load<u32>(at, 16) | PROVEN, 16);
    else {
      store<u32>(at, load<u32>(at, 16) & ~PROVEN, 16);
      if (hi != NONE && score + hi < need) failed |= 1 << i;
      else open = true;
    }
  }
  let kept = edgeCount;
  for (let i = 0; failed != 0; i++, failed >>= 1) {
    if ((failed & 1) == 0) continue;
    const at = EDGES + i * EDGE_BYTES;
    const place = load<u32>(at, 16) & PLACE;
    withdraw(at);
    store<u32>(at, 0, 16); // without an edge: see keepOpen
    store<i32>(at, -1, 20);
    listSlidesOfReply(LISTS, place & 15, stepOf(place));
    do {
      before = clearings;
      lookCount = 0;
      listLooks(LISTS, stepOf(place));
    } while (before != clearings);
    fetchLooks();
    if (look(LISTS, 0, need)) continue;
    if (load<i32>(LISTS) == 0) {
      least = min(least, seen);
      continue;
    }
    rankSlides(LISTS);
    countTiles(boardOf(unmix(key)));
    if (isSure(LISTS, place, need)) continue;
    chooseFirst(LISTS, place);
    memory.copy(at, EDGES + kept * EDGE_BYTES, EDGE_BYTES);
    edgeCount = kept;
    open = true;
  }
  if (least == NONE && open) return keepOpen(key, need, fulfilled);
  withdrawAll();
  if (least != NONE) learnHi(key, least);
  else learnLo(key, need);
}

function learnLo(key: u64, lo: i32): void {
  if (learn(bounds, boundSlots, key, lo, NONE)) writeNews(key);
}

function learnHi(key: u64, hi: i32): void {
  if (learn(bounds, boundSlots, key, 0, hi)) writeNews(key);
}

function writeNews(key: u64): void {
  learned++;
  writeLow(newsAt, key);
  newsAt += ENTRY_BYTES;
}

/** Writes an open node with the edges under way, and demands of the children what they must be worth. */
function keepOpen(key: u64, need: i32, fulfilled: i32): void {
  liveNodes++;
  beginOpen(key, fulfilled, need);
  const countAt = writeAt;
  writeByte(0);
  let count: u32 = 0;
  for (let i = 0; i < edgeCount; i++) {
    const at = EDGES + i * EDGE_BYTES;
    const step = load<i32>(at, 20);
    if (step < 0) continue; // its placement is settled otherwise
    const edge = load<u32>(at, 16);
    writeEdge(edge, load<u64>(at));
    count++;
    const before = load<i32>(at, 24);
    const now = (edge & PROVEN) != 0 ? 0 : max(need - load<i32>(at, 12), 0);
    if (now == before) continue;
    if (before > 0) demand(step, load<u32>(at, 8), load<u64>(at), before, -1);
    if (now > 0) demand(step, load<u32>(at, 8), load<u64>(at), now, 1);
  }
  store<u8>(countAt, <u8>count);
}

// @ts-ignore: decorator
@inline
function writeEdge(edge: u32, key: u64): void {
  writeByte(edge);
  writeLow(writeAt, key);
  writeTo(writeAt + ENTRY_BYTES);
}

/** Writes the head of an open node; `need` is 0 if nothing is demanded of it. */
// @ts-ignore: decorator
@inline
function beginOpen(key: u64, fulfilled: i32, need: i32): void {
  openNodes++;
  writeNumber(key - lastOpen);
  writeNumber(fulfilled);
  writeNumber(need == 0 ? 0 : fulfilled - need + 1);
  lastOpen = key;
}

/** Copies an open node whose edges begin at `readAt`. */
// @ts-ignore: decorator
@inline
function copyOpen(key: u64, fulfilled: i32, need: i32): void {
  beginOpen(key, fulfilled, need);
  const bytes: usize = 1 + <usize>load<u8>(readAt) * (1 + ENTRY_BYTES);
  memory.copy(writeAt, readAt, bytes);
  writeTo(writeAt + bytes);
  readFrom(readAt + bytes);
}

/** Returns true if a child of the open node whose edges begin at `readAt` may have a new bound. */
// @ts-ignore: decorator
@inline
function hasNews(): bool {
  let at = readAt + 1;
  for (let edges = load<u8>(readAt); edges > 0; edges--, at += 1 + ENTRY_BYTES) {
    if ((load<u8>(at) & PROVEN) == 0 && isNews(at + 1)) return true;
  }
  return false;
}

// @ts-ignore: decorator
@inline
function isSettled(slot: usize, need: i32): bool {
  return slot != 0 && (load<u16>(slot, 8) >= <u32>need || load<u16>(slot, 10) < <u32>need);
}

/** Visits an open node whose edges begin at `readAt`; `before` and `need`: as demanded last and now. */
function visitOpen(key: u64, fulfilled: i32, before: i32, need: i32): void {
  if (need == before && !hasNews()) {
    if (need > 0) liveNodes++;
    return copyOpen(key, fulfilled, need);
  }
  if (need == 0 || isSettled(find(bounds, boundSlots, key), need)) {
    const edges = readAt;
    if (before > 0) {
      readEdges(key, before);
      withdrawAll();
      readFrom(edges);
    }
    return copyOpen(key, fulfilled, 0);
  }
  readEdges(key, before);
  if (fulfilled >= need) return revisit(key, need, fulfilled);
  withdrawAll();
  expand(key, need);
}

let demands: usize = 0;
let demandsEnd: usize = 0;
let opens: usize = 0;
let opensEnd: usize = 0;
let openKey: u64 = 0;
let openWritten: usize = 0;
/** True if the demands of the last visit no longer count. */
let isFresh: bool = false;

/**
 * Begins a visit of the open nodes at `from` and the demands in a table. Open nodes are written to
 * `to`, news to `news`. With `fresh`, nothing that was demanded in the last visit still is.
 */
export function beginVisit(
  table: usize,
  slots: u32,
  demandTable: usize,
  demandTableEnd: usize,
  from: usize,
  fromEnd: usize,
  to: usize,
  news: usize,
  fresh: bool,
): void {
  bounds = table;
  boundSlots = slots;
  demands = nextHeld(demandTable, demandTableEnd);
  demandsEnd = demandTableEnd;
  opens = from;
  opensEnd = fromEnd;
  openKey = 0;
  openWritten = to;
  newsAt = news;
  isFresh = fresh;
  lastOpen = 0;
  learned = 0;
  openNodes = 0;
  liveNodes = 0;
}

/**
 * Continues a visit for up to `count` nodes. Returns the address behind the open nodes written so
 * far; {@link isVisited} tells whether the visit is over.
 */
export function visitNodes(count: i32): usize {
  readFrom(opens);
  writeTo(openWritten);
  for (; count > 0 && (demands < demandsEnd || readAt < opensEnd); count--) {
    const next = demands < demandsEnd ? load<u64>(demands) : u64.MAX_VALUE;
    const start = readAt;
    const key = readAt < opensEnd ? openKey + readNumber() : u64.MAX_VALUE;
    if (key > next) {
      readFrom(start);
      const need: i32 = load<u16>(demands, 8);
      if (!isSettled(find(bounds, boundSlots, next), need)) expand(next, need);
    } else {
      openKey = key;
      const fulfilled = <i32>readNumber();
      const less = <i32>readNumber();
      const before = isFresh || less == 0 ? 0 : fulfilled - less + 1;
      visitOpen(key, fulfilled, before, key == next ? load<u16>(demands, 8) : 0);
    }
    if (key >= next && demands < demandsEnd) demands = nextHeld(demands + SLOT_BYTES, demandsEnd);
  }
  opens = readAt;
  openWritten = writeAt;
  return writeAt;
}

export function isVisited(): bool {
  return demands >= demandsEnd && opens >= opensEnd;
}

/** Result of {@link visitStart}: the bound that settles the start's question, points / 4. */
export let startBound: i32 = 0;

/**
 * Looks at the slides of a start, a position in the layer visited: is h ≥ need? Returns 1 if a slide
 * is known to reach it, −1 if all are known to fail, and otherwise 0, with a demand on the afterstate
 * of the best-ranked slide.
 */
export function visitStart(board: u64, need: i32): i32 {
  listSlides(board, LISTS);
  let before: u32;
  do {
    before = clearings;
    lookCount = 0;
    listLooks(LISTS, 0);
  } while (before != clearings);
  fetchLooks();
  if (look(LISTS, 0, need)) {
    startBound = seen;
    return 1;
  }
  if (load<i32>(LISTS) == 0) {
    startBound = seen;
    return -1;
  }
  rankSlides(LISTS);
  const after = load<u64>(LISTS + SLIDES_HEAD);
  const score = load<i32>(LISTS + SLIDES_HEAD, 12);
  demand(0, partIn(0, after), mix(afterstateKey(after)), need - score, 1);
  return 0;
}
