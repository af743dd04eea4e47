import { useContext, useEffect, useState } from "preact/hooks";
import { HostContext } from "../client/host.js";

/** Milliseconds between two looks at the clock. */
const TICK_MS = 250;

/**
 * The time that a search has taken, and the most that it may take where the host says so. It is not shown before the
 * first tick: most answers arrive earlier.
 */
export function Searching() {
  const { budget } = useContext(HostContext);
  const [seconds, setSeconds] = useState<number | undefined>();
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(
      () => setSeconds(Math.floor((performance.now() - began) / 1000)),
      TICK_MS,
    );
    return () => clearInterval(timer);
  }, []);
  if (seconds === undefined) return null;
  const limited = budget !== undefined && seconds <= budget;
  return (
    <p class="note searching row">
      <progress aria-label="Search" {...(limited && { max: budget, value: seconds })} />
      Searching for {seconds} s{limited && ` of at most ${budget} s`}
    </p>
  );
}
