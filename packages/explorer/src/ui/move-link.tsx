import type { ComponentChildren } from "preact";

interface Props {
  readonly href: string;
  readonly label?: string;
  readonly title?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  /** Makes the move; absent where the link is simply followed. */
  readonly onMove?: () => void;
  /** Shows what the move would lead to, or the board again. */
  readonly onPreview?: (shown: boolean) => void;
}

/** A link to the board after a move. A click without modifiers makes the move on this page. */
export function MoveLink({ href, label, title, class: name, children, onMove, onPreview }: Props) {
  const click = (event: MouseEvent) => {
    if (!onMove || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onMove();
  };
  // A link that appears below a mouse at rest is not meant by it.
  const move = (event: PointerEvent) => {
    const moved = event.movementX !== 0 || event.movementY !== 0;
    if (event.pointerType === "mouse" && moved) onPreview?.(true);
  };
  return (
    <a
      href={href}
      class={name}
      aria-label={label}
      title={title}
      onClick={click}
      onPointerMove={move}
      onPointerLeave={() => onPreview?.(false)}
      onFocus={(event) => onPreview?.(event.currentTarget.matches(":focus-visible"))}
      onBlur={() => onPreview?.(false)}
    >
      {children}
    </a>
  );
}
