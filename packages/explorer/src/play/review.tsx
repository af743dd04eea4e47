import { type Bound, isExact } from "@gridlock/game";
import { exploreAddress, playAddress } from "../logic/address.js";
import { shift } from "../logic/grade.js";
import { formatGiven, formatNumber, moveWords } from "../logic/words.js";
import { earnedIn, type Game, isMistake, nodeAt, type Ply, toCome } from "./game.js";

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 52;
const BOTTOM = 26;
const TOP = 14;
const RIGHT = 10;

/** Returns round numbers up to a largest one, some four of them. */
function ticksUpTo(most: number): number[] {
  const rough = Math.max(1, most / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

/**
 * Returns a game's worth in all before each move and at its end: the points earned and those still
 * to come. Where only a lower bound is known, it stands for both.
 */
function worthInAll(game: Game): Bound[] {
  const before = game.plies.map(({ worth }, i) => shift(worth, earnedIn(game, i)));
  const rest = toCome(game);
  const all = rest === undefined ? before : [...before, shift(rest, earnedIn(game))];
  return all.map(({ lo, hi }) => ({ lo, hi: Number.isFinite(hi) ? hi : lo }));
}

/** A game to look back on. */
interface Reviewed {
  readonly game: Game;
  /** The number of moves made on the board that is shown. */
  readonly cursor: number;
  readonly onGo: (moves: number) => void;
}

/** A chart of a game: its worth in all, move by move, with mistakes marked, and points earned. */
function GameChart({ game, cursor }: Omit<Reviewed, "onGo">) {
  const { plies } = game;
  const values = worthInAll(game);
  const most = Math.max(4, ...values.map(({ hi }) => hi));
  const x = (moves: number) => LEFT + (moves / Math.max(1, plies.length)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - TOP);
  const points = (of: (bound: Bound, moves: number) => number) =>
    values.map((bound, i) => `${x(i)} ${y(of(bound, i))}`);
  const least = points(({ lo }) => lo);
  const mistakes = plies.flatMap((ply, i) => (isMistake(ply) ? [{ ply, i }] : []));

  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Value over ${plies.length} moves, with ${mistakes.length} moves that gave points away. The list of moves says the same.`}
      >
        {ticksUpTo(most).map((value) => (
          <g key={value} class="tick">
            <path d={`M${LEFT} ${y(value)}H${WIDTH - RIGHT}`} />
            <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        <polygon
          class="band"
          points={[...points(({ hi }) => hi), ...least.toReversed()].join(" ")}
        />
        <polyline class="earned" points={points((_, moves) => earnedIn(game, moves)).join(" ")} />
        <polyline class="in-all" points={least.join(" ")} />
        {mistakes.map(({ ply, i }) => (
          <path
            key={i}
            class={`mistake by-${ply.before.turn}`}
            d={`M${least[i + 1]}${ply.before.turn === "slider" ? "m-6 -4h12l-6 10z" : "m-6 4h12l-6 -10z"}`}
          />
        ))}
        <path class="cursor" d={`M${x(cursor)} ${TOP}V${HEIGHT - BOTTOM}`} />
        <text class="axis" x={(LEFT + WIDTH) / 2} y={HEIGHT - 4} text-anchor="middle">
          moves
        </text>
      </svg>
      <figcaption class="row">
        <span>
          ━ points in all, if both play perfectly from there
          {plies.some(({ worth }) => !isExact(worth)) && "; at least, where they are not known"}
        </span>
        <span>┅ points earned</span>
        <span class="by-slider">▼ the slider gave points away</span>
        <span class="by-placer">▲ the placer gave points away</span>
      </figcaption>
    </figure>
  );
}

/** A game to look back on: its chart, and its moves as text. */
export function Review({ game, cursor, onGo }: Reviewed) {
  const { plies, tiles } = game;
  const spot = { node: nodeAt(game, cursor), tiles };
  return (
    <section class="review" aria-labelledby="review-title">
      <h2 id="review-title">The game, move by move</h2>
      <GameChart {...{ game, cursor }} />
      <p class="ways row">
        <a href={exploreAddress(spot)}>Explore this board</a>
        <a href={playAddress(spot)}>Play from this board</a>
      </p>
      <ol class="plies list row">
        {plies.map((ply, i) => (
          <li key={`${i} ${ply.step.name}`}>
            <button
              type="button"
              class={isMistake(ply) ? "tool gave" : "tool"}
              aria-current={i + 1 === cursor ? "step" : undefined}
              onClick={() => onGo(i + 1)}
            >
              {ply.step.name}
              {isMistake(ply) && ` ${mistakeWords(ply)}`}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Describes a past move: `Move 3: slide left, 8 points. It gave away 6; best: slide up.` */
export function plyWords(ply: Ply, number: number): string {
  const { step } = ply;
  const points = step.tile === undefined ? `, ${step.score} points` : "";
  const mistake = isMistake(ply) ? ` It ${mistakeWords(ply)}.` : "";
  return `Move ${number}: ${moveWords(step)}${points}.${mistake}`;
}

/** Says what a move gave away, and what was best. */
function mistakeWords({ cost, best }: Ply): string {
  const better = best.slice(0, 2).map(moveWords).join(" or ");
  return `gave away ${formatGiven(cost)}${better && `; best: ${better}`}`;
}
