import { formatBoard, formatShape, formatTiles, GameError } from "@gridlock/game";
import { useState } from "preact/hooks";
import { readEntered, type Spot } from "../logic/address.js";
import { useScripted } from "../ui/use-scripted.js";

/** Lines of the field for a board of few rows. */
const LINES = 3;

/**
 * A form for a board as text, in any format that Gridlock reads, or for a shape. Without scripts,
 * the server reads it, a board alone. Enter submits it, Shift+Enter begins a line.
 */
export function BoardForm({
  spot,
  text = formatBoard(spot.node.board),
  onGo,
}: {
  readonly spot: Spot;
  /** The text to begin with, where it is not the board's. */
  readonly text?: string;
  readonly onGo: (spot: Spot) => void;
}) {
  const { node, tiles, notes = [] } = spot;
  const fresh = { of: text, text, error: "" };
  const [draft, setDraft] = useState(fresh);
  const shown = draft.of === text ? draft : fresh;
  const scripted = useScripted();

  const submit = (event: Event) => {
    event.preventDefault();
    try {
      const read = readEntered(shown.text, node);
      const next = formatBoard(read.node.board);
      setDraft({ of: next, text: next, error: "" });
      onGo({ ...read, tiles });
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      setDraft({ ...fresh, text: shown.text, error: error.message });
    }
  };
  const error = shown.error !== "";
  return (
    <form class="board-form" action={`explore/${formatShape(node.board)}/`} onSubmit={submit}>
      <label>
        <span>
          Board, row by row,{" "}
          {scripted ? "or a shape such as 3x4" : "and placer if the placer moves"}
        </span>
        <textarea
          name="board"
          rows={Math.max(LINES, node.board.rows)}
          value={shown.text}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={error}
          aria-describedby={error ? "board-error" : undefined}
          onInput={(event) => setDraft({ ...fresh, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      <input type="hidden" name="tiles" value={formatTiles(tiles)} />
      <button type="submit">Show</button>
      {error && (
        <p id="board-error" class="error" role="alert">
          {shown.error}
        </p>
      )}
      {notes.length > 0 && (
        <p class="note" role="status">
          {notes.join(". ")}
        </p>
      )}
    </form>
  );
}
