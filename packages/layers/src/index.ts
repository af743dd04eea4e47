export { VisitCrew, type VisitPort } from "./crew.js";
export { DamagedFile } from "./part-file.js";
export { LayeredProof, type LayersStatus, layersFolderOf } from "./proof.js";
export { type LayersSolveOptions, solveByLayers } from "./solve.js";
