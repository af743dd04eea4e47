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

/** The state of a game that its tools show, and what they do. */
interface Props {
  /** True if programs play both sides. */
  readonly watching: boolean;
  /** True if the game is one to look at. */
  readonly reviewing: boolean;
  readonly over: boolean;
  /** True if a move has been made. */
  readonly begun: boolean;
  readonly running: boolean;
  readonly speed: number;
  readonly canHint: boolean;
  /** True if the moves' values are shown. */
  readonly open: boolean;
  readonly onSpeed: (speed: number) => void;
  readonly actions: Readonly<
    Record<"undo" | "restart" | "hint" | "open" | "run" | "step", () => unknown>
  >;
}

/** The tools below the board. */
export function GameTools({ watching, reviewing, over, begun, running, ...props }: Props) {
  const { speed, canHint, open, onSpeed, actions } = props;
  const runs = running && !over;
  return (
    <fieldset class="tools row">
      <legend class="hidden">Game tools</legend>
      {watching && (
        <>
          <ToolButton
            icon={runs ? "pause" : "play"}
            name={runs ? "Pause" : "Run"}
            keys="Space"
            disabled={over}
            onClick={actions.run}
          />
          <ToolButton icon="step" name="One move" keys="N" disabled={over} onClick={actions.step} />
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
        <ToolButton
          icon="undo"
          name="Take back"
          keys="Z"
          disabled={!begun}
          onClick={actions.undo}
        />
      )}
      {!reviewing && !watching && (
        <>
          <ToolButton icon="hint" name="Hint" keys="H" disabled={!canHint} onClick={actions.hint} />
          <ToolButton icon="eye" name="Values" keys="V" pressed={open} onClick={actions.open} />
        </>
      )}
      {!reviewing && (
        <ToolButton icon="reset" name="Restart" disabled={!begun} onClick={actions.restart} />
      )}
      <KeysHelp keys={KEYS} />
    </fieldset>
  );
}
