import type { Turn } from "@gridlock/game";
import { ToolButton } from "../ui/button.js";
import { KeysHelp } from "../ui/keys-help.js";

/** The keys of the page, and what they do. */
const KEYS = [
  ["↑ ← ↓ →", "slide (or W A S D)"],
  ["Space", "make the best move"],
  ["Z", "undo"],
  ["Y", "redo"],
  ["M", "mirror"],
  ["R", "rotate"],
  ["T", "change who moves"],
  ["E", "set tiles, or stop"],
  ["+ −", "while setting tiles: raise or lower a tile; 0 empties the cell, arrows move"],
] as const;

/** The buttons above the board. */
export function ExploreTools({
  actions,
  editing,
  turn,
  canUndo,
  canRedo,
  canPlace,
}: {
  readonly actions: Readonly<
    Record<"undo" | "redo" | "reset" | "mirror" | "rotate" | "edit" | "switchTurn", () => unknown>
  >;
  readonly editing: boolean;
  readonly turn: Turn;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** True if there is an empty cell, so that the placer may move. */
  readonly canPlace: boolean;
}) {
  return (
    <fieldset class="tools row">
      <legend class="hidden">Board tools</legend>
      <ToolButton icon="undo" name="Undo" keys="Z" disabled={!canUndo} onClick={actions.undo} />
      <ToolButton icon="redo" name="Redo" keys="Y" disabled={!canRedo} onClick={actions.redo} />
      <ToolButton icon="reset" name="Reset" onClick={actions.reset} />
      <ToolButton icon="mirror" name="Mirror" keys="M" onClick={actions.mirror} />
      <ToolButton icon="rotate" name="Rotate" keys="R" onClick={actions.rotate} />
      <ToolButton icon="edit" name="Set tiles" keys="E" pressed={editing} onClick={actions.edit} />
      <button
        type="button"
        class="turn"
        title="Change who moves (T)"
        aria-keyshortcuts="T"
        disabled={turn === "slider" && !canPlace}
        onClick={actions.switchTurn}
      >
        <span class="hidden">Who moves: </span>
        <span class={turn === "slider" ? "on" : ""}>Slider</span>
        <span class={turn === "placer" ? "on" : ""}>Placer</span>
        <span class="hidden">{turn} now</span>
      </button>
      <KeysHelp keys={KEYS} />
    </fieldset>
  );
}
