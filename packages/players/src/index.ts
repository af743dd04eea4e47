export { CellRules, countEmpty, ILLEGAL, isEnd } from "./cell-rules.js";
export { type GameResult, gameRandom, playGame } from "./game.js";
export { openTabulation, PlayerMaker, type PlayerSetting } from "./maker.js";
export { Network } from "./ntuple/network.js";
export { ntuplePlayer } from "./ntuple/player.js";
export {
  readWeights,
  type TrainedNetwork,
  weightsFileOf,
  writeWeights,
} from "./ntuple/weights-file.js";
export type { OutsidePlayer, OutsidePosition, OutsideSlide } from "./outside.js";
export { PLACERS, type Placer, placeStart, randomPlacer } from "./placer.js";
export { type Match, type PlayOptions, playMatch } from "./play.js";
export type { Cells, Choice, NameParts, Player, PlayerKind, PlayerRequest } from "./player.js";
export { PlayerError, UnknownPlayerError } from "./player.js";
export { PLAYER_KINDS } from "./registry.js";
export { remembering } from "./remember.js";
export { type Statistics, statisticsOf } from "./statistics.js";
export { allStrategies, makeStrategies, permutations } from "./strategy.js";
