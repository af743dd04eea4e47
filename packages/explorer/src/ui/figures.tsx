import type { ComponentChildren } from "preact";

/** Numbers with their names. */
export function Figures({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, figure: ComponentChildren])[];
}) {
  return (
    <dl class="figures row">
      {rows.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
