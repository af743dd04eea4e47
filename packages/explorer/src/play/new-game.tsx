import { formatBoard, formatTiles, type Turn } from "@gridlock/game";
import type { PlayerSummary } from "../data.js";
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
  const choice = ({ name, summary }: PlayerSummary, explained: boolean) => (
    <label key={name}>
      <input type="radio" name={turn} value={name} checked={name === seats[turn]} />{" "}
      <b>{nameIn(name)}</b> {explained && <span>{summary}</span>}
    </label>
  );
  return (
    <fieldset class="seat">
      <legend>{turn === "slider" ? "Slider" : "Placer"}</legend>
      {main.map((player) => choice(player, true))}
      {codes.length > 0 && (
        <details open={codes.some(({ name }) => name === seats[turn])}>
          <summary>More: {codes.length} strategies of one paper</summary>
          <p class="note">{codes[0]?.summary}</p>
          <div class="row">{codes.map((player) => choice(player, false))}</div>
        </details>
      )}
    </fieldset>
  );
}
