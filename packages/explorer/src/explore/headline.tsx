import { isEnd, isExact, type Node } from "@gridlock/game";
import { useContext } from "preact/hooks";
import { HostContext } from "../client/host.js";
import type { Resource } from "../client/resource.js";
import type { Answer } from "../data.js";
import { playAddress, type Spot, shareAddress } from "../logic/address.js";
import { boundOf } from "../logic/grade.js";
import { formatNumber, isUnknown, literatureWords } from "../logic/words.js";
import { CopyLink } from "../ui/copy-link.js";
import { SearchBar } from "../ui/search-bar.js";
import { Points } from "../ui/worth.js";

/** A board's worth, in large figures and in words. */
export function Headline({
  spot,
  answer,
  source,
  searching,
  seconds,
  resource: { spent, again },
}: {
  readonly spot: Spot;
  readonly answer: Answer;
  /** The origin of the value, in words; absent while nothing is known. */
  readonly source: string | undefined;
  /** True while a search for a better answer goes on. */
  readonly searching: boolean;
  /** The most seconds that are searched. */
  readonly seconds: number;
  readonly resource: Resource<Answer>;
}) {
  const { node } = spot;
  const value = boundOf(answer, node.board);
  const over = node.turn === "slider" && isEnd(node.board);
  return (
    <div class="headline">
      <p class={source === undefined ? "value late" : "value"}>
        <strong>
          <Points bound={value} />
        </strong>{" "}
        {describe(over, isUnknown(value), node.turn)}
      </p>
      {!over && !isUnknown(value) && source !== undefined && (
        <p class="note source">Source: {source}.</p>
      )}
      {answer.literature && <p class="note source">Also {literatureWords(answer.literature)}.</p>}
      <SearchBar spent={spent} most={seconds} done={!searching} />
      {!isExact(value) && !searching && answer.unsearched !== undefined && (
        <p class="note">Not searched: {answer.unsearched}.</p>
      )}
      {!isExact(value) && !searching && spent > 0 && (
        <p class="note">
          {Number.isFinite(value.hi) ? "These are proven bounds" : "The value is not known"}; the
          search was too short for the value.{" "}
          <button type="button" onClick={again}>
            Search again
          </button>
        </p>
      )}
      {!isExact(value) && (
        <noscript>
          <p class="note">A search for the value needs JavaScript.</p>
        </noscript>
      )}
      {!over && typeof answer.expected === "number" && (
        <p class="note">
          In the ordinary game, where chance places tiles, {formatNumber(answer.expected)} points
          are to be expected.
        </p>
      )}
      {answer.reachable === false && <p class="note">No play from a start leads to this board.</p>}
      <p class="ways row">
        {!over && (
          <a class="button" href={playAddress(spot)}>
            Play from here
          </a>
        )}
        <CopyLink name="Copy link" address={shareAddress(spot, useContext(HostContext))} />
      </p>
    </div>
  );
}

/** Says what the value is of. */
function describe(over: boolean, unknown: boolean, turn: Node["turn"]): string {
  if (over) return "more points: no slide is left, the game is over";
  if (unknown) return `how many points are still to come, ${turn} to move`;
  return `points still to come, ${turn} to move`;
}
