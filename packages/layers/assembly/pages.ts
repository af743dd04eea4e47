/*
 * The memory of the blocks, in pages. A table takes consecutive pages from the lowest on; nodes,
 * demands and letters take single pages from the highest on, so that both kinds have room to grow.
 */
import { LOCK, OWNERS, PAGE_BYTES, PAGE_LOG2, pagesAt, thread } from "./layout";

/** Frees pages by evicting blocks from memory. Throws if it cannot evict any. */
declare function makeRoom(pages: i32): void;

/** The owner of a free page. */
const FREE: u32 = 0;
/** The owner of a thread's own pages, those of its letters and stacks, is this minus its number. */
const THREADS: u32 = 0xffff;

/** No page above this one is free; i32, shared by all threads. */
const HIGHEST: usize = LOCK + 4;

let first: usize = 0;
let pages: i32 = 0;

/** Frees all pages. Called once for a memory. */
export function preparePages(threads: u32): void {
  attachPages(threads);
  atomic.store<i32>(HIGHEST, <i32>pages - 1);
}

/** Sets the pages: those between the areas of `threads` threads and the end of the memory. */
export function attachPages(threads: u32): void {
  first = pagesAt(threads);
  pages = <i32>((((<usize>memory.size()) << 16) - first) >> PAGE_LOG2);
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

/** The first of the thread's own pages that are free; each begins with the address of the next. */
let freePage: usize = 0;
/** Number of the thread's own pages. */
let owned: i32 = 0;

/** Takes a page for the thread itself. */
export function takeOwn(): usize {
  const page = freePage;
  if (page == 0) {
    const taken = takePages(1, THREADS - thread);
    owned++;
    return taken;
  }
  freePage = load<u32>(page);
  return page;
}

/** Keeps one of the thread's own pages for {@link takeOwn}. */
export function freeOwn(page: usize): void {
  store<u32>(page, <u32>freePage);
  freePage = page;
}

/** Gives back all of the thread's own pages. */
export function clearOwn(): void {
  for (; freePage != 0; owned--) {
    const page = freePage;
    freePage = load<u32>(page);
    returnPages(page, 1);
  }
  if (owned > 0) returnAll(THREADS - thread); // a visit was given up
  owned = 0;
}
