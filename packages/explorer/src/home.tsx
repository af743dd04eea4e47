import { useMemo } from "preact/hooks";
import type { ShapeSummary } from "./data.js";
import { exploreAddress, playShapeAddress } from "./logic/address.js";
import { firstAddress, firstSpot } from "./logic/first.js";
import { formatNumber, gameName } from "./logic/words.js";
import type { HomePage } from "./page.js";
import { readSetting } from "./play/setting.js";
import { Table } from "./play/table.js";
import { Thumbnail } from "./ui/board.js";

/** The game on the start page. */
const GAME = { shape: "3x3", tiles: [2, 4] } as const;

/** The start page: a game against the perfect placer, the ways on, and what is solved. */
export function HomeView({ page }: { readonly page: HomePage }) {
  const setting = useMemo(() => {
    const players = { sliders: [], placers: [] };
    const known = page.shapes.find(
      ({ shape, tiles }) => shape === GAME.shape && tiles.length === GAME.tiles.length,
    );
    // The start page needs to know no more than whether anybody can play perfectly.
    const isSolved = known !== undefined && known.solved > 0;
    return { ...readSetting({ ...GAME, players, starts: [] }, ""), isSolved };
  }, [page]);
  const heading = (
    <>
      <h1>2048 against a perfect opponent</h1>
      <p>
        Slide the tiles: equal ones merge and score, and then your opponent puts a 2 or a 4 where it
        hurts you most.
      </p>
    </>
  );
  return (
    <>
      <Table setting={setting} heading={heading}>
        <details class="rules">
          <summary>The rules, and what is solved</summary>
          <p>
            Up, left, down or right: all tiles slide as far as they can. Two equal tiles that meet
            become one, and you score its number. The placer then fills any empty cell with a 2 or a
            4; nothing is left to chance. The game is over when no slide changes the board.
          </p>
          <p>
            Gridlock has solved this game exactly. “In all” shows the points that you will have if
            both sides play perfectly from here; whatever you do, you cannot get more unless the
            placer errs. The <a href="docs/glossary/">glossary</a> defines all terms.
          </p>
        </details>
        <noscript>
          <p class="trouble">Playing needs JavaScript. Explore works without it.</p>
        </noscript>
        <p class="ways">
          <a class="button" href={firstAddress(GAME)}>
            Explore every move
          </a>
          <a class="button quiet" href={playShapeAddress(GAME)}>
            Other starts and opponents
          </a>
        </p>
      </Table>
      <section class="solved" aria-labelledby="solved">
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
