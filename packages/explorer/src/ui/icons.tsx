/** Paths of the icons, on a grid of 24 by 24, drawn with strokes. */
const PATHS = {
  up: "M12 20V4M5 11l7-7 7 7",
  down: "M12 4v16M5 13l7 7 7-7",
  left: "M20 12H4M11 5l-7 7 7 7",
  right: "M4 12h16M13 5l7 7-7 7",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6v1",
  reset: "M4 5v5h5M4.6 10A8 8 0 1 1 4 14",
  mirror: "M12 3v18M8 7 3 17h5zM16 7l5 10h-5z",
  rotate: "M20 5v5h-5M19.4 10A8 8 0 1 0 20 14",
  turn: "M7 4v13M3 13l4 4 4-4M17 20V7M13 11l4-4 4 4",
  edit: "m4 20 1-5L16 4l4 4L9 19zM14 6l4 4",
  keys: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M7 14h10",
  hint: "M9 18h6M10 21h4M8.5 14.5a6 6 0 1 1 7 0V15h-7z",
  play: "M7 4v16l13-8z",
  pause: "M8 5v14M16 5v14",
  step: "M6 5v14l9-7zM18 5v14",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/**
 * An icon, by default in the size and the colour of the text around it. It says nothing by itself.
 */
export function Icon({
  name,
  class: look = "icon",
}: {
  readonly name: IconName;
  readonly class?: string;
}) {
  return (
    <svg class={look} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
