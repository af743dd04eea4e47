import type { Bound } from "@gridlock/game";
import { useContext } from "preact/hooks";
import { HostContext } from "../client/host.js";
import type { Confirmation } from "../data.js";
import { exploreAddress, playAddress, readBoard, shareAddress, tilesOf } from "../logic/address.js";
import { boundOf } from "../logic/grade.js";
import { formatBound, gameName, isUnknown } from "../logic/words.js";
import type { StartsPage } from "../page.js";
import { Thumbnail } from "../ui/board.js";
import { Heading } from "../ui/layout.js";
import { Line } from "../ui/line.js";
import { Points } from "../ui/worth.js";
import { addressOfFile } from "./files.js";

type Start = StartsPage["table"]["starts"][number];

/** Every start of a shape: its value, and a line of best play with the board that it ends with. */
export function StartsView({ page }: { readonly page: StartsPage }) {
  const { shape, tiles, starts, madeBy, solvedBy } = page.table;
  const solved = starts.filter(({ value }) => value !== null).length;
  // Nothing is known of the starts but intervals, which many share.
  const isPlain = starts.length > 1 && solved === 0;
  return (
    <>
      <Heading title={`All starts of ${gameName(shape, tiles)}`}>
        The points that the slider can force from each start, whatever the placer does: {solved} of{" "}
        {starts.length} solved. Starts that are images of each other count as one.
      </Heading>
      {isPlain ? (
        groupsOf(starts).map((group) => (
          <StartGroup key={group[0]?.board} starts={group} tiles={tiles} />
        ))
      ) : (
        <ul class="starts list">
          {starts.map((start) => (
            <StartCard key={start.board} start={start} tiles={tiles} />
          ))}
        </ul>
      )}
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

/** Puts starts together of which the same is known besides the rules. */
function groupsOf(starts: readonly Start[]): (readonly Start[])[] {
  const groups = new Map<string, Start[]>();
  for (const start of starts) {
    const key = formatBound(boundOfStart(start));
    groups.set(key, [...(groups.get(key) ?? []), start]);
  }
  return [...groups.values()];
}

function boundOfStart({ board, lo, hi }: Start): Bound {
  return boundOf({ lo, hi: hi ?? Number.POSITIVE_INFINITY }, readBoard(board).board);
}

/** Starts with the same interval: it is said once, above the boards. */
function StartGroup({
  starts,
  tiles,
}: {
  readonly starts: readonly Start[];
  readonly tiles: readonly number[];
}) {
  const [first] = starts;
  if (first === undefined) return null;
  const bound = boundOfStart(first);
  const name = starts.length === 1 ? "1 start" : `${starts.length} starts`;
  return (
    <section>
      <h2>
        <Points bound={bound} /> points: {name}
      </h2>
      <ul class="start-boards list row">
        {starts.map((start) => {
          const spot = { node: readBoard(start.board, "slider"), tiles: tilesOf(tiles) };
          return (
            <li key={start.board}>
              <a href={exploreAddress(spot)}>
                <Thumbnail board={spot.node.board} />
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function StartCard({ start, tiles }: { readonly start: Start; readonly tiles: readonly number[] }) {
  const spot = { node: readBoard(start.board, "slider"), tiles: tilesOf(tiles) };
  const bound = boundOfStart(start);
  return (
    <li>
      <a class="start-link row" href={shareAddress(spot, useContext(HostContext))}>
        <Thumbnail board={spot.node.board} />
        <span class="start-value">
          <b>
            <Points bound={bound} />
          </b>
          {!isUnknown(bound) && " points"}
        </span>
      </a>
      <a href={playAddress(spot)}>Play</a>
      <Line spot={spot} line={start.line ?? []} />
    </li>
  );
}
