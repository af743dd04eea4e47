import type { Bound } from "@gridlock/game";
import { shift } from "../logic/grade.js";
import { formatGiven } from "../logic/words.js";
import { Figures } from "../ui/figures.js";
import { Points } from "../ui/worth.js";
import { earnedIn, type Game, givenBy } from "./game.js";
import type { Seats } from "./seats.js";

/** What the reader has given away. */
const YOURS = { slider: "Your mistakes have cost", placer: "You have given the slider" };

/** The score above the board: the points earned, the game's worth in all, and the reader's best. */
export function Score({
  game,
  toCome,
  best,
}: {
  readonly game: Game;
  /** Points still to come; `undefined` while they are not known. */
  readonly toCome: Bound | undefined;
  /** The reader's best score; `null` before the first one, `undefined` if a game does not count. */
  readonly best: number | null | undefined;
}) {
  const earned = earnedIn(game);
  const exactly = (points: number) => <Points bound={{ lo: points, hi: points }} />;
  const inAll = toCome ? <Points bound={shift(toCome, earned)} /> : "…";
  return (
    <Figures
      rows={[
        ["Points so far", exactly(earned)],
        ["In all", inAll],
        ...(best === undefined
          ? []
          : [["Your best", best === null ? "–" : exactly(best)] as const]),
      ]}
    />
  );
}

/** The account beside the board: what each side has given away. */
export function Account({ game, seats }: { readonly game: Game; readonly seats: Seats }) {
  const sides = ["slider", "placer"] as const;
  const nameOf = (turn: (typeof sides)[number]) =>
    seats[turn] === "you" ? YOURS[turn] : `The ${turn} has given away`;
  return <Figures rows={sides.map((turn) => [nameOf(turn), formatGiven(givenBy(game, turn))])} />;
}
