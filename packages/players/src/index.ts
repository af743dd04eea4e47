export { certainChoice, equalChoices } from "./choices.js";
export { PlayerError } from "./errors.js";
export { type Assessment, assess, canSweep, type StartScore } from "./exact/assess.js";
export { findLowScore, type LowScore, type LowScoreOptions } from "./exact/low-score.js";
export {
  type CompareOptions,
  compareMoves,
  type MoveComparison,
  type MoveQuality,
} from "./exact/moves.js";
export type { Score } from "./exact/player-columns.js";
export type { AssessOptions, AssessProgress } from "./exact/reach.js";
export { type HeldBounds, HeldSearch, type SearchLimits, searchStarts } from "./exact/search.js";
export { GamesBench, type GamesBenchOptions } from "./experiments/bench.js";
export type { PlayersBench, PlayersExperiment } from "./experiments/experiment.js";
export { PLAYERS_EXPERIMENTS } from "./experiments/index.js";
export { type GameResult, playGame } from "./game.js";
export type { Match } from "./games.js";
export { Grid, ILLEGAL } from "./grid.js";
export type { NameParts, PlayerKind, PlayerRequest } from "./kind.js";
export { PlayerMaker, type PlayerSetting } from "./maker.js";
export { Network } from "./ntuple/network.js";
export { Training, type TrainingGame, USUAL_RATE } from "./ntuple/training.js";
export { readWeights, weightsFileOf, writeWeights } from "./ntuple/weights-file.js";
export type { OutsidePlayer, OutsidePosition, OutsideSlide } from "./outside.js";
export { type Placer, placeStart, randomPlacer } from "./placer.js";
export { PLACERS } from "./placers.js";
export { type PlayOptions, playMatch } from "./play.js";
export type { Cells, Choice, Player } from "./player.js";
export { gameRandom } from "./random.js";
export { PLAYER_KINDS } from "./registry.js";
export { type Statistics, statisticsOf } from "./statistics.js";
export { allStrategies, makeStrategies } from "./strategy.js";
