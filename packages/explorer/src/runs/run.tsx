import { formatLeft, formatSeconds } from "@gridlock/report/units";
import type { RunState } from "../data.js";
import { exploreAddress, readBoard, tilesOf } from "../logic/address.js";
import { boundOf } from "../logic/grade.js";
import { formatBound, formatNumber, isUnknown } from "../logic/words.js";
import { Thumbnail } from "../ui/board.js";
import { Figures } from "../ui/figures.js";

const BAR_WIDTH = 400;
const BAR_HEIGHT = 16;

/** A run as it goes: its figures, what it asks, its starts' intervals, its workers. */
export function RunView({ run: state }: { readonly run: RunState }) {
  const isRunning = state.state === "running";
  const figures: (readonly [name: string, figure: string])[] = [
    ["Starts solved", `${state.solved} of ${state.starts}`],
    ["Nodes", formatNumber(state.nodes)],
  ];
  if (isRunning) {
    figures.push(
      ["Nodes a second", formatNumber(Math.round(state.nodesPerSecond))],
      ["Time so far", formatSeconds(Math.round(state.seconds))],
      ["Time left", state.secondsLeft === null ? "no estimate" : formatLeft(state.secondsLeft)],
      ["Workers", String(state.workers.length)],
    );
  } else figures.push(["Time", formatSeconds(state.seconds)]);
  return (
    <div class="run">
      <Figures rows={figures} />
      {state.question && <Question question={state.question} tiles={state.tiles} />}
      {isRunning && <WaitingFor {...state} />}
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
    </div>
  );
}

/** Says why a run does not search. */
function WaitingFor({ workers, nodes }: Pick<RunState, "workers" | "nodes">) {
  if (workers.length === 0) {
    return (
      <p class="note">
        No worker is in the run, so nothing is searched. <code>gridlock worker</code> starts one.
      </p>
    );
  }
  if (nodes > 0) return null;
  return (
    <p class="note">
      The search has not begun: the run is making its table, and loading what earlier runs have
      proven.
    </p>
  );
}

/** The question under search. */
function Question({
  question: { board: text, threshold },
  tiles,
}: {
  readonly question: NonNullable<RunState["question"]>;
  readonly tiles: readonly number[];
}) {
  const { board } = readBoard(text);
  return (
    <div class="question row">
      <Thumbnail board={board} />
      <p>
        Asked now: can the slider force {formatNumber(threshold)} points or more from{" "}
        <a href={exploreAddress({ node: { board, turn: "slider" }, tiles: tilesOf(tiles) })}>
          this start
        </a>
        ?
      </p>
    </div>
  );
}

/** The proven bounds of each start, if there are any, as a bar that shrinks to a point. */
function Intervals({ windows: given }: { readonly windows: RunState["windows"] }) {
  const windows = given
    .map(({ board, ...bound }) => ({ board, ...boundOf(bound, readBoard(board).board) }))
    .filter((window) => !isUnknown(window));
  if (windows.length === 0) return <p class="note">No bounds of the starts are proven yet.</p>;
  const others = given.length - windows.length;
  const most = Math.max(4, ...windows.map(({ lo, hi }) => (Number.isFinite(hi) ? hi : lo)));
  const least = Math.min(...windows.map(({ lo }) => lo), most);
  const span = Math.max(1, most - least);
  const x = (value: number) => (Math.min(span, value - least) / span) * (BAR_WIDTH - 12) + 6;
  return (
    <table class="intervals">
      <caption>
        Bounds of {others === 0 ? "the" : windows.length} start
        {windows.length === 1 ? "" : "s"}, from {least} to {most} points
        {others > 0 && `; nothing is proven of the other ${others} yet`}
      </caption>
      <thead class="hidden">
        <tr>
          <th scope="col">Start</th>
          <th scope="col">Bounds as a bar</th>
          <th scope="col">Bounds</th>
        </tr>
      </thead>
      <tbody>
        {windows.map(({ board, lo, hi }) => (
          <tr key={board} class={lo === hi ? "closed" : ""}>
            <th scope="row">{board}</th>
            <td class="bar-cell">
              <svg
                viewBox={`0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`}
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <path class="rail" d={`M6 ${BAR_HEIGHT / 2}H${BAR_WIDTH - 6}`} />
                {lo === hi ? (
                  <circle cx={x(lo)} cy={BAR_HEIGHT / 2} r="4" />
                ) : (
                  <path class="span" d={`M${x(lo)} ${BAR_HEIGHT / 2}H${x(hi)}`} />
                )}
              </svg>
            </td>
            <td class="number">{formatBound({ lo, hi })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
