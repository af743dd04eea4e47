import { formatBoard, formatTiles, type Turn } from "@gridlock/game";
import { readBoard, tilesOf } from "../logic/address.js";
import { boundOf } from "../logic/grade.js";
import { formatBound } from "../logic/words.js";
import type { PlayPage } from "../page.js";
import { rememberGame } from "./memory.js";
import { candidates, nameIn } from "./seats.js";
import type { Setting } from "./setting.js";

/** A form for the next game: who plays, and from which start. */
export function NewGame({ page, setting }: { readonly page: PlayPage; readonly setting: Setting }) {
  const { starts } = page;
  const { game } = setting;
  const board = formatBoard(game.start.board);
  const begin = (event: SubmitEvent) => {
    const form = event.currentTarget as HTMLFormElement;
    const chosen = new FormData(form);
    const seats = { slider: `${chosen.get("slider")}`, placer: `${chosen.get("placer")}` };
    rememberGame({ ...game, plies: [] }, seats);
    const select = form.elements.namedItem("board");
    if (!(select instanceof HTMLSelectElement) || select.value !== "random") return;
    const start = starts[Math.floor(Math.random() * starts.length)];
    if (start) select.value = start.board.replaceAll(" ", "_");
  };
  const known = starts.some((start) => start.board === board);
  return (
    <form class="new-game" action={`play/${page.shape}/`} onSubmit={begin}>
      <h2>New game</h2>
      <Seat turn="slider" {...{ page, setting }} />
      <Seat turn="placer" {...{ page, setting }} />
      <label>
        <span>Start</span>
        <select name="board">
          <option value="random">a random start</option>
          {!known && (
            <option value={board.replaceAll(" ", "_")} selected>
              {board}
            </option>
          )}
          {starts.map((start) => (
            <option
              key={start.board}
              value={start.board.replaceAll(" ", "_")}
              selected={start.board === board}
            >
              {start.board}: {formatBound(boundOf(start, readBoard(start.board).board))}
            </option>
          ))}
        </select>
      </label>
      <input type="hidden" name="tiles" value={formatTiles(tilesOf(page.tiles))} />
      <button type="submit" class="button">
        New game
      </button>
    </form>
  );
}

/** Chooses who takes a side. */
function Seat({
  turn,
  page,
  setting: { seats },
}: {
  readonly turn: Turn;
  readonly page: PlayPage;
  readonly setting: Setting;
}) {
  const { main, codes } = candidates(turn, page.players);
  const option = (name: string, words: string) => (
    <option key={name} value={name} selected={name === seats[turn]}>
      {words}
    </option>
  );
  return (
    <label>
      <span>{turn === "slider" ? "Slider" : "Placer"}</span>
      <select name={turn}>
        {main.map(({ name, summary }) => option(name, `${nameIn(name)}: ${summary}`))}
        {codes.length > 0 && (
          <optgroup label={`Strategies of one paper: ${codes[0]?.summary}`}>
            {codes.map(({ name }) => option(name, name))}
          </optgroup>
        )}
      </select>
    </label>
  );
}
