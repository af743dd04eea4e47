import { exploreAddress, firstAddress, firstSpot, readBoard, tilesOf } from "../logic/address.js";
import { gameName } from "../logic/words.js";
import type { ExplorePage } from "../page.js";
import { GamePicker } from "../ui/game-picker.js";
import { Heading } from "../ui/layout.js";
import { BoardForm } from "./board-form.js";
import { ExploreBoard } from "./explore-board.js";

/** The page that shows a board with the value of each move. */
export function ExploreView({ page }: { readonly page: ExplorePage }) {
  const heading = (
    <Heading title={`Explore ${gameName(page.shape, page.tiles)}`}>
      Every number is what the slider can still force from there, whatever the placer does.
    </Heading>
  );
  const picker = <GamePicker shapes={page.shapes} current={page} to={firstAddress} />;
  if (page.problem !== null) {
    return (
      <>
        {heading}
        <div class="trouble" role="alert">
          <p class="marked">{page.problem}</p>
          <BoardForm
            spot={firstSpot(page.shape, page.tiles)}
            text={page.board.replaceAll("_", " ")}
            onGo={(spot) => location.assign(exploreAddress(spot))}
          />
          <p>
            Or <a href={firstAddress(page)}>start from two tiles</a>.
          </p>
        </div>
        {picker}
      </>
    );
  }
  const node = readBoard(page.board, page.turn);
  return (
    <ExploreBoard
      first={{ node, tiles: tilesOf(page.tiles), notes: page.notes }}
      answer={page.answer}
      heading={heading}
    >
      {picker}
    </ExploreBoard>
  );
}
