import type { RunState, RunSummary } from "../data.js";
import { formatNumber, gameName } from "../logic/words.js";
import { Intervals } from "./intervals.js";
import { Sparkline } from "./sparkline.js";
import { useRun } from "./use-run.js";

/** A run as it goes: its figures, its starts' intervals, its workers. */
export function RunView({ run }: { readonly run: RunSummary }) {
  const { state, rates, cut } = useRun(run.id, run.state);
  return (
    <div class="run">
      <h3>
        {gameName(run.shape, run.tiles)} <span class="badge">{state?.state ?? run.state}</span>
      </h3>
      {cut && (
        <p class="trouble" role="alert">
          The server does not answer. This page waits for it.
        </p>
      )}
      {state ? <Figures state={state} rates={rates} /> : <p class="waiting">Waiting for news …</p>}
    </div>
  );
}

function Figures({
  state,
  rates,
}: {
  readonly state: RunState;
  readonly rates: readonly number[];
}) {
  const figures = [
    ["Starts solved", `${state.solved} of ${state.starts}`],
    ["Nodes", formatNumber(state.nodes)],
    ["Nodes a second", formatNumber(Math.round(state.nodesPerSecond))],
    ["Workers", String(state.workers.length)],
    ["Seconds", formatNumber(Math.round(state.seconds))],
  ] as const;
  return (
    <>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Sparkline values={rates} title="Nodes a second, over the last minutes" />
      <Intervals windows={state.windows} />
      {state.workers.length > 0 && (
        <table class="workers">
          <caption>Workers</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Threads
              </th>
            </tr>
          </thead>
          <tbody>
            {state.workers.map(({ name, threads }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{threads}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
