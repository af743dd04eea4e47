import type { Bound } from "@gridlock/game";
import { shift } from "../logic/grade.js";
import { formatGiven } from "../logic/words.js";
import { Points } from "../ui/worth.js";
import { earnedIn, type Game, givenBy } from "./game.js";
import type { Seats } from "./seats.js";

/** What the reader has given away. */
const YOURS = { slider: "Your mistakes have cost", placer: "You have given the slider" };

interface Props {
  readonly game: Game;
  readonly seats: Seats;
  /** Points still to come; `undefined` while they are not known. */
  readonly toCome: Bound | undefined;
}

/** The score above the board: the points earned, the game's worth in all, and the reader's best. */
export function Score({
  game,
  toCome,
  best,
}: Omit<Props, "seats"> & {
  /** The reader's best score; `null` before the first one, `undefined` if a game does not count. */
  readonly best: number | null | undefined;
}) {
  const earned = earnedIn(game);
  const rows: readonly (readonly [string, Bound | undefined])[] = [
    ["Points so far", { lo: earned, hi: earned }],
    ["In all", toCome && shift(toCome, earned)],
  ];
  return (
    <dl class="figures row">
      {rows.map(([name, bound]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{bound === undefined ? "…" : <Points bound={bound} />}</dd>
        </div>
      ))}
      {best !== undefined && (
        <div>
          <dt>Your best</dt>
          <dd>{best === null ? "–" : <Points bound={{ lo: best, hi: best }} />}</dd>
        </div>
      )}
    </dl>
  );
}

/** The account beside the board: what each side has given away, and what is still to come. */
export function Account({ game, seats, toCome }: Props) {
  return (
    <dl class="given">
      {(["slider", "placer"] as const).map((turn) => (
        <div key={turn}>
          <dt>{seats[turn] === "you" ? YOURS[turn] : `The ${turn} has given away`}</dt>
          <dd>{formatGiven(givenBy(game, turn))}</dd>
        </div>
      ))}
      <div>
        <dt>Still to come</dt>
        <dd>{toCome === undefined ? "…" : <Points bound={toCome} />}</dd>
      </div>
    </dl>
  );
}
