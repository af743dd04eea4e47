/** Text that screen readers speak when it changes. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p class="hidden" role="status" aria-live="polite" data-announcer>
      {text}
    </p>
  );
}
