import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cellCount, formatShape, type Game, normalShape, parseShape } from "@gridlock/game";

/** Returns the path of a game's file or folder beside a database: `x.3x3.snapshot` of `x.db`. */
export function pathBeside(databaseFile: string, { shape, tiles }: Game, ending: string): string {
  const suffix = tiles.length === 1 ? "-tiles-2" : "";
  const name = `${formatShape(normalShape(shape))}${suffix}`;
  return `${databaseFile.replace(/\.db$/, "")}.${name}.${ending}`;
}

/** Returns the files with an ending that games have beside a database, smaller shapes first. */
export function filesBeside(
  databaseFile: string,
  ending: string,
): { readonly game: Game; readonly file: string }[] {
  const folder = dirname(databaseFile);
  const start = `${basename(databaseFile).replace(/\.db$/, "")}.`;
  const found = namesIn(folder).flatMap((name) => {
    if (!(name.startsWith(start) && name.endsWith(`.${ending}`))) return [];
    const game = gameNamed(name.slice(start.length, -ending.length - 1));
    const file = join(folder, name);
    return game && join(pathBeside(databaseFile, game, ending)) === file ? [{ game, file }] : [];
  });
  const cells = ({ game }: { readonly game: Game }) => cellCount(game.shape);
  return found.sort((a, b) => cells(a) - cells(b));
}

/** Lists a folder; a folder that is missing or cannot be read is empty. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Returns the game of a name such as `3x3` or `2x3-tiles-2`. */
function gameNamed(name: string): Game | undefined {
  try {
    const twos = /^(.*)-tiles-2$/.exec(name)?.[1];
    return { shape: parseShape(twos ?? name), tiles: twos === undefined ? [2, 4] : [2] };
  } catch {
    return undefined;
  }
}
