import { type Tool, Tools } from "../ui/tools.js";
import type { TableControl } from "./use-table.js";

const PLAY_KEYS = [
  ["↑ ← ↓ →", "slide (or W A S D); when placing: go from cell to cell"],
  ["2 4", "when placing: put that tile into the cell"],
  ["← →", "after the game: step through it"],
  ["Home End", "after the game: first board, last board"],
] as const;

/** The tools below the board. */
export function GameTools({ table }: { readonly table: TableControl }) {
  const { mode, state, actions } = table;
  return (
    <Tools tools={toolsOf(table)} keys={PLAY_KEYS}>
      {mode === "watch" && (
        <label class="speed">
          <span>Speed</span>
          <input
            type="range"
            min={1}
            max={12}
            value={state.speed}
            aria-valuetext={`${state.speed} moves a second`}
            onInput={(event) => actions.setSpeed(Number(event.currentTarget.value))}
          />
        </label>
      )}
    </Tools>
  );
}

/** Lists the tools for the use of a table. */
function toolsOf({ mode, state, control, phase, moves, actions }: TableControl): Tool[] {
  if (mode === "review") return [];
  const { over } = control;
  const none = control.game.plies.length === 0;
  const undo: Tool = {
    icon: "undo",
    name: "Take back",
    keys: "Z",
    disabled: none,
    onClick: actions.undo,
  };
  const restart: Tool = {
    icon: "reset",
    name: "Restart",
    disabled: none,
    onClick: actions.restart,
  };
  if (mode === "watch") {
    const [icon, name] =
      state.running && !over ? (["pause", "Pause"] as const) : (["play", "Run"] as const);
    return [
      { icon, name, keys: "Space", disabled: over, onClick: actions.run },
      { icon: "step", name: "One move", keys: "N", disabled: over, onClick: actions.step },
      undo,
      restart,
    ];
  }
  const canHint = phase.kind === "your turn" && moves.length > 0;
  return [
    undo,
    { icon: "hint", name: "Hint", keys: "H", disabled: !canHint, onClick: actions.hint },
    {
      icon: "eye",
      name: "Values",
      keys: "V",
      does: "show or hide the moves' values",
      pressed: state.open,
      onClick: actions.open,
    },
    restart,
  ];
}
