import type { ShapeSummary } from "./data.js";
import { exploreAddress, playShapeAddress } from "./logic/address.js";
import { firstAddress, firstSpot } from "./logic/first.js";
import { formatNumber, gameName } from "./logic/words.js";
import type { HomePage } from "./page.js";
import { Thumbnail } from "./ui/board.js";

/** The start page: what this is about, the ways in, and what is solved. */
export function HomeView({ page }: { readonly page: HomePage }) {
  return (
    <>
      <section class="hero">
        <h1>What score can you force in 2048, whatever tile lands next?</h1>
        <p>
          In adversarial 2048 one player slides the board to score; the other places each new 2 or 4
          in the worst cell it can find. Gridlock has solved the game exactly: from every start of
          the solved boards below it knows the points that a perfect slider can force, and no slider
          can force more.
        </p>
        <p class="ways">
          <a class="button" href="play/3x3/">
            Play against the perfect placer
          </a>
          <a class="button quiet" href={firstAddress({ shape: "3x3", tiles: [2, 4] })}>
            Explore 3×3
          </a>
        </p>
      </section>
      <section aria-labelledby="solved">
        <h2 id="solved">Boards</h2>
        <ul class="cards">
          {page.shapes.map((game) => (
            <GameCard key={`${game.shape} ${game.tiles}`} game={game} />
          ))}
        </ul>
      </section>
    </>
  );
}

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

function GameCard({ game }: { readonly game: ShapeSummary }) {
  const spot = firstSpot(game.shape, game.tiles);
  return (
    <li class="card">
      <Thumbnail board={spot.node.board} />
      <div>
        <h3>{gameName(game.shape, game.tiles)}</h3>
        <p>{valuesOf(game)}</p>
        {game.tabulated && <p class="note">every position tabulated</p>}
        {game.published !== null && <p class="note">published in {game.published}</p>}
        <p class="ways">
          <a href={exploreAddress(spot)}>
            Explore<span class="hidden"> {gameName(game.shape, game.tiles)}</span>
          </a>
          <a href={playShapeAddress(game)}>
            Play<span class="hidden"> {gameName(game.shape, game.tiles)}</span>
          </a>
        </p>
      </div>
    </li>
  );
}
