import { formatTiles, type Turn } from "@gridlock/game";
import { boardInAddress, readBoard, tilesOf } from "../logic/address.js";
import { boundOf } from "../logic/grade.js";
import { formatBound } from "../logic/words.js";
import type { PlayPage } from "../page.js";
import { candidates, isStrongest, nameIn, type Seats, STRONGEST } from "./seats.js";

/** A form for the next game: who plays, and from which start. */
export function NewGame({
  page,
  seats,
  isSolved,
  board,
}: {
  readonly page: PlayPage;
  readonly seats: Seats;
  readonly isSolved: boolean;
  /** The board of the game on the screen, as text. */
  readonly board: string;
}) {
  const { starts } = page;
  const drawStart = (event: SubmitEvent) => {
    const select = (event.currentTarget as HTMLFormElement).elements.namedItem("board");
    if (!(select instanceof HTMLSelectElement) || select.value !== "random") return;
    const start = starts[Math.floor(Math.random() * starts.length)];
    if (start) select.value = inAddress(start.board);
  };
  const known = starts.some((start) => start.board === board);
  return (
    <form class="new-game" action={`play/${page.shape}/`} onSubmit={drawStart}>
      <Seat turn="slider" {...{ page, seats, isSolved }} />
      <Seat turn="placer" {...{ page, seats, isSolved }} />
      <label>
        <span>Start</span>
        <select name="board">
          <option value="random">a random start</option>
          {!known && (
            <option value={inAddress(board)} selected>
              {board}
            </option>
          )}
          {starts.map((start) => (
            <option
              key={start.board}
              value={inAddress(start.board)}
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

function inAddress(board: string): string {
  return boardInAddress(readBoard(board).board);
}

/** Chooses who takes a side. */
function Seat({
  turn,
  page,
  seats,
  isSolved,
}: {
  readonly turn: Turn;
  readonly page: PlayPage;
  readonly seats: Seats;
  readonly isSolved: boolean;
}) {
  return (
    <label>
      <span>{turn === "slider" ? "Slider" : "Placer"}</span>
      <select name={turn}>
        {candidates(turn, page.players).map(({ name, summary }) => (
          <option
            key={name}
            value={name}
            title={isStrongest(name, isSolved) ? STRONGEST : summary}
            selected={name === seats[turn]}
          >
            {nameIn(name, isSolved)}
          </option>
        ))}
      </select>
    </label>
  );
}
