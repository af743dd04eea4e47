import { ToolButton } from "../ui/button.js";
import { KeysHelp } from "../ui/keys-help.js";

const KEYS = [
  ["↑ ← ↓ →", "slide (or W A S D); when placing: go from cell to cell"],
  ["2 4", "when placing: put that tile into the cell"],
  ["Z", "take back"],
  ["H", "hint"],
  ["V", "show or hide the moves' values"],
  ["Space", "watching: run or pause"],
  ["N", "watching: one move"],
  ["← →", "after the game: step through it"],
  ["Home End", "after the game: first board, last board"],
] as const;

/** The buttons above the board of a game. */
export function PlayTools({
  actions,
  watching,
  reviewing,
  running,
  open,
  over,
  speed,
  canUndo,
  canHint,
  onSpeed,
}: {
  readonly actions: Readonly<
    Record<"undo" | "restart" | "hint" | "open" | "run" | "step", () => unknown>
  >;
  readonly watching: boolean;
  /** True if nobody moves: there is nothing but the list of keys. */
  readonly reviewing: boolean;
  readonly running: boolean;
  readonly open: boolean;
  readonly over: boolean;
  /** Moves a second, of games that are watched. */
  readonly speed: number;
  readonly canUndo: boolean;
  readonly canHint: boolean;
  readonly onSpeed: (speed: number) => void;
}) {
  const { undo, restart, hint, open: show, run, step } = actions;
  return (
    <fieldset class="tools row">
      <legend class="hidden">Game tools</legend>
      {watching && (
        <>
          <ToolButton
            icon={running && !over ? "pause" : "play"}
            name={running && !over ? "Pause" : "Run"}
            keys="Space"
            disabled={over}
            onClick={run}
          />
          <ToolButton icon="step" name="One move" keys="N" disabled={over} onClick={step} />
          <label class="speed">
            <span>Speed</span>
            <input
              type="range"
              min={1}
              max={12}
              value={speed}
              aria-valuetext={`${speed} moves a second`}
              onInput={(event) => onSpeed(Number(event.currentTarget.value))}
            />
          </label>
        </>
      )}
      {!reviewing && (
        <>
          <ToolButton icon="undo" name="Take back" keys="Z" disabled={!canUndo} onClick={undo} />
          {!watching && (
            <>
              <ToolButton icon="hint" name="Hint" keys="H" disabled={!canHint} onClick={hint} />
              <ToolButton icon="eye" name="Values" keys="V" pressed={open} onClick={show} />
            </>
          )}
          <ToolButton icon="reset" name="Restart" disabled={!canUndo} onClick={restart} />
        </>
      )}
      <KeysHelp keys={KEYS} />
    </fieldset>
  );
}
