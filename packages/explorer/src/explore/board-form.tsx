import { formatBoard, formatShape, formatTiles, GameError, type Node } from "@gridlock/game";
import { useEffect, useState } from "preact/hooks";
import { readBoard, type Spot } from "../logic/address.js";

/** A form for a board as text. Without scripts, the server reads it. */
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
  const { node, tiles } = spot;
  const [draft, setDraft] = useState({ of: text, text, error: "" });
  const shown = draft.of === text ? draft : { of: text, text, error: "" };
  const [scripted, setScripted] = useState(false);
  useEffect(() => setScripted(true), []);

  const submit = (event: Event) => {
    event.preventDefault();
    let next: Node;
    try {
      const given = readBoard(shown.text);
      next = given.turn === "placer" ? given : readBoard(shown.text, node.turn);
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      setDraft({ ...shown, error: error.message });
      return;
    }
    setDraft({ of: formatBoard(next.board), text: formatBoard(next.board), error: "" });
    onGo({ node: next, tiles });
  };
  const error = shown.error !== "";
  return (
    <form class="board-form" action={`/explore/${formatShape(node.board)}`} onSubmit={submit}>
      <label>
        <span>Board, row by row</span>
        <input
          name="board"
          value={shown.text}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={error}
          aria-describedby={error ? "board-error" : undefined}
          onInput={(event) => setDraft({ of: text, text: event.currentTarget.value, error: "" })}
        />
      </label>
      {!scripted && (
        <label>
          <span>Who moves</span>
          <select name="turn">
            {(["slider", "placer"] as const).map((turn) => (
              <option key={turn} value={turn} selected={turn === node.turn}>
                {turn}
              </option>
            ))}
          </select>
        </label>
      )}
      <input type="hidden" name="tiles" value={formatTiles(tiles)} />
      <button type="submit">Show</button>
      {error && (
        <p id="board-error" class="error" role="alert">
          {shown.error}
        </p>
      )}
    </form>
  );
}
