export { DamagedFile } from "./block-file.js";
export { type BlockVersion, VisitCrew, type VisitPort } from "./crew.js";
export { LayeredProof, type LayersStatus, layersFolderOf } from "./proof.js";
export { type LayersSolveOptions, solveByLayers } from "./solve.js";
export type { Visit, VisitOutcome } from "./visits.js";
