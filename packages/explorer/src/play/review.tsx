import { exploreAddress } from "../logic/address.js";
import { formatGiven, moveWords } from "../logic/words.js";
import { ToolButton } from "../ui/button.js";
import { type Game, isMistake, nodeAt, type Ply } from "./game.js";
import { GameChart } from "./game-chart.js";

/** A game to look back on: its chart, a slider that steps through it, and its moves as text. */
export function Review({
  game,
  cursor,
  onGo,
}: {
  readonly game: Game;
  readonly cursor: number;
  readonly onGo: (moves: number) => void;
}) {
  const { plies } = game;
  const last = plies.length;
  const spot = { node: nodeAt(game, cursor), tiles: game.tiles };
  return (
    <section class="review" aria-labelledby="review-title">
      <h2 id="review-title">The game, move by move</h2>
      <GameChart game={game} cursor={cursor} onPick={onGo} />
      <div class="stepper">
        <ToolButton
          icon="left"
          name="Back"
          keys="ArrowLeft"
          disabled={cursor === 0}
          onClick={() => onGo(cursor - 1)}
        />
        <label>
          <span class="hidden">Moves made</span>
          <input
            type="range"
            min={0}
            max={last}
            value={cursor}
            onInput={(event) => onGo(Number(event.currentTarget.value))}
          />
        </label>
        <output>
          {cursor} / {last}
        </output>
        <ToolButton
          icon="right"
          name="On"
          keys="ArrowRight"
          disabled={cursor === last}
          onClick={() => onGo(cursor + 1)}
        />
        <a href={exploreAddress(spot)}>Explore this board</a>
      </div>
      <ol class="plies">
        {plies.map((ply, i) => (
          <li key={`${i} ${ply.step.name}`}>
            <button
              type="button"
              class={isMistake(ply) ? "gave" : ""}
              aria-current={i + 1 === cursor ? "step" : undefined}
              onClick={() => onGo(i + 1)}
            >
              {ply.step.name}
              {isMistake(ply) && <span class="gave-words">{mistakeWords(ply)}</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Says what a move gave away, and what was best. */
function mistakeWords({ cost, best }: Ply): string {
  const better = best.slice(0, 2).map(moveWords).join(" or ");
  return ` gave away ${formatGiven(cost)}${better && `; best: ${better}`}`;
}
