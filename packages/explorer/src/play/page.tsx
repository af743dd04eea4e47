import { formatBoard, type Turn } from "@gridlock/game";
import { useMemo } from "preact/hooks";
import { playShapeAddress } from "../logic/address.js";
import { gameName } from "../logic/words.js";
import type { PlayPage } from "../page.js";
import { GamePicker } from "../ui/game-picker.js";
import { Heading } from "../ui/layout.js";
import { NewGame } from "./new-game.js";
import { playerWords, type Seats } from "./seats.js";
import { readSetting } from "./setting.js";
import { Table } from "./table.js";

/** The page on which games are played and watched. */
export function PlayView({ page }: { readonly page: PlayPage }) {
  const setting = useMemo(() => readSetting(page), [page]);
  const { seats, game, isSolved } = setting;
  return (
    <>
      <Heading title={`Play ${gameName(page.shape, page.tiles)}`}>
        {sentence(seats, isSolved)}
      </Heading>
      <GamePicker
        shapes={page.shapes}
        current={page}
        to={({ shape, tiles }) =>
          `${playShapeAddress({ shape, tiles })}&slider=${seats.slider}&placer=${seats.placer}`
        }
      />
      <Modes page={page} {...seats} />
      {setting.problem && (
        <p class="error" role="alert">
          {setting.problem}
        </p>
      )}
      <noscript>
        <p class="trouble">
          Playing needs JavaScript. <a href={`explore/${page.shape}/`}>Explore</a> works without it.
        </p>
      </noscript>
      <Table setting={setting}>
        <NewGame {...{ page, seats, isSolved }} board={formatBoard(game.start.board)} />
      </Table>
    </>
  );
}

const MODES = [
  ["Slide", "you", "perfect"],
  ["Place tiles", "perfect", "you"],
  ["Watch", "perfect", "perfect"],
] as const;

/** Links to the ways to play. */
function Modes({
  page,
  slider,
  placer,
}: {
  readonly page: PlayPage;
  readonly slider: string;
  readonly placer: string;
}) {
  const side = (name: string) => (name === "you" ? "you" : "perfect");
  return (
    <nav class="modes" aria-label="Ways to play">
      {MODES.map(([title, first, second]) => (
        <a
          key={title}
          href={`${playShapeAddress(page)}&slider=${first}&placer=${second}`}
          aria-current={side(slider) === first && side(placer) === second ? "true" : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

/** Says who plays whom. */
function sentence({ slider, placer }: Seats, isSolved: boolean): string {
  const other = (turn: Turn, name: string) => playerWords(turn, name, isSolved);
  const [slides, places] = [slider === "you", placer === "you"];
  if (slides && places) return "Make the moves of both sides.";
  if (slides) return `Slide against ${other("placer", placer)}. Score as much as you can.`;
  if (places) {
    return `Place tiles against ${other("slider", slider)}. Leave it as little as you can.`;
  }
  return `Watch ${other("slider", slider)} against ${other("placer", placer)}.`;
}
