import { exploreAddress, playAddress } from "../logic/address.js";
import { formatGiven, moveWords } from "../logic/words.js";
import { isMistake, nodeAt, type Ply } from "./game.js";
import { GameChart, type Reviewed } from "./game-chart.js";

/** A game to look back on: its chart, and its moves as text. */
export function Review({ game, cursor, onGo }: Reviewed) {
  const { plies, tiles } = game;
  const spot = { node: nodeAt(game, cursor), tiles };
  return (
    <section class="review" aria-labelledby="review-title">
      <h2 id="review-title">The game, move by move</h2>
      <GameChart {...{ game, cursor, onGo }} />
      <p class="ways row">
        <a href={exploreAddress(spot)}>Explore this board</a>
        <a href={playAddress(spot)}>Play from this board</a>
      </p>
      <ol class="plies list row">
        {plies.map((ply, i) => (
          <li key={`${i} ${ply.step.name}`}>
            <button
              type="button"
              class={isMistake(ply) ? "gave" : ""}
              aria-current={i + 1 === cursor ? "step" : undefined}
              onClick={() => onGo(i + 1)}
            >
              {ply.step.name}
              {isMistake(ply) && <span class="gave-words"> {mistakeWords(ply)}</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Says a move of a game that is over: `Move 3: slide left, 8 points. It gave away 6; best: slide up.` */
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
