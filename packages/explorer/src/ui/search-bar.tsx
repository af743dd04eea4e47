/** A thin bar that shows how much of the time for a board has been searched; empty space when the search is over. */
export function SearchBar({
  spent,
  most,
  done,
}: {
  /** Seconds. */
  readonly spent: number;
  readonly most: number;
  readonly done: boolean;
}) {
  return (
    <span class="search-bar">
      {!done && <progress aria-label="Search" max={most} value={spent} />}
    </span>
  );
}
