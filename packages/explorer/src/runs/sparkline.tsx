import { formatNumber } from "../logic/words.js";

const WIDTH = 640;
const HEIGHT = 90;

/** A small chart of numbers over time, from 0 up. */
export function Sparkline({
  values,
  title,
}: {
  readonly values: readonly number[];
  readonly title: string;
}) {
  if (values.length < 2) return null;
  const most = Math.max(1, ...values);
  const x = (i: number) => (i / (values.length - 1)) * WIDTH;
  const y = (value: number) => HEIGHT - 4 - (value / most) * (HEIGHT - 8);
  const line = values.map((value, i) => `${x(i)} ${y(value)}`).join(" ");
  const latest = formatNumber(Math.round(values.at(-1) ?? 0));
  return (
    <figure class="sparkline">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${latest} now, at most ${formatNumber(Math.round(most))}`}
      >
        <polygon class="area" points={`${line} ${WIDTH} ${HEIGHT} 0 ${HEIGHT}`} />
        <polyline class="rate" points={line} />
      </svg>
      <figcaption>{title}</figcaption>
    </figure>
  );
}
