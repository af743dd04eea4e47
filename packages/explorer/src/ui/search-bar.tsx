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
  const said = `Searching for ${Math.floor(spent)} s of at most ${most} s`;
  return (
    <div class="search-bar">
      {!done && <progress aria-label="Search" title={said} max={most} value={spent} />}
    </div>
  );
}
