/**
 * Colours for light and dark pages, except those of series and tiles, which are readable on both.
 */
export const LIGHT = { paper: "#ffffff", ink: "#1f2328", faint: "#d1d9e0" };
const DARK = { paper: "#0d1117", ink: "#e6edf3", faint: "#3d444d" };

/** A drawn chart or row of boards, and the name of its file without extension. */
export interface Picture {
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

/**
 * Completes an SVG that was drawn in light colours: gives it a title and a description, which
 * screen readers read aloud, and a style that switches to dark colours for readers who prefer them.
 */
export function completeSvg(svg: string, title: string, description: string): string {
  const rules = (["paper", "ink", "faint"] as const).map(
    (part) =>
      `[fill="${LIGHT[part]}"]{fill:${DARK[part]}}[stroke="${LIGHT[part]}"]{stroke:${DARK[part]}}`,
  );
  const head = [
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<style>@media (prefers-color-scheme:dark){${rules.join("")}}</style>`,
  ].join("");
  return svg.replace(
    /<svg([^>]*)>/,
    (_, attributes) => `<svg${attributes} role="img" aria-label="${escaped(title)}">${head}`,
  );
}

/** Returns a text as it is written in SVG, in elements and in attributes. */
export function escaped(content: string): string {
  return content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
