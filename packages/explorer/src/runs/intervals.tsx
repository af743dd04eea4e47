import type { RunState } from "../data.js";
import { readBoard } from "../logic/address.js";
import { boundOf } from "../logic/grade.js";
import { formatBound } from "../logic/words.js";

const WIDTH = 400;
const ROW = 16;

/** Each start's proven bounds as a bar that shrinks to a point. */
export function Intervals({ windows: given }: { readonly windows: RunState["windows"] }) {
  const windows = given.map((window) => ({
    board: window.board,
    ...boundOf(window, readBoard(window.board).board),
  }));
  const most = Math.max(4, ...windows.map(({ lo, hi }) => (Number.isFinite(hi) ? hi : lo)));
  const least = Math.min(...windows.map(({ lo }) => lo), most);
  const span = Math.max(1, most - least);
  const x = (value: number) => (Math.min(span, value - least) / span) * (WIDTH - 12) + 6;
  return (
    <table class="intervals">
      <caption>
        Bounds of the starts, from {least} to {most} points
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
              <svg viewBox={`0 0 ${WIDTH} ${ROW}`} preserveAspectRatio="none" aria-hidden="true">
                <path class="rail" d={`M6 ${ROW / 2}H${WIDTH - 6}`} />
                {lo === hi ? (
                  <circle cx={x(lo)} cy={ROW / 2} r="4" />
                ) : (
                  <path class="span" d={`M${x(lo)} ${ROW / 2}H${x(hi)}`} />
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
