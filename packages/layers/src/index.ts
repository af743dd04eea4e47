export type { BlockFailure } from "./block-check.js";
export { blockMemoryBytes } from "./block-memory.js";
export { type BlockNumber, MOST_SPLIT, splitOf } from "./blocks.js";
export { CheckCrew, type CheckRequest } from "./check-crew.js";
export { DamagedFile } from "./chunk-file.js";
export { type BlockVersion, type CrewOptions, VisitCrew, type VisitPort } from "./crew.js";
export { Dispatcher, estimateOf, type VisitEstimate } from "./dispatch.js";
export { type LayersFolder, layersFolderOf, layersIn } from "./folder.js";
export type { LayeredStart } from "./layered-starts.js";
export { digestOfLetters } from "./letters-digest.js";
export { layersBuild } from "./module.js";
export { blockFileName, lettersFileName, pathOf } from "./names.js";
export { boundsOfLayers } from "./place.js";
export { LayeredProof, type LayeredProofOptions } from "./proof.js";
export {
  type BlockToCheck,
  type CheckBlocks,
  type CheckPort,
  type CheckVerdict,
  checkHere,
  RoundChecker,
  verdictOf,
} from "./proof-check.js";
export type { LayersStatus } from "./proof-state.js";
export { type LayersProofTask, makeCertificateFromLayers } from "./prove.js";
export { LayersReader, type LayersReaderOptions } from "./reader.js";
export { BadRecord, type LayersRecord, parseRecord, type RecordedVisit } from "./record.js";
export { VisitRecorder } from "./recorder.js";
export { areStepsOf, workOff } from "./remainder.js";
export { type Replay, type ReplayTimes, replay } from "./replay.js";
export type { Machines } from "./replay-tasks.js";
export { type LayersSolveOptions, solveByLayers } from "./solve.js";
export { secondsLeft } from "./time-left.js";
export {
  LayersCheck,
  type LayersReport,
  type VerifyLayersOptions,
  verifyLayers,
} from "./verify-layers.js";
export type { Remainder, StepOutcome, Visit, VisitLoad, VisitOutcome } from "./visits.js";
