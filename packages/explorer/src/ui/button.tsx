import { Icon, type IconName } from "./icons.js";

/** A button with an icon and a name; the name is shown where there is room. */
export function ToolButton({
  icon,
  name,
  keys,
  disabled = false,
  pressed,
  onClick,
}: {
  readonly icon: IconName;
  readonly name: string;
  /** The key that does the same. */
  readonly keys?: string;
  readonly disabled?: boolean;
  /** True if it is on, for a button that stays on. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}) {
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
