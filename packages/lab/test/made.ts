import { type Placer, type Player, PlayerMaker, type PlayerSetting } from "@gridlock/players";
import { onTestFinished } from "vitest";

interface Setting extends PlayerSetting {
  /** The solution database, for players that look up a tabulation. */
  readonly db?: string;
}

/** Makes a player for the running test. */
export async function makePlayer(name: string, { db, ...setting }: Setting): Promise<Player> {
  return await makerFor(db).player(name, setting);
}

/** Makes a placer for the running test. */
export async function makePlacer(name: string, { db, shape }: Setting): Promise<Placer> {
  return makerFor(db).placer(name, shape);
}

function makerFor(db = "none.db"): PlayerMaker {
  const maker = new PlayerMaker(db);
  onTestFinished(() => maker[Symbol.dispose]());
  return maker;
}
