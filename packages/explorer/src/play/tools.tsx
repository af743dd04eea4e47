import { ToolButton } from "../ui/button.js";
import { KeysHelp } from "../ui/keys-help.js";
import type { TableControl } from "./use-table.js";

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

/** The tools below the board. */
export function GameTools({ table }: { readonly table: TableControl }) {
  const { mode, state, control, moves, actions } = table;
  const { speed, open } = state;
  const { over } = control;
  const begun = control.game.plies.length > 0;
  const runs = state.running && !over;
  const [watching, reviewing] = [mode === "watch", mode === "review"];
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
              onInput={(event) => actions.setSpeed(Number(event.currentTarget.value))}
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
          <ToolButton
            icon="hint"
            name="Hint"
            keys="H"
            disabled={!control.yourTurn || over || moves.length === 0}
            onClick={actions.hint}
          />
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
