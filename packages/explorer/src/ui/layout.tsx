import type { ComponentChildren } from "preact";
import type { Failure } from "../client/resource.js";
import type { Host } from "../page.js";
import { ThemeButton } from "./theme.js";

const SECTIONS = [
  ["explore/3x3/", "Explore", "explore"],
  ["play/3x3/", "Play", "play"],
  ["results/", "Results", "results"],
  ["runs/", "Runs", "runs"],
  ["docs/", "Docs", "docs"],
] as const;

/** The sections of the pages, the current one marked. */
export type Section = (typeof SECTIONS)[number][2] | "home";

/** The bar at the head of every page. */
export function TopBar({
  section,
  host,
}: {
  readonly section: Section | undefined;
  readonly host: Host;
}) {
  // A site has no runs.
  const sections = SECTIONS.filter(([, , name]) => host.kind === "server" || name !== "runs");
  return (
    <div class="bar">
      <a
        class="brand"
        href="./"
        aria-label="Gridlock"
        aria-current={section === "home" ? "page" : undefined}
      >
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
          <path d="M4 4h11v11H4zM17 4h11v11H17zM4 17h11v11H4z" />
          <path class="accent" d="M17 17h11v11H17z" />
        </svg>
        <span class="brand-name">Gridlock</span>
      </a>
      <nav class="row" aria-label="Sections">
        {sections.map(([href, title, name]) => (
          <a key={name} href={href} aria-current={name === section ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <ThemeButton />
    </div>
  );
}

/** A title with a line of explanation below it. */
export function Heading({
  title,
  children,
}: {
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="heading">
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </header>
  );
}

/** Text that screen readers speak when it changes. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p class="hidden" role="status" aria-live="polite" data-announcer>
      {text}
    </p>
  );
}

/** Says why nothing came from the server, and when it is asked again. */
export function Trouble({ failure }: { readonly failure: Failure }) {
  const { message, retryInSeconds, retry } = failure;
  return (
    <div class="trouble" role="alert">
      <p>
        {message}
        {retryInSeconds !== undefined && ` It is asked again after ${retryInSeconds} s.`}
      </p>
      <button type="button" onClick={retry}>
        Try now
      </button>
    </div>
  );
}
