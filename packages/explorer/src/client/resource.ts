import { ApiError } from "@gridlock/gridlock/client";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Answer } from "../data.js";
import { isComplete } from "../logic/grade.js";
import { Source } from "./source.js";

/** A request that failed. */
export interface Failure {
  readonly message: string;
  /** Seconds until it is tried again; `undefined` if only the reader can. */
  readonly retryInSeconds: number | undefined;
  readonly retry: () => void;
}

/** An answer, on its way or here. */
export interface Resource<T> {
  /** The best answer so far; `undefined` while the first is on its way. */
  readonly value: T | undefined;
  /** True if no better answer will follow. */
  readonly done: boolean;
  /** Seconds that have been searched for it. */
  readonly spent: number;
  readonly failure: Failure | undefined;
  /** Asks again; for a board, searches for as long as before. */
  readonly again: () => void;
}

/** Most seconds between two tries. */
const MOST_WAIT = 8;
/** Most answers in the cache. */
const MOST_CACHED = 2_000;
/** Least and most seconds of a search, after which the page shows what is known. */
const SHORTEST = 0.05;
const LONGEST = 1;

/** An answer of this visit. */
interface CachedAnswer {
  readonly value: unknown;
  readonly spent: number;
}

/** Answers of this visit by their addresses. */
const cache = new Map<string, CachedAnswer>();

function cacheAnswer(address: string, answer: CachedAnswer): void {
  if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value as string);
  cache.set(address, answer);
}

/** Returns whether an answer is final, as one without a search is; `seconds` limits a search. */
function isOver(known: CachedAnswer | undefined, seconds: number | undefined): boolean {
  if (known === undefined || seconds === undefined) return known !== undefined;
  return known.spent >= seconds || isComplete(known.value as Answer);
}

/** Returns the answer that knows more of a board's value; the second one if both know as much. */
function narrower(a: Answer, b: Answer): Answer {
  return a.hi - a.lo < b.hi - b.lo ? a : b;
}

/** Waits while the reader does not see the page. */
async function untilVisible(signal: AbortSignal): Promise<void> {
  while (document.visibilityState === "hidden") {
    await new Promise<void>((resolve) => {
      document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    signal.throwIfAborted();
  }
}

/**
 * Reads an address, again and again while the host does not answer.
 *
 * That of a board is asked with growing budgets, from what is known at once on, until the answer is
 * complete or the time is spent: each search continues where the last one ended. There is no search
 * while the page is hidden, and another address ends it at once.
 *
 * @param address `undefined` for nothing
 * @param seconds the time to search for a board; `undefined` for addresses that take no budget
 * @param first an answer that came with the page
 */
export function useResource<T>(
  address: string | undefined,
  seconds?: number,
  first?: { readonly address: string; readonly value: T },
): Resource<T> {
  const read = useContext(Source);
  const [, show] = useState<unknown>();
  const [failed, setFailed] = useState<Omit<Failure, "retry"> & { readonly of: string }>();
  const [attempt, setAttempt] = useState({ of: address, count: 0 });
  const count = attempt.of === address ? attempt.count : 0;
  const retry = () =>
    setAttempt((now) => ({ of: address, count: now.of === address ? now.count + 1 : 1 }));
  const came = count === 0 && first?.address === address;
  const come = came ? { value: first?.value, spent: 0 } : undefined;
  const known = address === undefined ? undefined : (cache.get(address) ?? come);
  const done = isOver(known, seconds);

  useEffect(() => {
    if (address === undefined) return;
    if (known && !cache.has(address)) cacheAnswer(address, known);
    if (done) return;
    const abort = new AbortController();
    const { signal } = abort;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = (answer: CachedAnswer) => {
      cacheAnswer(address, answer);
      setFailed(undefined);
      show(answer);
    };
    const ask = async () => {
      if (seconds === undefined) return keep({ value: await read(address, signal), spent: 0 });
      for (let now = known; !isOver(now, seconds); ) {
        const spent = now?.spent ?? 0;
        const budget = now ? Math.min(LONGEST, seconds - spent, Math.max(SHORTEST, spent)) : 0;
        if (budget > 0) await untilVisible(signal);
        const next = await read<Answer>(`${address}&budget=${budget.toFixed(2)}`, signal);
        signal.throwIfAborted();
        const value = now ? narrower(now.value as Answer, next) : next;
        now = { value, spent: spent + budget };
        keep(now);
      }
    };
    ask().catch((error: unknown) => {
      if (signal.aborted) return;
      const refused = error instanceof ApiError;
      const message = refused ? error.message : String(error);
      const wait = refused ? error.retryAfter : undefined;
      const retryInSeconds =
        wait === undefined ? undefined : Math.min(MOST_WAIT, wait * 2 ** count);
      setFailed({ of: address, message, retryInSeconds });
      if (retryInSeconds !== undefined) timer = setTimeout(retry, 1_000 * retryInSeconds);
    });
    addEventListener("online", retry);
    return () => {
      abort.abort();
      clearTimeout(timer);
      removeEventListener("online", retry);
    };
  }, [address, seconds, count, done]);

  const again = () => {
    if (address === undefined) return;
    if (seconds === undefined) cache.delete(address);
    else if (known) cacheAnswer(address, { ...known, spent: 0 });
    retry();
  };
  return {
    value: known?.value as T | undefined,
    done,
    spent: known?.spent ?? 0,
    again,
    failure: failed?.of === address && failed && !done ? { ...failed, retry } : undefined,
  };
}
