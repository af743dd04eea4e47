import type { ComponentChildren } from "preact";

interface Props {
  /** `undefined` if the move is illegal. */
  readonly href: string | undefined;
  readonly label?: string | undefined;
  readonly class?: string;
  readonly children: ComponentChildren;
  /** Makes the move; absent where the link is simply followed. */
  readonly onMove?: () => void;
  /** Shows what the move would lead to, or the board again. */
  readonly onPreview?: (shown: boolean) => void;
  /** Returns whether a key does something. */
  readonly onKey?: ((key: string) => boolean) | undefined;
}

/** A link to the board after a move. A click without modifiers makes the move on this page. */
export function MoveLink({ href, label, class: name, children, onMove, onPreview, onKey }: Props) {
  const click = (event: MouseEvent) => {
    if (!onMove || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onMove();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === " " && onMove) onMove();
    else if (!onKey?.(event.key)) return;
    event.preventDefault();
  };
  // A link that appears below a mouse at rest is not meant by it.
  const move = (event: PointerEvent) => {
    const moved = event.movementX !== 0 || event.movementY !== 0;
    if (event.pointerType === "mouse" && moved) onPreview?.(true);
  };
  return (
    <a
      href={href as string}
      class={name}
      aria-label={label}
      role={href === undefined ? "link" : undefined}
      tabIndex={0}
      aria-disabled={href === undefined ? true : undefined}
      onClick={click}
      onKeyDown={press}
      onPointerMove={move}
      onPointerLeave={() => onPreview?.(false)}
      onFocus={(event) => onPreview?.(event.currentTarget.matches(":focus-visible"))}
      onBlur={() => onPreview?.(false)}
    >
      {children}
    </a>
  );
}
