export { DamagedFile } from "./block-file.js";
export { type BlockVersion, VisitCrew, type VisitPort } from "./crew.js";
export { LayeredProof, type LayersStatus, layersFolderOf } from "./proof.js";
export { BadRecord, type LayersRecord, parseRecord, type RecordedVisit } from "./record.js";
export { VisitRecorder } from "./recorder.js";
export { type Replay, type ReplayTimes, replay } from "./replay.js";
export type { Machines } from "./replay-tasks.js";
export { type LayersSolveOptions, solveByLayers } from "./solve.js";
export type { Visit, VisitOutcome } from "./visits.js";
