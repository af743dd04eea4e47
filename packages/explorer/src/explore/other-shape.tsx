import { GameError, parseShape } from "@gridlock/game";
import { useEffect, useState } from "preact/hooks";
import { firstAddress } from "../logic/address.js";

/** A form for any shape, solved or not. It needs scripts, since the shape is part of the address. */
export function OtherShape() {
  const [scripted, setScripted] = useState(false);
  const [error, setError] = useState("");
  useEffect(() => setScripted(true), []);
  if (!scripted) return null;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const shape = String(given.get("shape")).replaceAll("×", "x").replaceAll(" ", "");
    try {
      parseShape(shape);
      location.assign(firstAddress({ shape, tiles: given.get("twos") === null ? [2, 4] : [2] }));
    } catch (failure) {
      if (!(failure instanceof GameError)) throw failure;
      setError(failure.message);
    }
  };
  return (
    <details class="other-shape">
      <summary>Another shape</summary>
      <form onSubmit={submit}>
        <label>
          <span>Rows × columns</span>
          <input name="shape" placeholder="3x4" size={6} autocomplete="off" required />
        </label>
        <label class="check">
          <input type="checkbox" name="twos" /> 2s only
        </label>
        <button type="submit">Show</button>
        {error !== "" && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </form>
    </details>
  );
}
