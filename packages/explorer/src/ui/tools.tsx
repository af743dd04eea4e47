import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons.js";
import { type Keys, lettersAreKeys, setLettersAreKeys, useKeys } from "./use-keys.js";

/** Something that a button does, and a key. */
export interface Tool {
  readonly icon: IconName;
  readonly name: string;
  /** The key that does the same: `Z`, `Space`. */
  readonly keys?: string;
  /** What the key does, for the list of keys (default: the name). */
  readonly does?: string;
  readonly disabled?: boolean;
  /** True if it is on, for a button that stays on. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/** A button with an icon and a name; the name is shown where there is room. */
export function ToolButton({ icon, name, keys, disabled = false, pressed, onClick }: Tool) {
  return (
    <button
      type="button"
      class="tool"
      title={keys === undefined ? name : `${name} (${keys})`}
      aria-keyshortcuts={keys}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span class="tool-name">{name}</span>
    </button>
  );
}

/** The tools of a board: their buttons, their keys, and the list of all keys of the page. */
export function Tools({
  tools,
  keys,
  children,
}: {
  readonly tools: readonly Tool[];
  /** The other keys of the page, and what they do. */
  readonly keys: readonly (readonly [keys: string, does: string])[];
  readonly children?: ComponentChildren;
}) {
  const bound = tools.flatMap((tool) =>
    tool.keys === undefined ? [] : [[tool.keys, tool] as const],
  );
  useKeys(
    Object.fromEntries(
      bound.map(([key, { disabled, onClick }]): [string, Keys[string]] => [
        key === "Space" ? " " : key.toLowerCase(),
        () => !disabled && onClick(),
      ]),
    ),
  );
  return (
    <fieldset class="tools row">
      <legend class="hidden">Tools</legend>
      {tools.map((tool, i) => (
        <ToolButton key={i} {...tool} />
      ))}
      {children}
      <KeysHelp
        keys={[
          ...keys,
          ...bound.map(([key, { name, does = name.toLowerCase() }]) => [key, does] as const),
        ]}
      />
    </fieldset>
  );
}

/** A button that opens the list of keys. */
function KeysHelp({ keys }: { readonly keys: readonly (readonly [string, string])[] }) {
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
