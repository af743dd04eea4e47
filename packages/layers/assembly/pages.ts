/*
 * The memory of the blocks, in pages. A table takes consecutive pages from the lowest on; nodes,
 * demands and letters take single pages from the highest on, so that both kinds have room to grow.
 */
import { LOCK, OWNERS, PAGE_BYTES, PAGE_LOG2, pagesAt } from "./layout";

/** Frees pages by evicting blocks from memory. Throws if it cannot evict any. */
declare function makeRoom(pages: i32): void;

/** The owner of a free page. */
const FREE: u32 = 0;
/** The owners of the pages of a thread's letters and stacks are these minus the thread's number. */
export const LETTERS: u32 = 0xffff;
export const STACKS: u32 = 0xbfff;

/** No page above this one is free; i32, shared by all threads. */
const HIGHEST: usize = LOCK + 4;

let first: usize = 0;
let pages: i32 = 0;

/** Frees all pages. Called once for a memory. */
export function preparePages(threads: u32, end: usize): void {
  attachPages(threads, end);
  atomic.store<i32>(HIGHEST, <i32>pages - 1);
}

/** Sets the pages: those between the areas of `threads` threads and the memory's `end`. */
export function attachPages(threads: u32, end: usize): void {
  first = pagesAt(threads);
  pages = <i32>((end - first) >> PAGE_LOG2);
}

@inline
function ownerAt(page: i32): usize {
  return OWNERS + 2 * <usize>page;
}

function lock(): void {
  while (atomic.cmpxchg<i32>(LOCK, 0, 1) != 0) {}
}

function unlock(): void {
  atomic.store<i32>(LOCK, 0);
}

/** Returns the first of `count` consecutive free pages, or −1. */
function findPages(count: i32): i32 {
  if (count == 1) {
    let page = atomic.load<i32>(HIGHEST);
    while (page >= 0 && load<u16>(ownerAt(page)) != FREE) page--;
    atomic.store<i32>(HIGHEST, page);
    return page;
  }
  let free = 0;
  for (let page = 0; page < pages; page++) {
    free = load<u16>(ownerAt(page)) == FREE ? free + 1 : 0;
    if (free == count) return page + 1 - count;
  }
  return -1;
}

/** Takes `count` consecutive pages, and returns their address. */
export function takePages(count: i32, owner: u32): usize {
  while (true) {
    lock();
    const page = findPages(count);
    if (page != -1) {
      for (let i = 0; i < count; i++) store<u16>(ownerAt(page + i), <u16>owner);
      unlock();
      return first + ((<usize>page) << PAGE_LOG2);
    }
    unlock();
    makeRoom(count);
  }
}

function raiseHighest(page: i32): void {
  if (page > atomic.load<i32>(HIGHEST)) atomic.store<i32>(HIGHEST, page);
}

/** Gives back `count` pages from an address on. */
export function returnPages(at: usize, count: i32): void {
  const page = <i32>((at - first) >> PAGE_LOG2);
  lock();
  memory.fill(ownerAt(page), 0, 2 * count);
  raiseHighest(page + count - 1);
  unlock();
}

/** Returns the number of an owner's pages. */
export function countPages(owner: u32): i32 {
  let count = 0;
  for (let page = 0; page < pages; page++) count += i32(load<u16>(ownerAt(page)) == owner);
  return count;
}

/** Returns the number of all pages. */
export function allPages(): i32 {
  return pages;
}

/** Gives back all pages of an owner. */
export function returnAll(owner: u32): void {
  lock();
  for (let page = 0; page < pages; page++) {
    if (load<u16>(ownerAt(page)) != owner) continue;
    store<u16>(ownerAt(page), <u16>FREE);
    raiseHighest(page);
  }
  unlock();
}

/** Returns the number of pages needed for some bytes. */
export function pagesFor(bytes: usize): i32 {
  return <i32>((bytes + PAGE_BYTES - 1) >> PAGE_LOG2);
}
