import { useRef } from "preact/hooks";
import { ToolButton } from "./button.js";

/** A button that opens the list of keys. */
export function KeysHelp({ keys }: { readonly keys: readonly (readonly [string, string])[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <ToolButton icon="keys" name="Keys" onClick={() => dialog.current?.showModal()} />
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl class="keys">
          {keys.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                {key.split(" ").map((each) => (
                  <kbd key={each}>{each}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}
