export type { BlockFailure } from "./block-check.js";
export { MOST_SPLIT, splitOf } from "./blocks.js";
export { DamagedFile } from "./chunk-file.js";
export { type CrewOptions, VisitCrew } from "./crew.js";
export { type LayersFolder, layersFolderOf, layersIn } from "./folder.js";
export type { LayeredStart } from "./layered-starts.js";
export { LayeredProof, type LayeredProofOptions } from "./proof.js";
export { type CheckBlocks, type RoundCheckOptions, roundCheck } from "./proof-check.js";
export type { LayersStatus } from "./proof-state.js";
export { type LayersProofTask, makeCertificateFromLayers } from "./prove.js";
export { boundsOfLayers, LayersReader } from "./reader.js";
export { type LayersSolveOptions, solveByLayers } from "./solve.js";
export {
  LayersCheck,
  type LayersReport,
  type VerifyLayersOptions,
  verifyLayers,
} from "./verify-layers.js";
export type { Visit, VisitOutcome } from "./visits.js";
