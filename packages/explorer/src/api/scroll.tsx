import type { ComponentChildren } from "preact";

/** A part that may be larger than its place, and can be scrolled with the keyboard too. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to take the focus for the keys to reach it
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
