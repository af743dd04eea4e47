import type { ShapeSummary } from "../data.js";
import { exploreAddress, firstSpot, playShapeAddress } from "../logic/address.js";
import { formatNumber, gameName } from "../logic/words.js";
import { startsAddress } from "../results/files.js";
import { Thumbnail } from "./board.js";

/** Says what the starts of a game are worth. */
function valuesOf({ lowest, highest, solved, starts, atLeast }: ShapeSummary): string {
  if (lowest === null || highest === null) {
    return atLeast > 0
      ? `at least ${formatNumber(atLeast)} points from every start; no start solved yet`
      : "no start solved yet";
  }
  const range =
    lowest === highest
      ? formatNumber(lowest)
      : `${formatNumber(lowest)} to ${formatNumber(highest)}`;
  return `${range} points${solved < starts ? `, ${solved} of ${starts} starts solved` : ""}`;
}

/** Some games, each as a card. */
export function GameCards({ games }: { readonly games: readonly ShapeSummary[] }) {
  return (
    <ul class="cards list">
      {games.map((game) => (
        <GameCard key={`${game.shape} ${game.tiles}`} game={game} />
      ))}
    </ul>
  );
}

/** A game: its first start, what its starts are worth, and the ways to it. */
function GameCard({ game }: { readonly game: ShapeSummary }) {
  const spot = firstSpot(game.shape, game.tiles);
  const name = gameName(game.shape, game.tiles);
  const starts = startsAddress(game);
  return (
    <li class="card">
      <Thumbnail board={spot.node.board} />
      <div>
        <h3>{name}</h3>
        <p>{valuesOf(game)}</p>
        {game.solved === game.starts && (
          <p class="note">
            solved{game.tabulated && ", every position tabulated"}:{" "}
            <a href={`${starts}#evidence`}>
              how<span class="hidden"> {name} was solved</span>
            </a>
          </p>
        )}
        <p class="ways row">
          <a href={starts}>
            All starts<span class="hidden"> of {name}</span>
          </a>
          <a href={exploreAddress(spot)}>
            Explore<span class="hidden"> {name}</span>
          </a>
          <a href={playShapeAddress(game)}>
            Play<span class="hidden"> {name}</span>
          </a>
        </p>
      </div>
    </li>
  );
}
