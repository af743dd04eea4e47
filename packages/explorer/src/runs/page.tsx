import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useResource } from "../client/resource.js";
import type { RunState } from "../data.js";
import { gameName } from "../logic/words.js";
import type { RunsPage } from "../page.js";
import { Heading, Trouble } from "../ui/layout.js";
import { RunView } from "./run.js";

const LIST = "v1/runs";
/** Milliseconds between two looks at the list of runs. */
const LOOK_MS = 1_000;

/** The page of the solves that are under way, and of those that ended in the last minutes. */
export function RunsView({ page }: { readonly page: RunsPage }) {
  const list = useResource(LIST, undefined, { address: LIST, value: page });
  useEffect(() => {
    const timer = setInterval(list.again, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  // The list stays while the next one is on its way.
  const last = useRef(page.runs);
  if (list.value) last.current = list.value.runs;
  const runs = last.current;
  const finished = runs.filter(({ state }) => state !== "running");
  return (
    <>
      <Heading title="Runs">
        Solves with this server's database. The bounds of each start narrow until they meet in its
        value.
      </Heading>
      {list.failure && <Trouble failure={list.failure} />}
      <RunGroup
        id="under-way"
        title="Under way"
        runs={runs.filter(({ state }) => state === "running")}
      >
        <p class="note">
          Nothing is being solved now. Start a solve beside this server, and it appears here:{" "}
          <code>gridlock solve 3x4</code>
        </p>
      </RunGroup>
      {finished.length > 0 && (
        <RunGroup id="ended" title="Ended in the last ten minutes" runs={finished} />
      )}
    </>
  );
}

/** Some runs under a heading, the first of them opened. */
function RunGroup({
  id,
  title,
  runs,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly runs: readonly RunState[];
  /** Shown if there are no runs. */
  readonly children?: ComponentChildren;
}) {
  return (
    <section class="run-group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {runs.map((run, i) => (
        <details key={run.id} open={i === 0}>
          <summary>
            {gameName(run.shape, run.tiles)} <span class="note">{run.state}</span>
          </summary>
          <RunView run={run} />
        </details>
      ))}
      {runs.length === 0 && children}
    </section>
  );
}
