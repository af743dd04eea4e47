export { certainChoice, equalChoices } from "./choices.js";
export { type GameResult, playGame } from "./game.js";
export type { Match } from "./games.js";
export { Grid, ILLEGAL } from "./grid.js";
export type { NameParts, PlayerKind, PlayerRequest } from "./kind.js";
export { PlayerMaker, type PlayerSetting } from "./maker.js";
export { Network } from "./ntuple/network.js";
export {
  readWeights,
  type TrainedNetwork,
  weightsFileOf,
  writeWeights,
} from "./ntuple/weights-file.js";
export type { OutsidePlayer, OutsidePosition, OutsideSlide } from "./outside.js";
export { type Placer, placeStart, randomPlacer } from "./placer.js";
export { PLACERS } from "./placers.js";
export { type PlayOptions, playMatch } from "./play.js";
export type { Cells, Choice, Player } from "./player.js";
export { PlayerError, UnknownPlayerError } from "./player.js";
export { gameRandom } from "./random.js";
export { PLAYER_KINDS } from "./registry.js";
export { type Statistics, statisticsOf } from "./statistics.js";
export { allStrategies, makeStrategies } from "./strategy.js";
