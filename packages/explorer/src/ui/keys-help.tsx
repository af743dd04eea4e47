import { useEffect, useRef, useState } from "preact/hooks";
import { ToolButton } from "./tools.js";
import { lettersAreKeys, setLettersAreKeys } from "./use-keys.js";

/** A button that opens the list of keys. */
export function KeysHelp({ keys }: { readonly keys: readonly (readonly [string, string])[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [letters, setLetters] = useState(true);
  useEffect(() => setLetters(lettersAreKeys()), []);
  return (
    <div class="with-keys">
      <ToolButton icon="keys" name="Keys" onClick={() => dialog.current?.showModal()} />
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <table>
          <tbody>
            {keys.map(([key, meaning]) => (
              <tr key={key}>
                <th scope="row">
                  {key.split(" ").map((each) => (
                    <kbd key={each}>{each}</kbd>
                  ))}
                </th>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          <label>
            <input
              type="checkbox"
              checked={letters}
              onChange={(event) => {
                setLettersAreKeys(event.currentTarget.checked);
                setLetters(event.currentTarget.checked);
              }}
            />{" "}
            Letters and digits are keys
          </label>
        </p>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </div>
  );
}
