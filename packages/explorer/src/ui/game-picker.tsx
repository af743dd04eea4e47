import { formatShape, normalShape, parseShape } from "@gridlock/game";
import type { ShapeSummary } from "../data.js";
import { gameName } from "../logic/words.js";

/** Links to the same page for other games. */
export function GamePicker({
  shapes,
  current,
  to,
}: {
  readonly shapes: readonly ShapeSummary[];
  readonly current: { readonly shape: string; readonly tiles: readonly number[] };
  /** Returns the address for a game. */
  readonly to: (game: ShapeSummary) => string;
}) {
  const normal = formatShape(normalShape(parseShape(current.shape)));
  const isCurrent = ({ shape, tiles }: ShapeSummary) =>
    shape === normal && tiles.length === current.tiles.length;
  return (
    <nav class="games row" aria-label="Games">
      {shapes.map((game) => (
        <a
          key={`${game.shape} ${game.tiles}`}
          href={to(game)}
          aria-current={isCurrent(game) ? "true" : undefined}
        >
          {gameName(game.shape, game.tiles)}
        </a>
      ))}
    </nav>
  );
}
