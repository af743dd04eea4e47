import { exponentOf } from "@gridlock/game";

/** Tiles to choose from; 0 stands for an empty cell. */
export function Palette({
  name,
  tiles,
  brush,
  onChoose,
}: {
  readonly name: string;
  readonly tiles: readonly number[];
  /** The chosen tile. */
  readonly brush: number;
  readonly onChoose: (tile: number) => void;
}) {
  return (
    <fieldset class="palette row">
      <legend>{name}</legend>
      {tiles.map((tile) => (
        <label key={tile} class={`t${exponentOf(tile)}`}>
          <input
            type="radio"
            name="brush"
            checked={tile === brush}
            onChange={() => onChoose(tile)}
          />
          <span>{tile === 0 ? "none" : tile}</span>
        </label>
      ))}
    </fieldset>
  );
}
