import { ToolButton } from "./tools.js";

/** Buttons and a slider that step through moves. */
export function Stepper({
  last,
  cursor,
  keys = false,
  said,
  onGo,
}: {
  /** The number of moves. */
  readonly last: number;
  /** The number of moves made on the board that is shown. */
  readonly cursor: number;
  /** True if the arrow keys step, wherever the focus is. */
  readonly keys?: boolean;
  /** The last move made, for screen readers. */
  readonly said?: string;
  readonly onGo: (moves: number) => void;
}) {
  return (
    <div class="stepper row">
      <ToolButton
        icon="left"
        name="Back"
        {...(keys && { keys: "ArrowLeft" })}
        disabled={cursor === 0}
        onClick={() => onGo(cursor - 1)}
      />
      <label>
        <span class="hidden">Moves made</span>
        <input
          type="range"
          min={0}
          max={last}
          value={cursor}
          aria-valuetext={said}
          onInput={(event) => onGo(Number(event.currentTarget.value))}
        />
      </label>
      <output>
        {cursor} / {last}
      </output>
      <ToolButton
        icon="right"
        name="On"
        {...(keys && { keys: "ArrowRight" })}
        disabled={cursor === last}
        onClick={() => onGo(cursor + 1)}
      />
    </div>
  );
}
