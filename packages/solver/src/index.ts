export {
  type Agenda,
  Answers,
  isSameQuestion,
  nextQuestion,
  type StartBound,
  withBound,
} from "./agenda.js";
export { Allowance, type Selection, splitAt } from "./allowance.js";
export * from "./analyst.js";
export { proveLines, proveStart } from "./best-play.js";
export { type CertifyProgress, certify, type ProofSummary, type ProofTask } from "./certify.js";
export { isQuick, partOfSearch, secondsLeft } from "./estimate.js";
export { Frontier, type Subtree } from "./frontier.js";
export { Growth } from "./growth.js";
export { loadEntries, storeEntries } from "./kept-entries.js";
export { type Effort, LoggedRun, lockRuns, nodesBefore, type RunLabel } from "./logged-run.js";
export { isReached, type LowerBounds, type LowerPlan } from "./lower-bounds.js";
export { keyOf, type NodeKey } from "./node-keys.js";
export { type AskLimits, LocalPool, type PoolOptions, poolThreads } from "./pool.js";
export { answers, type JobPort, type Question } from "./port.js";
export { certificateFileOf, ProofFile } from "./proof-file.js";
export { createProofMemory } from "./proof-memory.js";
export { Prover, type Saving } from "./prove.js";
export {
  removeSnapshot,
  type SavedWork,
  SNAPSHOT_EVERY,
  type SnapshotOptions,
  Snapshots,
} from "./snapshots.js";
export { openStarts, type SolveOptions, solve, storedStarts } from "./solve.js";
export { type HereOptions, type SolvedHere, solveHere, tooDeep } from "./solve-here.js";
export { saveCostlyBounds } from "./table-bounds.js";
export {
  loadSnapshot,
  snapshotIdentity,
  type Warmed,
  type WarmProgress,
  warmTable,
} from "./warming.js";
export { firstGuess, type Guess, guessAmong, guessBeside, nextThreshold } from "./window.js";
