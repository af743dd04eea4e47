import type { Bound } from "@gridlock/game";
import { shift } from "../logic/grade.js";
import { formatGiven } from "../logic/words.js";
import { Points } from "../ui/worth.js";
import { earnedIn, type Game, givenBy } from "./game.js";
import type { Seats } from "./seats.js";

/** What the reader has given away. */
const YOURS = { slider: "Your mistakes have cost", placer: "You have given the slider" };

/** The account of a game: earned, still to come, and what each side has given away. */
export function ScorePanel({
  game,
  seats,
  toCome,
}: {
  readonly game: Game;
  readonly seats: Seats;
  /** Points still to come; `undefined` while they are not known. */
  readonly toCome: Bound | undefined;
}) {
  const earned = earnedIn(game);
  const rows: readonly (readonly [string, Bound | undefined])[] = [
    ["Points so far", { lo: earned, hi: earned }],
    ["Still to come", toCome],
    ["In all", toCome && shift(toCome, earned)],
  ];
  return (
    <div class="score">
      <dl class="figures">
        {rows.map(([name, bound]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{bound === undefined ? "…" : <Points bound={bound} />}</dd>
          </div>
        ))}
      </dl>
      <dl class="given">
        {(["slider", "placer"] as const).map((turn) => (
          <div key={turn}>
            <dt>{seats[turn] === "you" ? YOURS[turn] : `The ${turn} has given away`}</dt>
            <dd>{formatGiven(givenBy(game, turn))}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
