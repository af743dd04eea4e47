export * from "./begin-solves.js";
export * from "./browser.js";
export * from "./certificate-bytes.js";
export * from "./chance-oracle.js";
export {
  checkLog,
  checkNothingRuns,
  checkSolve,
  checkWorkers,
  inflictOnCluster,
} from "./cluster-fault.js";
export * from "./cluster-run.js";
export * from "./command.js";
export type { Outcome } from "./command-host.js";
export * from "./cross-check.js";
export * from "./cuttable-port.js";
export * from "./false-bounds.js";
export * from "./falsify.js";
export type { FaultOptions } from "./fault-kind.js";
export * from "./fault-series.js";
export * from "./folder.js";
export * from "./local-server.js";
export * from "./nonsense.js";
export * from "./oracle.js";
export * from "./positions.js";
export * from "./random-games.js";
export * from "./redis-program.js";
export * from "./redis-server.js";
export * from "./reseal.js";
export * from "./screen-text.js";
export * from "./served-command.js";
export { garbage } from "./sharing.js";
export * from "./snippets.js";
export * from "./terminal.js";
export * from "./until.js";
