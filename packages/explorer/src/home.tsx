import { useMemo } from "preact/hooks";
import { firstAddress, playShapeAddress } from "./logic/address.js";
import type { HomePage } from "./page.js";
import { readSetting } from "./play/setting.js";
import { Table } from "./play/table.js";
import { GameCards } from "./ui/game-card.js";
import { Heading } from "./ui/layout.js";

/** The game on the start page. */
const GAME = { shape: "3x3", tiles: [2, 4] } as const;

/** The start page: a game against the strong placer, the ways on, and what is solved. */
export function HomeView({ page }: { readonly page: HomePage }) {
  const setting = useMemo(() => {
    const players = { sliders: [], placers: [] };
    return readSetting({ ...GAME, players, starts: [] }, "");
  }, []);
  const heading = (
    <Heading title="2048 against an opponent">
      Slide the tiles: equal ones merge and score, and then your opponent puts a 2 or a 4 where it
      hurts you most.
    </Heading>
  );
  return (
    <>
      <Table setting={setting} heading={heading}>
        <details>
          <summary>The rules, and what is solved</summary>
          <p>
            Up, left, down or right: all tiles slide as far as they can. Two equal tiles that meet
            become one, and you score its number. The placer then fills any empty cell with a 2 or a
            4; nothing is left to chance. The game is over when no slide changes the board.
          </p>
          <p>
            Gridlock has solved this game exactly. “In all” shows the points that you will have if
            both sides play perfectly from here; whatever you do, you cannot get more unless the
            placer errs. The <a href="docs/glossary/">glossary</a> defines all terms.
          </p>
        </details>
        <p class="ways row">
          <a class="button" href={firstAddress(GAME)}>
            Explore every move
          </a>
          <a href={playShapeAddress(GAME)}>Other starts and opponents</a>
        </p>
      </Table>
      <section class="solved" aria-labelledby="solved">
        <h2 id="solved">Boards</h2>
        <GameCards games={page.shapes} />
      </section>
    </>
  );
}
