import { useContext } from "preact/hooks";
import { HostContext } from "../client/host.js";
import type { Confirmation } from "../data.js";
import { playAddress, readBoard, shareAddress, tilesOf } from "../logic/address.js";
import { boundOf } from "../logic/grade.js";
import { gameName, isUnknown } from "../logic/words.js";
import type { StartsPage } from "../page.js";
import { Thumbnail } from "../ui/board.js";
import { Heading } from "../ui/layout.js";
import { Line } from "../ui/line.js";
import { Points } from "../ui/worth.js";
import { addressOfFile } from "./files.js";

/** Every start of a shape: its value, and a line of best play with the board that it ends with. */
export function StartsView({ page }: { readonly page: StartsPage }) {
  const { shape, tiles, starts, madeBy, solvedBy } = page.table;
  const solved = starts.filter(({ value }) => value !== null).length;
  return (
    <>
      <Heading title={`All starts of ${gameName(shape, tiles)}`}>
        The points that the slider can force from each start, whatever the placer does: {solved} of{" "}
        {starts.length} solved. Starts that are images of each other count as one.
      </Heading>
      <ul class="cards list">
        {starts.map((start) => (
          <StartCard key={start.board} start={start} tiles={tiles} />
        ))}
      </ul>
      <section class="evidence" aria-labelledby="evidence">
        <h2 id="evidence">Where the values come from</h2>
        {madeBy && (
          <p>
            Made by <code>{madeBy}</code>. {solvedBy}
          </p>
        )}
        {page.confirmations.length > 0 && (
          <>
            <p>Confirmed apart from that run:</p>
            <ul>
              {page.confirmations.map((confirmation) => (
                <Evidence key={confirmation.kind} confirmation={confirmation} />
              ))}
            </ul>
          </>
        )}
        {!madeBy && <p>They are in the database that these pages show.</p>}
        {page.path !== null && (
          <p>
            The values as a file: <a href={`v1/files/${page.path}`}>{page.path}</a>
          </p>
        )}
      </section>
    </>
  );
}

/** What confirms the values, and how to repeat it. */
function Evidence({ confirmation }: { readonly confirmation: Confirmation }) {
  const { says, command, source, date } = confirmation;
  const address = addressOfFile(source);
  return (
    <li>
      {says}
      {date && ` On ${date}.`} To repeat it: <code>{command}</code>. Recorded in{" "}
      {address ? <a href={address}>{source}</a> : source}.
    </li>
  );
}

function StartCard({
  start,
  tiles,
}: {
  readonly start: StartsPage["table"]["starts"][number];
  readonly tiles: readonly number[];
}) {
  const spot = { node: readBoard(start.board, "slider"), tiles: tilesOf(tiles) };
  const bound = boundOf(start, spot.node.board);
  return (
    <li class="card">
      <Thumbnail board={spot.node.board} />
      <div>
        <h2>
          <Points bound={bound} />
          {!isUnknown(bound) && " points"}
        </h2>
        <p class="ways row">
          <a href={shareAddress(spot, useContext(HostContext))}>
            Explore<span class="hidden"> {start.board}</span>
          </a>
          <a href={playAddress(spot)}>
            Play<span class="hidden"> {start.board}</span>
          </a>
        </p>
      </div>
      <Line spot={spot} line={start.line ?? []} />
    </li>
  );
}
