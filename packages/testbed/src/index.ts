export * from "./begin-solves.js";
export * from "./browser.js";
export * from "./certificate-bytes.js";
export { CHANGED_FILES, readChanged } from "./changed-files.js";
export {
  type ClusterFault,
  checkLog,
  checkNothingRuns,
  checkSolve,
  checkWorkers,
  inflict,
} from "./cluster-fault.js";
export { CLUSTER_FAULTS, garbage } from "./cluster-faults.js";
export * from "./cluster-run.js";
export * from "./command.js";
export type { Outcome } from "./command-host.js";
export * from "./cuttable-port.js";
export * from "./false-bounds.js";
export { falsify } from "./falsify.js";
export * from "./fault-runs.js";
export * from "./folder.js";
export { killAndResume } from "./kills.js";
export * from "./local-server.js";
export * from "./oracle.js";
export * from "./positions.js";
export * from "./random-games.js";
export * from "./redis-program.js";
export * from "./redis-server.js";
export * from "./reseal.js";
export * from "./served-command.js";
export * from "./snippets.js";
export * from "./terminal.js";
export * from "./until.js";
