import type { Turn } from "@gridlock/game";
import { useMemo } from "preact/hooks";
import { playShapeAddress } from "../logic/address.js";
import { capital, gameName } from "../logic/words.js";
import type { PlayPage } from "../page.js";
import { GamePicker } from "../ui/game-picker.js";
import { Heading } from "../ui/layout.js";
import { NewGame } from "./new-game.js";
import { playerWords } from "./seats.js";
import { readSetting, type Setting } from "./setting.js";
import { Table } from "./table.js";

/** The ways to play: the title of each, its slider and its placer. */
const MODES = [
  ["Slide", "you", "perfect"],
  ["Place tiles", "perfect", "you"],
  ["Watch", "perfect", "perfect"],
] as const;

const side = (name: string) => (name === "you" ? "you" : "perfect");

/** The page on which games are played and watched. */
export function PlayView({ page }: { readonly page: PlayPage }) {
  const { search } = page;
  const setting = useMemo(() => readSetting(page, search), [page, search]);
  const { seats, reviewing } = setting;
  const title = `${reviewing ? "A game of" : "Play"} ${gameName(page.shape, page.tiles)}`;
  const heading = <Heading title={title}>{sentence(setting)}</Heading>;
  return (
    <>
      {setting.problem && (
        <p class="problem error marked" role="alert">
          {setting.problem}
        </p>
      )}
      <Table key={search} setting={setting} heading={heading}>
        <GamePicker
          shapes={page.shapes}
          current={page}
          to={(game) => playShapeAddress(game, seats)}
        />
        <nav class="games row" aria-label="Ways to play">
          {MODES.map(([title, slider, placer]) => (
            <a
              key={title}
              href={playShapeAddress(page, { slider, placer })}
              aria-current={
                side(seats.slider) === slider && side(seats.placer) === placer ? "true" : undefined
              }
            >
              {title}
            </a>
          ))}
        </nav>
        <NewGame {...{ page, setting }} />
      </Table>
    </>
  );
}

/** Says who plays whom. */
function sentence({ seats: { slider, placer }, reviewing }: Setting): string {
  const other = (turn: Turn, name: string) =>
    name === "you" ? "somebody" : playerWords(turn, name);
  const [slides, places] = [slider === "you", placer === "you"];
  if (reviewing) {
    return `${capital(other("slider", slider))} slid against ${other("placer", placer)}.`;
  }
  if (slides && places) return "Make the moves of both sides.";
  if (slides) return `Slide against ${other("placer", placer)}. Score as much as you can.`;
  if (places) {
    return `Place tiles against ${other("slider", slider)}. Leave it as little as you can.`;
  }
  return `Watch ${other("slider", slider)} against ${other("placer", placer)}.`;
}
