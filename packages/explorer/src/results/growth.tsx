import { useState } from "preact/hooks";
import { formatNumber, gameName } from "../logic/words.js";
import type { Growth, GrowthPage } from "../page.js";
import { Heading } from "../ui/layout.js";

/** The title of the page. */
export const GROWTH_TITLE = "How the cost of a search grows";

const WIDTH = 640;
const HEIGHT = 380;
const LEFT = 52;
const RIGHT = 24;
const TOP = 16;
const BOTTOM = 40;
/** The radius of the area around a point of the chart that belongs to it. */
const AREA = 12;

/** How the cost of a search grows with the board: a chart whose points lead to the shapes, and its numbers. */
export function GrowthView({ page }: { readonly page: GrowthPage }) {
  return (
    <>
      <p class="crumb">
        <a href="results/">Results</a> / {page.path}
      </p>
      <Heading title={GROWTH_TITLE}>{page.introduction}</Heading>
      <GrowthChart shapes={page.shapes} />
      <GrowthTable shapes={page.shapes} />
      <p class="note">
        The time is that of the solve that each shape's page names. The counts as a file:{" "}
        <a href={`v1/files/${page.path}`}>{page.path}</a>
      </p>
    </>
  );
}

/** Says what is known of a shape's search. */
function wordsOf({ shape, cells, positions, afterstates, reachable, time }: Growth): string {
  const searched = `${formatNumber(positions)} positions and ${formatNumber(afterstates)} afterstates searched`;
  const of = reachable === null ? "" : `, of ${formatNumber(reachable)} positions reachable`;
  return `${gameName(shape, [2, 4])}, ${cells} cells: ${searched}${of}${time === null ? "" : `; solved in ${time}`}`;
}

/** The number of rows, by which shapes are joined. */
function rowsOf({ shape }: Growth): number {
  return Number(shape.split("x")[0]);
}

function GrowthChart({ shapes }: { readonly shapes: readonly Growth[] }) {
  const [picked, setPicked] = useState<Growth | undefined>();
  const cells = shapes.map((each) => each.cells);
  const [least, most] = [Math.min(...cells), Math.max(...cells)];
  const counts = shapes.flatMap(({ positions, reachable }) => [positions, reachable ?? 1]);
  const powers = Math.ceil(Math.log10(Math.max(...counts)));
  const x = (count: number) =>
    LEFT + 14 + ((count - least) / Math.max(1, most - least)) * (WIDTH - LEFT - RIGHT - 14);
  const y = (count: number) =>
    HEIGHT - BOTTOM - (Math.log10(count) / powers) * (HEIGHT - BOTTOM - TOP);
  const pointsOf = (some: readonly Growth[], count: (each: Growth) => number | null) =>
    some
      .flatMap((each) => {
        const at = count(each);
        return at === null ? [] : [x(each.cells), y(at)];
      })
      .join(" ");
  // Names lie off the lines, and the last one within the chart.
  const isBeside = (each: Growth) => rowsOf(each) === 2 && each.cells < most;
  const rows = [...new Set(shapes.map(rowsOf))];
  return (
    <figure class="chart growth">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        <title>Positions by the number of cells</title>
        {Array.from({ length: Math.floor(powers / 2) + 1 }, (_, i) => 10 ** (2 * i)).map(
          (count) => (
            <g key={count} class="tick">
              <path d={`M${LEFT} ${y(count)}H${WIDTH - RIGHT}`} />
              <text x={LEFT - 8} y={y(count) + 4} text-anchor="end">
                {shortCount(count)}
              </text>
            </g>
          ),
        )}
        {[...new Set(cells)].map((count) => (
          <text key={count} x={x(count)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
            {count}
          </text>
        ))}
        <text class="axis" x={(LEFT + WIDTH) / 2} y={HEIGHT - 4} text-anchor="middle">
          cells
        </text>
        <polyline class="reachable" points={pointsOf(shapes, ({ reachable }) => reachable)} />
        {rows.map((count) => (
          <polyline
            key={count}
            class="in-all"
            points={pointsOf(
              shapes.filter((each) => rowsOf(each) === count),
              ({ positions }) => positions,
            )}
          />
        ))}
        {shapes.map((each) => (
          <a
            key={each.shape}
            href={`results/${each.shape}/`}
            class={each === picked ? "picked" : undefined}
            aria-label={wordsOf(each)}
            onPointerEnter={() => setPicked(each)}
            onFocus={() => setPicked(each)}
          >
            {each.reachable !== null && (
              <>
                <circle class="area" cx={x(each.cells)} cy={y(each.reachable)} r={AREA} />
                <rect
                  class="dot"
                  x={x(each.cells) - 4.5}
                  y={y(each.reachable) - 4.5}
                  width={9}
                  height={9}
                />
              </>
            )}
            <circle class="area" cx={x(each.cells)} cy={y(each.positions)} r={AREA} />
            <circle class="dot" cx={x(each.cells)} cy={y(each.positions)} r={5} />
            <text
              x={x(each.cells) + (isBeside(each) ? 11 : -9)}
              y={y(each.positions) + (isBeside(each) ? 14 : -7)}
              text-anchor={isBeside(each) ? "start" : "end"}
            >
              {gameName(each.shape, [2, 4])}
            </text>
          </a>
        ))}
      </svg>
      <figcaption class="row">
        <span class="key in-all">● positions searched, shapes of as many rows joined</span>
        <span class="key reachable">■ positions that play can reach</span>
      </figcaption>
      <p class="picked-words">
        {picked ? `${wordsOf(picked)}.` : "Choose a shape for its numbers."}
      </p>
    </figure>
  );
}

/** Writes a power of ten in a few characters: `100`, `10k`, `1M`. */
function shortCount(count: number): string {
  if (count >= 1e9) return `${count / 1e9}G`;
  if (count >= 1e6) return `${count / 1e6}M`;
  return count >= 1e3 ? `${count / 1e3}k` : String(count);
}

function GrowthTable({ shapes }: { readonly shapes: readonly Growth[] }) {
  const columns = ["cells", "positions", "afterstates", "reachable", "searched of them", "time"];
  return (
    <div class="scroll">
      <table class="growth-table">
        <caption class="hidden">Nodes searched for all starts of each shape</caption>
        <thead>
          <tr>
            <th scope="col">shape</th>
            {columns.map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shapes.map(({ shape, cells, positions, afterstates, reachable, time }) => (
            <tr key={shape}>
              <th scope="row">
                <a href={`results/${shape}/`}>{gameName(shape, [2, 4])}</a>
              </th>
              <td class="number">{cells}</td>
              <td class="number">{formatNumber(positions)}</td>
              <td class="number">{formatNumber(afterstates)}</td>
              <td class="number">{reachable === null ? "–" : formatNumber(reachable)}</td>
              <td class="number">
                {reachable === null ? "–" : `${((100 * positions) / reachable).toPrecision(2)} %`}
              </td>
              <td class="number">{time ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
