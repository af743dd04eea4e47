import { ApiError } from "@gridlock/gridlock/client";
import { useContext, useEffect, useState } from "preact/hooks";
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
  /** The answer; `undefined` while it is on its way. */
  readonly value: T | undefined;
  /** The best answer so far, until the final one arrives. */
  readonly partial: T | undefined;
  readonly failure: Failure | undefined;
}

/** Most seconds between two tries. */
const MOST_WAIT = 8;
/** Most answers that are kept. */
const MOST_KEPT = 2_000;

/** Answers of this visit by their addresses. A value never changes; an open interval may be asked for again. */
const kept = new Map<string, unknown>();

function keep(address: string, value: unknown): void {
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(address, value);
}

/** Forgets an answer, so that the server is asked again. */
export function forget(address: string): void {
  kept.delete(address);
}

/**
 * Reads an address, again and again while the server does not answer.
 *
 * @param address `undefined` for nothing
 * @param first an answer that came with the page
 * @param version a number whose change reads the address again
 */
export function useResource<T>(
  address: string | undefined,
  first?: { readonly address: string; readonly value: T },
  version = 0,
): Resource<T> {
  const known = version === 0 && first?.address === address ? first?.value : undefined;
  const [state, setState] = useState<{ of?: string; failure?: Omit<Failure, "retry"> }>({});
  const [partial, setPartial] = useState<{ of?: string; value?: T }>({});
  const read = useContext(Source);
  const [attempt, setAttempt] = useState({ of: address, version, count: 0 });
  const count = attempt.of === address && attempt.version === version ? attempt.count : 0;

  useEffect(() => {
    if (address === undefined || known !== undefined || kept.has(address)) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setInterval> | undefined;
    const again = () => setAttempt({ of: address, version, count: count + 1 });
    const onPartial = (value: T) => {
      if (!abort.signal.aborted) setPartial({ of: address, value });
    };
    read<T>(address, abort.signal, onPartial).then(
      (value) => {
        keep(address, value);
        setState({ of: address });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const refused = error instanceof ApiError;
        const message = refused ? error.message : String(error);
        const wait = refused ? error.retryAfter : undefined;
        let left = wait === undefined ? undefined : Math.min(MOST_WAIT, wait * 2 ** count);
        setState({ of: address, failure: { message, retryInSeconds: left } });
        if (left === undefined) return;
        timer = setInterval(() => {
          left = Math.max(0, Math.ceil((left as number) - 1));
          if (left === 0) again();
          else setState({ of: address, failure: { message, retryInSeconds: left } });
        }, 1_000);
      },
    );
    addEventListener("online", again);
    return () => {
      abort.abort();
      clearInterval(timer);
      removeEventListener("online", again);
    };
  }, [address, version, count, known === undefined]);

  if (address === undefined) return { value: undefined, partial: undefined, failure: undefined };
  const value = known ?? (kept.get(address) as T | undefined);
  const failed = state.of === address && value === undefined ? state.failure : undefined;
  const retry = () => setAttempt({ of: address, version, count: count + 1 });
  const soFar = partial.of === address ? partial.value : undefined;
  return { value, partial: soFar, failure: failed && { ...failed, retry } };
}
