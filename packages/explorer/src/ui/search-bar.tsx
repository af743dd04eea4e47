/** A thin bar that shows the part of the search time that is spent; empty space at the end. */
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
