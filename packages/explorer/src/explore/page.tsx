import { GameError, parseShape } from "@gridlock/game";
import { useState } from "preact/hooks";
import { exploreAddress, firstAddress, firstSpot, readBoard, tilesOf } from "../logic/address.js";
import { gameName } from "../logic/words.js";
import type { ExplorePage } from "../page.js";
import { GamePicker } from "../ui/game-picker.js";
import { Heading } from "../ui/layout.js";
import { useScripted } from "../ui/use-scripted.js";
import { BoardForm } from "./board-form.js";
import { ExploreBoard } from "./explore-board.js";

/** The page that shows a board with the value of each move. */
export function ExploreView({ page }: { readonly page: ExplorePage }) {
  return (
    <>
      <Heading title={`Explore ${gameName(page.shape, page.tiles)}`}>
        Every number is what the slider can still force from there, whatever the placer does.
      </Heading>
      <div class="shapes row">
        <GamePicker shapes={page.shapes} current={page} to={firstAddress} />
        <OtherShape />
      </div>
      {page.problem !== null ? (
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
      ) : (
        <ExploreBoard
          first={{
            node: readBoard(page.board, page.turn),
            tiles: tilesOf(page.tiles),
            notes: page.notes,
          }}
          answer={page.answer}
        />
      )}
    </>
  );
}

/** A form for any shape, solved or not. It needs scripts: the shape is part of the address. */
function OtherShape() {
  const scripted = useScripted();
  const [error, setError] = useState("");
  if (!scripted) return null;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const shape = String(given.get("shape")).replaceAll("×", "x").replaceAll(" ", "");
    try {
      parseShape(shape);
      location.assign(firstAddress({ shape, tiles: given.get("twos") === null ? [2, 4] : [2] }));
    } catch (failure) {
      if (!(failure instanceof GameError)) throw failure;
      setError(failure.message);
    }
  };
  return (
    <details class="other-shape">
      <summary>Another shape</summary>
      <form onSubmit={submit}>
        <label>
          <span>Rows × columns</span>
          <input name="shape" placeholder="3x4" size={6} autocomplete="off" required />
        </label>
        <label class="check">
          <input type="checkbox" name="twos" /> 2s only
        </label>
        <button type="submit">Show</button>
        {error !== "" && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </form>
    </details>
  );
}
